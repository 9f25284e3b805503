function labels = gm_answer(caller, name, answer)
%GM_ANSWER  The labels of INFO, of labels or of a matrix X, as a numeric matrix.
  if isstruct(answer)
    if ~isscalar(answer) || ~isfield(answer, 'labels')
      error('gmtoolbox:InputError', '%s: %s must be INFO of gm_solve, labels or a matrix X, got a struct without labels', caller, name);
    end
    answer = answer.labels;
  end
  labels = gm_matrix(caller, name, answer);
end
