function n = numel(made, varargin)
  n = numel(made.texts);
end
