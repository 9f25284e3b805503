function about = gm_setup(varargin)
%GM_SETUP  Put gmtoolbox on the path and start its Python process.
%   GM_SETUP finds Python, starts it and prints its version. It tries, in this order:
%   the environment variable GMTOOLBOX_PYTHON, the Python remembered by GM_SETUP, the one
%   that these files are installed in, the environment made by scripts/demo (.venv next to
%   the folder wrappers), python3 on the PATH. Calling it is optional once the folder is on
%   the path: the first call of any function starts Python.
%
%   GM_SETUP('python', FILE) uses that Python, from now on; GM_SETUP('python',
%   'default') looks for it as above. GM_SETUP('python', FILE, 'remember', true) remembers
%   it for later sessions (SETPREF), and 'remember', false forgets it.
%   GM_SETUP('bridge', 'py') uses the Python inside MATLAB (see PYENV) instead of a process;
%   GM_SETUP('bridge', 'process') goes back. MATLAB >= R2022b; see docs/matlab.md.
%   GM_SETUP('stop') ends the Python process; the next call starts a new one.
%   ABOUT = GM_SETUP(...) returns a struct (version, python, pid, methods) and prints nothing.
%
%   If functions of yours have the names of these, the warning gmtoolbox:Shadowed names them.
%
%   Example, after addpath of this folder
%     gm_setup
%
%   See also GM_SOLVE.
  own = fileparts(mfilename('fullpath'));
  hidden = found_elsewhere(own);  % before the path changes
  add_to_path(own);
  if nargin == 1 && strcmpi(varargin{1}, 'stop')
    gm_server('stop');
    if nargout > 0
      about = struct('stopped', true);
    end
    return
  end
  pairs = gm_pairs('gm_setup', varargin, {'python', 'bridge', 'remember'});
  remember = isfield(pairs, 'remember');
  if remember
    kept = pairs.remember;
    pairs = rmfield(pairs, 'remember');
  end
  if isfield(pairs, 'bridge') && ~any(strcmp(pairs.bridge, {'py', 'process'}))
    error('gmtoolbox:InputError', 'gm_setup: bridge must be ''py'' or ''process''');
  elseif isfield(pairs, 'python')
    pairs.python = gm_text('gm_setup', 'python', pairs.python);
    if strcmp(pairs.python, 'default')
      pairs.python = '';
    end
  end
  before = choose(pairs);
  try
    found = gm_call('hello', struct());
  catch problem
    choose(before);  % the Python that worked before still works
    rethrow(problem);
  end
  if remember
    remembered(kept, found.python);
  end
  tell_hidden(own, hidden);
  if nargout > 0
    about = found;
  else
    fprintf('gmtoolbox %s with %d methods, in %s\n', found.version, found.methods, found.python);
  end
end

function remembered(kept, python)
% Keep the Python for later sessions, or forget the one that was kept.
  if kept
    setpref('gmtoolbox', 'python', python);
  elseif ispref('gmtoolbox', 'python')
    rmpref('gmtoolbox', 'python');
  end
end

function files = found_elsewhere(own)
% The functions of the user's that are called instead of ours of the same names.
  files = {};
  for file = dir(fullfile(own, '*.m'))'
    [~, name] = fileparts(file.name);
    first = which(name);
    if exist(first, 'file') == 2 && ~is_folder(fileparts(first), own) && ~strcmp(name, 'Contents')
      files{end + 1} = first;  %#ok<AGROW>
    end
  end
end

function yes = is_folder(one, other)
% Whether two names are of one folder; Octave keeps relative ones.
  yes = strcmp(one, other);
  if ~yes && gm_is_octave()
    yes = strcmp(canonicalize_file_name(one), canonicalize_file_name(other));
  end
end

function tell_hidden(own, before)
% The originals have files of the same names: say which are called now, ours or theirs.
  after = found_elsewhere(own);
  if ~isempty(after)
    warning('gmtoolbox:Shadowed', '%d functions of gmtoolbox are hidden by other files on the path, the first by %s', ...
            numel(after), after{1});
  end
  hidden = before(~ismember(before, after));
  if ~isempty(hidden)
    warning('gmtoolbox:Shadowed', '%d functions of yours are hidden by those of gmtoolbox from now on, the first is %s', ...
            numel(hidden), hidden{1});
  end
end

function before = choose(pairs)
% Set the environment variables that say how to reach Python, and return their old values.
  before = pairs;
  for name = fieldnames(pairs)'
    variable = ['GMTOOLBOX_' upper(name{1})];
    before.(name{1}) = getenv(variable);
    setenv(variable, pairs.(name{1}));
    gm_server('stop');
  end
end

function add_to_path(folder)
  addpath(folder);
  if gm_is_octave()  % there 'addpath wrappers/matlab' is relative to wherever one goes
    for entry = strsplit(path(), pathsep())
      if ~strcmp(entry{1}, folder) && strcmp(canonicalize_file_name(entry{1}), canonicalize_file_name(folder))
        rmpath(entry{1});
      end
    end
  end
end
