function environment = pyenv(varargin)
% The stand-in's Python: not loaded until a version is chosen.
  persistent version
  if nargin == 2
    assert(varargin{1}, 'Version')
    version = varargin{2};
  end
  states = {'NotLoaded', 'Loaded'};
  environment = struct('Executable', version, 'Status', states{1 + ~isempty(version)});
end
