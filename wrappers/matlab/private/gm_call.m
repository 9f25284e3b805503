function reply = gm_call(verb, request, arrays, problems, callback)
%GM_CALL  Ask Python; the variables of its answer as a struct.
%   request   struct of texts and scalars
%   arrays    struct of matrices
%   problems  cell array; problem structs in it are sent, too
%   callback  called with a struct at every improvement, or []
%   Arguments and answer travel as .mat files in a private folder. The files are gone when
%   this function is left, however that happens.
  if nargin < 5
    callback = [];
  end
  request.folder = pwd;
  request.octave = gm_is_octave();
  variables = struct('arguments', request);
  if nargin > 2
    for name = fieldnames(arrays)'
      variables.(name{1}) = arrays.(name{1});
    end
  end
  check_values(request, '');
  link = gm_link(verb);
  stem = link('begin');
  tidy = onCleanup(@() link('end'));
  write_file([stem '.in.mat'], variables);
  if nargin > 3
    for k = 1:numel(problems)
      if isstruct(problems{k})
        check_values(problems{k}, '');
        write_file(sprintf('%s.problem%d.mat', stem, k), problems{k});
      end
    end
  end
  [identifier, message] = link('ask', verb, callback);
  if ~isempty(identifier)
    error(identifier, '%s', message);
  end
  if nargout > 0
    reply = load([stem '.out.mat']);
  end
end

function link = gm_link(verb)
% How Python is reached: a process of its own, or the Python inside MATLAB.
  persistent warned
  link = @gm_server;
  if strcmp(verb, 'batch')
    return  % a batch starts processes, which MATLAB is not made for
  elseif strcmp(getenv('GMTOOLBOX_BRIDGE'), 'py')
    link = @gm_inside;
  elseif ~gm_has_pipes() && exist('pyenv')  %#ok<EXIST>
    link = @gm_inside;
    if isempty(warned)
      fprintf('gmtoolbox: without Java no process can be started; the Python inside MATLAB (pyenv) is used.\n');
      warned = true;
    end
  end
end

function check_values(value, name)
% Refuse values that a .mat file cannot carry to Python: function handles, objects, tables.
  if isstruct(value)
    for field = fieldnames(value)'
      for k = 1:numel(value)
        check_values(value(k).(field{1}), field{1});
      end
    end
  elseif iscell(value)
    for k = 1:numel(value)
      check_values(value{k}, name);
    end
  elseif ~isnumeric(value) && ~islogical(value) && ~ischar(value)
    error('gmtoolbox:InputError', '%s must be a number, a matrix, a text or a struct, got a %s', name, class(value));
  end
end

function write_file(file, variables)
  memory = whos('variables');
  if memory.bytes >= 2^31
    error('gmtoolbox:InputError', ['the arguments take %.1f GB, but a call can take 2 GB only; ' ...
          'save them to a file (with MATLAB: -v7.3) and give its name'], memory.bytes / 1e9);
  end
  save(file, '-struct', 'variables', '-v6');
end
