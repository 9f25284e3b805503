function runs = gm_batch(problems, methods, varargin)
%GM_BATCH  Solve many graph matching problems with many methods, several at a time.
%   RUNS = GM_BATCH(PROBLEMS, METHODS) solves every problem with every method. PROBLEMS
%   is a file, a folder with a dataset.json, a matrix K, a problem of GM_LOAD, or a cell
%   array of these; also the output of DIR, or a pattern like 'car*.mat'. METHODS is a name, a
%   cell array of names, or 'all'. Every run has a
%   process of its own: one that crashes costs only its own result. A matrix is an affinity
%   and its matchings complete; a problem or file says for itself (complete and sense, see
%   GM_LOAD).
%
%   RUNS is a struct array, in the order problem, method, trial:
%     instance, dataset, method, trial   which run it is
%     outcome   'ok', or 'error', 'crash', 'timeout', 'memory' with the
%     reason    in words; numbers are NaN then
%     status, value, bound, gap, time, n_iter, labels, trace, options, seed
%               as in INFO of GM_SOLVE
%   Without an output argument a table is printed.
%
%   GM_BATCH(PROBLEMS, METHODS, NAME, VALUE, ...) sets
%     'time_limit'    seconds of one run
%     'n_jobs'        runs at the same time (default 1; -1 = one per processor)
%     'trials'        how often each run is made (default 1)
%     'seed'          of all runs (default 0)
%     'store'         file that collects the runs; the same call continues it. A run
%                     is found by its problem, method, options, seed and limit, not by names
%     'resume'        false: ignore stored runs and run all again
%     'retry_failed'  true: run failed runs of the store again
%     'threads', 'memory', 'wall'   limits of one run: threads, megabytes, seconds
%     'progress'      true: show the progress
%     'options'       struct of options, for every method that has them
%   A problem that cannot be read, such as a missing file, is named in a warning and has rows with
%   the outcome 'error'; the others are solved. An option that some of the methods lack is named
%   in a warning, and they run without it.
%
%   Example
%     K = kron(eye(3), ones(3));
%     runs = gm_batch({K, 2 * K}, {'rrwm', 'ipfps'}, 'n_jobs', 2);
%     disp([runs.value])
%
%   See also GM_SOLVE, GM_METHODS.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_batch: give problems and methods');
  end
  problems = expanded(problems);
  names = {'time_limit', 'n_jobs', 'trials', 'seed', 'store', 'resume', 'retry_failed', 'threads', 'memory', 'wall', 'progress', 'options'};
  request.settings = gm_pairs('gm_batch', varargin, names);
  [request.problems, problems] = gm_problems('gm_batch', problems);
  request.methods = as_cell(methods);
  for k = 1:numel(request.methods)
    request.methods{k} = gm_text('gm_batch', 'method', request.methods{k});
  end
  reply = gm_call('batch', request, struct(), problems);
  if nargout > 0
    runs = reply.runs;
  else
    fprintf('%-20s %-10s %14s %14s %10s  %s\n', 'instance', 'method', 'value', 'bound', 'seconds', 'status');
    for k = 1:numel(reply.runs)
      run = reply.runs(k);
      outcome = run.status;
      if ~strcmp(run.outcome, 'ok')
        outcome = [run.outcome ': ' run.reason];
      end
      fprintf('%-20s %-10s %14.6g %14.6g %10.3f  %s\n', run.instance, run.method, run.value, run.bound, run.time, outcome);
    end
  end
end

function list = expanded(value)
% A row cell array of problems; the output of DIR and patterns with * become their files.
  if isstruct(value) && all(isfield(value, {'name', 'folder', 'isdir'}))
    value = value(~[value.isdir]);
    value = arrayfun(@(file) fullfile(file.folder, file.name), value, 'UniformOutput', false);
  end
  list = {};
  for entry = as_cell(value)
    if ischar(entry{1}) && any(entry{1} == '*')
      files = dir(entry{1});
      if isempty(files)
        list{end + 1} = entry{1};  %#ok<AGROW>
      end
      folder = fileparts(entry{1});
      for file = files(:)'
        list{end + 1} = fullfile(folder, file.name);  %#ok<AGROW>
      end
    else
      list(end + 1) = entry;  %#ok<AGROW>
    end
  end
end

function list = as_cell(value)
% A row cell array of one thing, of the members of a cell array or of those of a string array.
  if isa(value, 'string')
    value = cellstr(value);
  elseif ~iscell(value)
    value = {value};
  end
  list = value(:)';
end
