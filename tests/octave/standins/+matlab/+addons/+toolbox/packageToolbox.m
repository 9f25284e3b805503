function packageToolbox(options)
% Stand-in for MATLAB's function: writes what it was given.
  save('-v7', options.OutputFile, '-struct', 'options');
end
