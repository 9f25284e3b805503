function value = addsitedir(varargin)
  value = python_call('site.addsitedir', varargin{:});
end
