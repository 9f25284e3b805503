function varargout = gm_labels(caller, lists, names)
%GM_LABELS  The node labels of several graphs as numbers: equal names, equal numbers.
%   Names are cell arrays of texts, string and categorical arrays, and chars (a letter per node).
%   The numbers inside a categorical array are never compared: two arrays number their names
%   differently.
%   lists   cell array with the labels of each graph
%   names   their names in messages
  without = cellfun(@(L) isempty(L) && (isnumeric(L) || iscell(L) || ischar(L)), lists);
  lists(without) = {zeros(0, 1)};
  texts = cellfun(@is_text, lists);
  if all(texts)
    columns = cell(1, numel(lists));
    for k = 1:numel(lists)
      columns{k} = texts_of(caller, names{k}, lists{k});
    end
    [~, ~, number] = unique(vertcat(columns{:}));
    last = 0;
    for k = 1:numel(lists)
      lists{k} = number(last + 1:last + numel(columns{k}));
      last = last + numel(columns{k});
    end
  elseif any(texts)
    error('gmtoolbox:InputError', '%s: %s must all be texts or all numbers', caller, strjoin(names, ' and '));
  end
  varargout = cell(1, numel(lists));
  for k = 1:numel(lists)
    varargout{k} = numbers_of(caller, names{k}, lists{k});
  end
end

function yes = is_text(L)
  yes = iscell(L) || ischar(L) || isa(L, 'string') || isa(L, 'categorical');
end

function list = texts_of(caller, name, L)
% A column of texts.
  if iscell(L) && ~iscellstr(L)
    error('gmtoolbox:InputError', '%s: %s must be a cell array of texts', caller, name);
  end
  list = reshape(cellstr(L(:)), [], 1);
end

function L = numbers_of(caller, name, L)
  if ~isnumeric(L) && ~islogical(L)
    error('gmtoolbox:InputError', '%s: %s must be labels of the nodes, got a %s', caller, name, class(L));
  end
  L = double(L(:));
end
