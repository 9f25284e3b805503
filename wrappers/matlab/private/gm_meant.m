function text = gm_meant(name, known)
%GM_MEANT  " (did you mean x?)" for the name among the known ones that is most like it, or ''.
%   Case and underscores do not count; of other names the one with at most a third of its letters
%   changed is taken.
  text = '';
  bare = lower(strrep(name, '_', ''));
  best = max(1, floor(numel(bare) / 3)) + 1;
  for one = known
    distance = changes(bare, lower(strrep(one{1}, '_', '')));
    if distance < best
      best = distance;
      text = sprintf(' (did you mean ''%s''?)', one{1});
    end
  end
end

function n = changes(a, b)
% The letters to be inserted, deleted or changed to make b of a.
  row = 0:numel(b);
  for i = 1:numel(a)
    above = row;
    row(1) = i;
    for j = 1:numel(b)
      row(j + 1) = min([above(j) + (a(i) ~= b(j)), above(j + 1) + 1, row(j) + 1]);
    end
  end
  n = row(end);
end
