function value = gm_accuracy(labels, truth)
%GM_ACCURACY  Fraction of correctly matched nodes among those whose match is known.
%   VALUE = GM_ACCURACY(LABELS, TRUTH) compares INFO.labels (or INFO, or a matrix X) with the
%   true labels, 1-based, or with the true matrix X; 0 in TRUTH means unknown. NaN if nothing is
%   known.
%
%   Example
%     gm_accuracy([2 1 3], [2 1 0])
%
%   See also GM_EVALUATE, GM_SOLVE.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_accuracy: give labels and the truth');
  end
  labels = labels_of(gm_answer('gm_accuracy', 'LABELS', labels));
  truth = labels_of(gm_answer('gm_accuracy', 'TRUTH', truth));
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

function labels = labels_of(answer)
% Labels as they are, those of a matrix X by the place of the one in each row.
  if min(size(answer)) > 1
    [there, best] = max(full(answer), [], 2);
    answer = best .* (there > 0);
  end
  labels = full(answer(:));
end

%!assert(gm_accuracy([2 1 3], [2 1 0]), 1)
%!assert(gm_accuracy([2; 1; 3], [2 3 3]), 2/3)
%!assert(gm_accuracy(eye(2), [1 2]), 1)
%!assert(gm_accuracy(eye(2), [0 1; 1 0]), 0)
%!assert(isnan(gm_accuracy([1 2], [0 0])))
