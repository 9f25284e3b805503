function value = mkdtemp(varargin)
  value = python_call('tempfile.mkdtemp', varargin{:});
end
