function [python, origin] = gm_python()
%GM_PYTHON  The Python to use, and where it was found.
  python = getenv('GMTOOLBOX_PYTHON');
  origin = 'from GMTOOLBOX_PYTHON';
  if ~isempty(python)
    return
  end
  names = {fullfile('bin', 'python'), fullfile('Scripts', 'python.exe')};
  python = fullfile(gm_root(), '.venv', names{1 + ispc()});
  origin = 'the environment made by scripts/demo';
  if ~exist(python, 'file')
    names = {'python3', 'python'};  % Windows has no python3
    python = names{1 + ispc()};
    origin = 'from the PATH';
  end
end
