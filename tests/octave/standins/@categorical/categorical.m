function made = categorical(texts)
% Stand-in for MATLAB's class of this name: an array of texts. DOUBLE of a categorical array numbers
% its own names in alphabetical order, as MATLAB does.
  made = class(struct('texts', {texts(:)}), 'categorical');
end
