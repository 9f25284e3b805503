function pairs = gm_pairs(caller, list, known)
%GM_PAIRS  {struct, name, value, ...} as a struct; an empty value means the default.
%   A struct of options may stand before the pairs, which then override it.
%   known, if given, lists the names that are allowed; letters may be of either case.
  if nargin < 3
    known = {};
  end
  start = struct();
  while ~isempty(list) && isstruct(list{1}) && isscalar(list{1})
    for name = fieldnames(list{1})'
      start.(name{1}) = list{1}.(name{1});
    end
    list = list(2:end);
  end
  if mod(numel(list), 2) ~= 0
    if ischar(list{end}) && (isempty(known) || any(strcmpi(list{end}, known)))
      error('gmtoolbox:InputError', '%s: ''%s'' needs a value: give pairs of a name and a value', caller, list{end});
    end
    error('gmtoolbox:InputError', '%s: the other arguments must be pairs of a name and a value, got %d arguments', caller, numel(list));
  end
  pairs = struct();
  for name = fieldnames(start)'
    pairs = with_pair(pairs, caller, name{1}, start.(name{1}), known);
  end
  seen = {};
  for k = 1:2:numel(list)
    name = gm_text(caller, sprintf('name %d of the name-value pairs', (k + 1) / 2), list{k});
    if ~isvarname(name)
      error('gmtoolbox:InputError', '%s: ''%s'' cannot be the name of an option', caller, name);
    elseif any(strcmpi(name, seen))
      error('gmtoolbox:InputError', '%s: ''%s'' is given twice', caller, name);
    end
    seen{end + 1} = name;  %#ok<AGROW>
    pairs = with_pair(pairs, caller, name, list{k + 1}, known);
  end
end

function pairs = with_pair(pairs, caller, name, value, known)
  if ~isempty(known)
    found = known(strcmpi(name, known));
    if isempty(found)
      error('gmtoolbox:OptionError', '%s: ''%s'' is not an argument of %s%s; it has %s', caller, name, caller, ...
            gm_meant(name, known), strjoin(known, ', '));
    end
    name = found{1};
  end
  if isa(value, 'string') && numel(value) == 1
    value = char(value);
  end
  if isempty(value)
    if isfield(pairs, name)
      pairs = rmfield(pairs, name);
    end
  else
    pairs.(name) = value;
  end
end
