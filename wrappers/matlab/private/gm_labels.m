function [L1, L2] = gm_labels(caller, L1, L2)
%GM_LABELS  The node labels of two graphs as numbers: equal names, equal numbers.
%   Names are cell arrays of texts, string and categorical arrays, and chars (a letter per node).
%   The numbers inside a categorical array are never compared: two arrays number their names
%   differently.
  texts = [is_text(L1), is_text(L2)];
  if all(texts)
    n = numel(L1);
    [~, ~, number] = unique([names(caller, 'L1', L1); names(caller, 'L2', L2)]);
    L1 = number(1:n);
    L2 = number(n + 1:end);
  elseif any(texts)
    error('gmtoolbox:InputError', '%s: L1 and L2 must both be texts or both numbers', caller);
  end
  L1 = numbers(caller, 'L1', L1);
  L2 = numbers(caller, 'L2', L2);
end

function yes = is_text(L)
  yes = iscell(L) || ischar(L) || isa(L, 'string') || isa(L, 'categorical');
end

function list = names(caller, name, L)
% A column of texts.
  if iscell(L) && ~iscellstr(L)
    error('gmtoolbox:InputError', '%s: %s must be a cell array of texts', caller, name);
  end
  list = cellstr(L(:));
  list = list(:);
end

function L = numbers(caller, name, L)
  if ~isempty(L) && ~isnumeric(L) && ~islogical(L)
    error('gmtoolbox:InputError', '%s: %s must be labels of the nodes, got a %s', caller, name, class(L));
  end
  L = double(L(:));
end
