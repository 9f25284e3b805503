function named = pyargs(varargin)
% Keyword arguments for python_call.
  named = struct(varargin{:});
end
