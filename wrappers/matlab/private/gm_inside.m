function varargout = gm_inside(action, verb, callback)
%GM_INSIDE  The calls of gm_server, answered by the Python inside MATLAB (py.): no process, no pipes.
%   stem = gm_inside('begin')                begin a call, whose files are stem.in.mat, ...
%   [id, message] = gm_inside('ask', verb, callback)   run it; id is empty after success.
%                                            callback must be []: Python could not call it
%   gm_inside('end')                         remove the files of the call
%   Only texts go through py.; arrays travel as files here, too. The folder lives as long as
%   the call, since Python does not notice that MATLAB ends.
  persistent folder loaded
  switch action
    case 'begin'
      if isempty(loaded)
        load_python();
        loaded = true;
      end
      folder = char(py.tempfile.mkdtemp(pyargs('prefix', 'gmtoolbox-')));  % for this user only
      varargout = {fullfile(folder, '1')};
    case 'ask'
      if ~isempty(callback)
        error('gmtoolbox:InputError', 'OutputFcn needs the Python process: gm_setup(''bridge'', ''process'')');
      end
      [varargout{1:2}] = gm_failure(char(py.gmtoolbox.wrappers.server.ask(verb, fullfile(folder, '1'))));
    case 'end'
      gm_rmdir(folder);
      folder = '';
  end
end

function load_python()
  if ~exist('pyenv')  %#ok<EXIST>
    error('gmtoolbox:NoPython', ['There is no Python inside this program: the bridge ''py'' is for MATLAB.\n' ...
          'gm_setup(''bridge'', ''process'') goes back to a Python process.']);
  end
  environment = pyenv();
  python = gm_python();
  if strcmp(char(environment.Status), 'NotLoaded') && exist(python, 'file')
    environment = pyenv('Version', python);
  end
  try
    py.site.addsitedir(gm_root());  % a source tree that is not installed is found last
    py.importlib.import_module('gmtoolbox.wrappers.server');
  catch problem
    error('gmtoolbox:NoPython', ['The Python inside MATLAB has no gmtoolbox.\n  tried: %s (pyenv)\n  it said: %s\n' ...
          'Install the package there, or choose another Python with pyenv(''Version'', FILE) in a new session (Python >= 3.11,\n' ...
          'which wants MATLAB >= R2022b), or go back to a Python process with gm_setup(''bridge'', ''process'').'], ...
          char(environment.Executable), problem.message);
  end
end
