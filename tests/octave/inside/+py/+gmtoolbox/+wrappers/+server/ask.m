function value = ask(varargin)
  value = python_call('gmtoolbox.wrappers.server.ask', varargin{:});
end
