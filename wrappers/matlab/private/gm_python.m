function [python, origin] = gm_python()
%GM_PYTHON  The Python to use, and where it was found.
  python = getenv('GMTOOLBOX_PYTHON');
  origin = 'from GMTOOLBOX_PYTHON';
  if ~isempty(python)
    return
  end
  if ispref('gmtoolbox', 'python') && exist(getpref('gmtoolbox', 'python'), 'file')
    python = getpref('gmtoolbox', 'python');
    origin = 'remembered by gm_setup';
    return
  end
  python = gm_written_by();
  origin = 'it wrote this package';
  if ~isempty(python) && exist(python, 'file')
    return
  end
  python = installed_in(gm_root());
  origin = 'these files are installed in it';
  if isempty(python)
    names = {fullfile('bin', 'python'), fullfile('Scripts', 'python.exe')};
    python = fullfile(gm_root(), '.venv', names{1 + ispc()});
    origin = 'the environment made by scripts/demo';
  end
  if ~exist(python, 'file')
    names = {'python3', 'python'};  % Windows has no python3
    python = names{1 + ispc()};
    origin = 'from the PATH';
  end
end

function python = installed_in(package)
% The interpreter of the environment whose site-packages hold the package, or ''.
  python = '';
  [site, name] = fileparts(package);
  [~, last] = fileparts(site);
  if ~strcmp(name, 'gmtoolbox') || ~any(strcmp(last, {'site-packages', 'dist-packages'}))
    return
  end
  if ispc()  % ENV, Lib, site-packages
    environment = fileparts(fileparts(site));
    places = {fullfile(environment, 'Scripts', 'python.exe'), fullfile(environment, 'python.exe')};
  else  % ENV, lib, python3.x, site-packages; the dot in python3.x looks like a suffix
    [library, stem, suffix] = fileparts(fileparts(site));
    environment = fileparts(library);
    places = {fullfile(environment, 'bin', [stem suffix]), fullfile(environment, 'bin', 'python3')};
  end
  for place = places
    if exist(place{1}, 'file')
      python = place{1};
      return
    end
  end
end
