function value = gm_accuracy(labels, truth)
%GM_ACCURACY  Fraction of rightly matched nodes among those whose match is known.
%   VALUE = GM_ACCURACY(LABELS, TRUTH) compares INFO.labels (or INFO, or a matrix X) with the
%   right labels, 1-based; 0 in TRUTH means unknown. NaN if nothing is known.
%
%   Example
%     gm_accuracy([2 1 3], [2 1 0])
%
%   See also GM_SOLVE.
  if isstruct(labels) && isfield(labels, 'labels')
    labels = labels.labels;
  elseif ~isvector(labels)
    [there, best] = max(labels, [], 2);
    labels = best .* (there > 0);
  end
  labels = full(labels(:));
  truth = full(truth(:));
  if numel(labels) ~= numel(truth)
    error('gmtoolbox:InputError', 'gm_accuracy: labels and truth must have one length, got %d and %d', numel(labels), numel(truth));
  end
  known = truth > 0;
  if any(known)
    value = nnz(labels(known) == truth(known)) / nnz(known);
  else
    value = nan(1);
  end
end

%!assert(gm_accuracy([2 1 3], [2 1 0]), 1)
%!assert(gm_accuracy([2; 1; 3], [2 3 3]), 2/3)
%!assert(gm_accuracy(eye(2), [1 2]), 1)
%!assert(isnan(gm_accuracy([1 2], [0 0])))
