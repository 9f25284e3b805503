% Every function with every argument replaced by odd values, left out and added: an error of gmtoolbox in one line, or an answer.
folder = fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'fuzz');
mkdir(folder);
here = cd(folder);
warning('off', 'all');
K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];
A = [0 1 0; 1 0 2; 0 2 0];
P = [0 0; 4 0; 4 3; 1 5; 0 2];
[~, info] = gm_solve(K, 'fw');
gm_save(K, 'k.mat');
gm_save(-K, 'c.mat', 'sense', 'min');
problem = gm_load('c.mat');
drawing = gm_points(P, P);
[~, drawn] = gm_solve(drawing);

calls = {
  {@gm_solve, K, 'fw', 'seed', 1, 'time_limit', 1, 'maxiter', 3, 'init', [1 2], 'Ct', ones(2), 'complete', true}
  {@gm_solve, K, 'fw', 'shape', [2 2], 'sense', 'max', 'Display', 'off', 'OutputFcn', @(event) false}
  {@gm_solve, K, 'fw', 'L12', [1 1; 2 1; 1 2; 2 2]}
  {@gm_solve, K, 'fw', 'group1', kron([1; 1], eye(2)), 'group2', kron(eye(2), [1; 1])}
  {@gm_solve, K, 'fw', 'E12', ones(2)}
  {@gm_solve, 'k.mat', 'fw', 'key', 'K'}
  {@gm_solve, problem, 'fw', struct('maxiter', 3)}
  {@wrapper_rrwm, K, 'maxiter', 3}
  {@gm_methods, 'fw'}
  {@gm_load, 'c.mat', 'complete', true, 'sense', 'min', 'shape', [2 2], 'key', 'K'}
  {@gm_save, K, 'out.mat', 'version', '7', 'complete', true, 'sense', 'max', 'Ct', ones(2), 'shape', [2 2]}
  {@gm_save, info, 'out.json'}
  {@gm_convert, 'k.mat', 'out.mat', 'version', '7'}
  {@gm_points, P, P, 'F1', P, 'F2', P, 'k', 2, 'metric', 'euclidean', 'complete', false, 'width', 1, 'both', true, 'unmatched', 1}
  {@gm_points, P, P, 'edges1', [1 2; 2 3], 'edges2', 'delaunay', 'candidates', [1 1; 2 2; 3 3]}
  {@gm_graphs, A, A, 'similarity', ones(3), 'complete', true, 'seeds', [1 1]}
  {@gm_edit_distance, A, {'C', 'C', 'O'}, A, {'C', 'C', 'N'}, 'costs', 'unit', 'upper_bound', 3, 'time_limit', 1, 'seed', 1}
  {@gm_solve_multi, {[], K, K; [], [], K; [], [], []}, 'time_limit', 1, 'seed', 1, 'sizes', [2 2 2], 'sense', 'max', ...
   'bound', 'pairs', 'method', 'mgm', 'maxiter', 3, 'Display', 'off'}
  {@gm_verify, K, info, 'Ct', ones(2), 'shape', [2 2], 'sense', 'max', 'complete', true}
  {@gm_accuracy, info, [1 2]}
  {@gm_evaluate, info, [1 2], 'outliers', true}
  {@gm_evaluate, [1 2 3 4 5], drawing}
  {@gm_expand, drawing, 'complete', true}
  {@gm_transform, K, '_bn', 'Ct', ones(2)}
  {@gm_edit_distances, {A, 'CCO'; A, 'CCN'}, 'costs', [1 1 1 1], 'upper_bound', 3, 'time_limit', 1, 'seed', 1, 'n_jobs', 1, 'resume', true}
  {@gm_common_subgraph, A, 'CCO', A, 'CCN', 'kind', 'edge', 'connected', true, 'time_limit', 1, 'seed', 1, 'n_jobs', 1}
  {@gm_find_subgraphs, A, [], A, [], 'induced', true, 'limit', 3, 'time_limit', 1}
  {@gm_solve_many, {K, 'k.mat', problem}, 'fw', 'n_jobs', 1, 'time_limit', 1, 'seed', 1, 'maxiter', 3}
  {@gm_solve, drawing, 'fw', 'maxiter', 3}
  {@gm_last}
  {@gm_setup}
};
function s = changed(s, field, value)
  s.(field) = value;
end
for field = fieldnames(drawing)'  % parts of structs, too
  calls{end + 1} = {@(value) gm_solve(changed(drawing, field{1}, value), 'fw', 'maxiter', 3), drawing.(field{1})};
end
for field = fieldnames(problem)'
  calls{end + 1} = {@(value) gm_solve(changed(problem, field{1}, value), 'fw', 'maxiter', 3), problem.(field{1})};
  calls{end + 1} = {@(value) gm_solve(changed(rmfield(problem, {'K', 'reducedK'}), field{1}, value), 'fw', 'maxiter', 3), problem.(field{1})};
end
for field = fieldnames(info)'
  calls{end + 1} = {@(value) gm_save(changed(info, field{1}, value), 'out.json'), info.(field{1})};
end
slow = {  % each call of these starts processes or draws
  {@gm_batch, K, 'fw', 'time_limit', 1, 'n_jobs', 1, 'trials', 1, 'seed', 1, 'resume', true, 'retry_failed', true, ...
   'threads', 1, 'memory', 500, 'wall', 10, 'progress', false, 'options', struct('maxiter', 3)}
  {@gm_batch, 'k.mat', {'fw'}, 'store', 'runs.db'}
  {@gm_plot, drawing, drawn, ones(9), ones(9)}
  {@gm_plot, drawing, drawn}
  {@gm_plot, drawn}
};
fuzzed = {};
try
  figure('visible', 'off');
  axes();
catch  % this Octave cannot draw
  slow = slow(1:2);
  fuzzed = {'gm_plot'};
end
deep = {[]};
empty = zeros(0, 3);
odd = {[], {}, '', 'text', ['ab'; 'cd'], struct(), struct('a', {1, 2}), NaN, Inf, -1, 1.5, 1e300, int8(3), true, 1i, empty, ...
       ones(2, 2, 2), {1, 'a'}, @sin, sparse(3, 3), nan(4), K(1:3, :), containers.Map(), {deep}, uint8([1 2; 3 4])};


python_words = {'0-based', '\<None\>', '\<dict\>', '\<list\>', '\<tuple\>', 'shape=', '\[Errno', 'int64', 'float64', 'ndarray', ...
                '\<str\>', '\<True\>', '\<False\>', 'array\(', '\(n1, n2\)', 'csc_', '_array', 'Traceback', '\<NoneType\>', '\<int\>', ...
                '\<float\>', 'gm\.', '\w=[''(\d]', '\<DataFrame\>', 'networkx'};

function [text, fault] = outcome_of(call, python_words)
  % The message of a call, '' for an answer, and what is wrong with it, '' for nothing.
  text = '';
  fault = '';
  try
    evalc('call{1}(call{2:end});');
  catch problem
    text = [problem.identifier ' ' problem.message];
    of_the_program = strcmp(problem.identifier, 'Octave:invalid-fun-call') && ~isempty(strfind(problem.message, 'too many inputs'));
    of_the_callback = ~isempty(strfind(problem.message, 'sin: '));
    if of_the_program || of_the_callback
      return
    elseif isempty(regexp(problem.identifier, '^gmtoolbox:\w+$', 'once')) || isempty(problem.message)
      fault = 'no identifier';
    elseif any(strcmp(problem.identifier, {'gmtoolbox:InternalError', 'gmtoolbox:PythonDied'}))
      fault = 'a fault of Python';
    elseif any(problem.message == 10)
      fault = 'several lines';
    else
      found = python_words(~cellfun(@isempty, regexp(problem.message, python_words, 'once')));
      if ~isempty(found)
        fault = ['a word of Python: ' found{1}];
      end
    end
  end
end

function tried = replaced(call, odd)
  % A call with each argument replaced by each odd value, ended early, and with more arguments.
  tried = {};
  for place = 2:numel(call)
    for value = odd
      tried{end + 1} = [call(1:place - 1), value, call(place + 1:end)];
    end
    if isempty(strfind(func2str(call{1}), '@'))
      tried{end + 1} = call(1:place - 1);
    end
  end
  for value = odd
    tried{end + 1} = [call, value];
    tried{end + 1} = [call, {'seed'}, value];
  end
end

n_calls = 0;
wrong = {};
report = fopen('messages.txt', 'w');
for k = 1:numel(calls) + numel(slow)
  if k <= numel(calls)
    call = calls{k};
    tried = replaced(call, odd);
  else
    call = slow{k - numel(calls)};
    tried = replaced(call, odd([2 6 8 14 18 22]));
  end
  name = func2str(call{1});
  fuzzed{end + 1} = name;
  for l = 1:numel(tried)
    [text, fault] = outcome_of(tried{l}, python_words);
    n_calls = n_calls + 1;
    if ~isempty(text)
      fprintf(report, '%s: %s\n', name, text);
    end
    if ~isempty(fault)
      shown = strrep(disp(tried{l}(2:end)), char(10), ' ');
      wrong{end + 1} = sprintf('%s %d (%s): %s\n   %s', name, l, fault, text, shown(1:min(end, 300)));
    end
  end
end
fclose(report);
fprintf('%d calls, %d wrong\n', n_calls, numel(wrong));
fprintf('%s\n', wrong{:});
assert(isempty(wrong))
functions = {dir(fullfile(fileparts(which('gm_solve')), 'gm_*.m')).name};
forgotten = setdiff(strrep(functions, '.m', ''), fuzzed);
assert(isempty(forgotten), strjoin(forgotten))
cd(here);
