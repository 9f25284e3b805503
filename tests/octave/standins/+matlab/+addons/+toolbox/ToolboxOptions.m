function options = ToolboxOptions(folder, identifier)
% Stand-in for MATLAB's class: the fields that are set are seen by packageToolbox.
  options = struct('ToolboxFolder', folder, 'Identifier', identifier);
end
