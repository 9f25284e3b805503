function pairs = gm_pairs(caller, list, known)
%GM_PAIRS  {name, value, ...} or {struct} as a struct; an empty value means the default.
%   known, if given, lists the names that are allowed.
  if numel(list) == 1 && isstruct(list{1}) && isscalar(list{1})
    list = [fieldnames(list{1}) struct2cell(list{1})]';
  end
  if mod(numel(list), 2) ~= 0
    error('gmtoolbox:InputError', '%s: what follows must be pairs of a name and a value, got %d arguments', caller, numel(list));
  end
  pairs = struct();
  for k = 1:2:numel(list)
    name = gm_text(caller, sprintf('name %d of the name-value pairs', (k + 1) / 2), list{k});
    if ~isvarname(name)
      error('gmtoolbox:InputError', '%s: ''%s'' cannot be the name of an option', caller, name);
    elseif nargin > 2 && ~any(strcmp(name, known))
      error('gmtoolbox:OptionError', '%s: ''%s'' is no argument of %s; it has %s', caller, name, caller, strjoin(known, ', '));
    elseif isfield(pairs, name)
      error('gmtoolbox:InputError', '%s: ''%s'' is given twice', caller, name);
    end
    value = list{k + 1};
    if isa(value, 'string') && numel(value) == 1
      value = char(value);
    end
    if ~isempty(value)
      pairs.(name) = value;
    end
  end
end
