function value = import_module(varargin)
  value = python_call('importlib.import_module', varargin{:});
end
