function found = gm_evaluate(answer, truth, varargin)
%GM_EVALUATE  Recall, precision and F1 of a matching whose truth is known.
%   FOUND = GM_EVALUATE(ANSWER, TRUTH) compares INFO of GM_SOLVE (or labels, or a matrix X) with the
%   true labels, or the true matrix X, or a problem or file that has a ground_truth. It returns
%     recall      correctly matched nodes among those that have a partner
%     precision   correct matches among all matches
%     f1          harmonic mean of the two
%     edge_correctness   edges of graph 1 that become edges of graph 2, NaN without a problem
%     correct, wrong, missed, spurious, unmatched, unknown   numbers of nodes
%     verdicts    n1 x 1 cell array, one of these words for each node
%   0 in TRUTH means that a node has no partner.
%
%   GM_EVALUATE(ANSWER, TRUTH, 'outliers', false): 0 means that its partner is not known.
%
%   Example
%     found = gm_evaluate([2 1 3 0], [2 1 4 3]);
%     fprintf('recall %.2f, precision %.2f\n', found.recall, found.precision);
%
%   See also GM_ACCURACY, GM_VERIFY, GM_SOLVE.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_evaluate: give an answer and the truth');
  end
  pairs = gm_pairs('gm_evaluate', varargin, {'outliers'});
  request = struct();
  arrays = struct('labels', gm_answer('gm_evaluate', 'ANSWER', answer));
  problems = {};
  if ischar(truth) || isa(truth, 'string')
    request.path = gm_text('gm_evaluate', 'TRUTH', truth);
  elseif isstruct(truth) && ~isfield(truth, 'labels')
    problems = {gm_problem('gm_evaluate', truth)};
  else
    arrays.truth = gm_answer('gm_evaluate', 'TRUTH', truth);
  end
  if isfield(pairs, 'outliers')
    request.outliers = pairs.outliers;
  end
  found = gm_call('evaluate_result', request, arrays, problems);
end

%!test
%! found = gm_evaluate([2 1 3 0], [2 1 4 3]);
%! assert(found.recall, 0.5); assert(found.precision, 2/3, 1e-12); assert(found.missed, 1)
%! assert(found.verdicts, {'correct'; 'correct'; 'wrong'; 'missed'})
%! assert(gm_evaluate(eye(3), [1 2 0]).spurious, 1)
%! assert(gm_evaluate(eye(3), [1 2 0], 'outliers', false).precision, 1)
%!error <one length> gm_evaluate([1 2], [1 2 3])
