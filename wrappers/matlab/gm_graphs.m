function problem = gm_graphs(A, B, varargin)
%GM_GRAPHS  A graph matching problem from two graphs given by their adjacency matrices.
%   PROBLEM = GM_GRAPHS(A, B) asks for the matching with the largest weight of common edges,
%   the sum of A(i,j)*B(s,t) over pairs i,j matched to s,t. A is n1 x n1, B n2 x n2, full or
%   sparse. PROBLEM goes to GM_SOLVE and GM_SAVE.
%
%   GM_GRAPHS(A, B, NAME, VALUE, ...) sets
%     'similarity'   n1 x n2 reward of matching two nodes
%     'complete'     true: every node of the smaller graph must be matched (default true)
%     'seeds'        k x 2 pairs (1-based) that are known to match
%
%   Example
%     A = [0 1 1 0; 1 0 1 0; 1 1 0 1; 0 0 1 0]; order = [3 1 4 2];
%     [X, info] = gm_solve(gm_graphs(A, A(order, order)));
%
%   See also GM_SOLVE, GM_POINTS.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_graphs: give two adjacency matrices');
  end
  names = {'similarity', 'complete', 'seeds'};
  problem = gm_build('gm_graphs', 'graphs', {'A', 'B'}, {A, B}, gm_pairs('gm_graphs', varargin, names));
end

%!test
%! A = [0 1 1 0; 1 0 1 0; 1 1 0 1; 0 0 1 0]; order = [3 1 4 2];
%! [X, info] = gm_solve(gm_graphs(A, A(order, order)));
%! assert(info.value, 8)
