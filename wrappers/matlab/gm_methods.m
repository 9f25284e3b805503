function methods = gm_methods(method)
%GM_METHODS  List the methods that GM_SOLVE knows.
%   GM_METHODS prints a table; GM_METHODS(METHOD) prints one method with its options.
%
%   M = GM_METHODS returns a struct array with the fields
%     name, family, summary, paper
%     needs       cell array: transforms of the input, e.g. 'bijective'
%     has_bound   whether the method proves a bound
%     takes_init  whether it takes a warm start ('init' of GM_SOLVE)
%     options     struct array: name, type, default ([] = none), rule, doc
%   M = GM_METHODS(METHOD) returns that one record.
%
%   Example
%     m = gm_methods; disp({m.name})
%
%   See also GM_SOLVE.
  request = struct();
  if nargin > 0
    request.method = gm_text('gm_methods', 'method', method);
  end
  reply = gm_call('methods', request);
  found = reply.methods;
  if nargout > 0
    methods = found;
  elseif nargin > 0
    show_method(found);
  else
    fprintf('%-10s %-6s %s\n', 'method', 'bound', 'summary');
    for k = 1:numel(found)
      fprintf('%-10s %-6s %s\n', found(k).name, yes_no(found(k).has_bound), found(k).summary);
    end
  end
end

function show_method(m)
  fprintf('%s: %s\n  paper: %s\n  bound: %s, warm start: %s\n', m.name, m.summary, m.paper, yes_no(m.has_bound), yes_no(m.takes_init));
  for k = 1:numel(m.options)
    option = m.options(k);
    if ischar(option.default)
      default = ['''' option.default ''''];
    elseif isempty(option.default)
      default = 'none';
    else
      default = num2str(option.default);
    end
    fprintf('  %-16s %s %s (default %s): %s\n', option.name, option.type, option.rule, default, option.doc);
  end
end

function word = yes_no(value)
  words = {'no', 'yes'};
  word = words{1 + (value ~= 0)};
end
