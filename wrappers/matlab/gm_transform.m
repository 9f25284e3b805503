function problem = gm_transform(problem, transforms, varargin)
%GM_TRANSFORM  The study's transforms of a graph matching problem: _b, _bn, _bnz.
%   P = GM_TRANSFORM(P, '_bn') makes the costs of P bijective ('b': every node is matched, dummies
%   are added) and non-positive ('n'); 'z' moves costs of single pairs to edges. The names are
%   those of the study's files: car1_bn.mat. P is a problem of GM_LOAD, GM_POINTS or GM_GRAPHS, a
%   file, or a matrix K with 'Ct', 'shape', 'sense' and 'complete' (default true) of GM_SOLVE. The
%   result has K, Ct and the other variables of such a file. Differences of the objective between
%   matchings stay the same. GM_SOLVE applies the transforms that a method needs; use this to write
%   files for other programs.
%
%   Example
%     K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];
%     P = gm_transform(K, '_bn');
%     disp(full(max(P.K(:))))
%
%   See also GM_SAVE, GM_CONVERT.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_transform: give a problem and transforms such as ''_bn''');
  end
  [request, arrays, problems, pairs] = gm_request('gm_transform', problem, varargin);
  gm_refuse('gm_transform', request, arrays, pairs, {'Ct', 'shape', 'sense', 'complete', 'key'});
  request.transforms = gm_text('gm_transform', 'the transforms', transforms);
  problem = gm_call('transform_problem', request, arrays, problems);
end

%!test
%! K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5]; P = gm_transform(K, '_bnz');
%! assert(full(max(P.K(:))) <= 0); assert(nnz(diag(P.K)), 0)
%! [X, info] = gm_solve(P, 'fw'); assert(X, eye(2))
%! Q = gm_transform(K, '_b', 'complete', false); assert(size(Q.Ct), [4 4]); assert(Q.complete == 1)
%!error <letters of bnz> gm_transform(eye(4), '_x')
