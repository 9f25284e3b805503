function about = gm_setup(varargin)
%GM_SETUP  Put gmtoolbox on the path and start its Python process.
%   GM_SETUP finds Python, starts it and says what it found. Looked at, in this order:
%   the environment variable GMTOOLBOX_PYTHON, the environment made by scripts/demo
%   (.venv beside the folder wrappers), python3 on the PATH. Calling it is optional once
%   the folder is on the path: the first call of any function starts Python.
%
%   GM_SETUP('python', FILE) uses that Python, from now on.
%   GM_SETUP('bridge', 'py') uses the Python inside MATLAB (see PYENV) instead of a process;
%   GM_SETUP('bridge', 'process') goes back. MATLAB >= R2022b; see docs/matlab.md.
%   GM_SETUP('stop') ends the Python process; the next call starts a new one.
%   ABOUT = GM_SETUP(...) returns a struct (version, python, pid, methods) and prints nothing.
%
%   Example, in a new session
%     addpath('gmtoolbox/wrappers/matlab')
%     gm_setup
%
%   See also GM_SOLVE.
  addpath(fileparts(mfilename('fullpath')));
  if nargin == 1 && strcmp(varargin{1}, 'stop')
    gm_server('stop');
    return
  end
  pairs = gm_pairs('gm_setup', varargin, {'python', 'bridge'});
  for name = fieldnames(pairs)'
    value = gm_text('gm_setup', name{1}, pairs.(name{1}));
    if strcmp(name{1}, 'bridge') && ~any(strcmp(value, {'py', 'process'}))
      error('gmtoolbox:InputError', 'gm_setup: bridge must be ''py'' or ''process'', got ''%s''', value);
    end
    setenv(['GMTOOLBOX_' upper(name{1})], value);
    gm_server('stop');
  end
  found = gm_call('hello', struct());
  if nargout > 0
    about = found;
  else
    fprintf('gmtoolbox %s with %d methods, in %s\n', found.version, found.methods, found.python);
  end
end
