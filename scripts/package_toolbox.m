function file = package_toolbox(target)
%PACKAGE_TOOLBOX  Make gmtoolbox.mltbx, a toolbox file for MATLAB's Add-Ons, from the folder wrappers/matlab.
%   FILE = PACKAGE_TOOLBOX(TARGET) writes it into the folder TARGET (default: the current one). It needs MATLAB >= R2023a.
  if nargin < 1
    target = pwd();
  end
  root = fileparts(fileparts(mfilename('fullpath')));
  folder = fullfile(root, 'wrappers', 'matlab');
  words = regexp(fileread(fullfile(folder, 'Contents.m')), '% Version (\S+)', 'tokens', 'once');
  options = matlab.addons.toolbox.ToolboxOptions(folder, '6a0f7a3e-6a3b-4c8a-9d7d-5b3f0f3d2c11');
  options.ToolboxName = 'gmtoolbox';
  options.ToolboxVersion = words{1};
  options.Summary = 'Graph matching: 24 methods behind one call';
  options.Description = ['Match points, graphs and networks, with proofs where time allows. ' ...
                         'Needs Python >= 3.11 with the package gmtoolbox.'];
  options.AuthorName = 'The gmtoolbox developers';
  options.ToolboxMatlabPath = {folder, fullfile(folder, 'examples')};
  options.ToolboxGettingStartedGuide = fullfile(folder, 'doc', 'GettingStarted.m');
  options.MinimumMatlabRelease = 'R2019b';
  file = fullfile(target, ['gmtoolbox-' words{1} '.mltbx']);
  options.OutputFile = file;
  matlab.addons.toolbox.packageToolbox(options);
end
