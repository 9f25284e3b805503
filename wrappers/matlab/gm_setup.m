function about = gm_setup(varargin)
%GM_SETUP  Put gmtoolbox on the path and start its Python process.
%   GM_SETUP finds Python, starts it and says what it found. Looked at, in this order:
%   the environment variable GMTOOLBOX_PYTHON, the environment made by scripts/demo
%   (.venv beside the folder wrappers), python3 on the PATH. Calling it is optional once
%   the folder is on the path: the first call of any function starts Python.
%
%   GM_SETUP('python', FILE) uses that Python, from now on.
%   GM_SETUP('stop') ends the Python process; the next call starts a new one.
%   ABOUT = GM_SETUP(...) returns a struct (version, python, pid, methods) and prints nothing.
%
%   Example, in a new session
%     addpath('gmtoolbox/wrappers/matlab')
%     gm_setup
%
%   See also GM_SOLVE.
  addpath(fileparts(mfilename('fullpath')));
  stopping = nargin == 1 && ischar(varargin{1}) && strcmp(varargin{1}, 'stop');
  if stopping
    gm_server('stop');
    return
  end
  pairs = gm_pairs('gm_setup', varargin, {'python'});
  if isfield(pairs, 'python')
    setenv('GMTOOLBOX_PYTHON', gm_text('gm_setup', 'python', pairs.python));
    gm_server('stop');
  end
  found = gm_call('hello', struct());
  if nargout > 0
    about = found;
  else
    fprintf('gmtoolbox %s with %d methods, in %s\n', found.version, found.methods, found.python);
  end
end
