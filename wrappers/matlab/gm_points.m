function problem = gm_points(P, Q, varargin)
%GM_POINTS  A graph matching problem from two point sets.
%   PROBLEM = GM_POINTS(P, Q) joins the points P (n1 x d) and Q (n2 x d) by Delaunay
%   triangulations and asks for the matching that keeps distances best. PROBLEM goes to
%   GM_SOLVE, GM_SAVE, GM_BATCH and GM_PLOT. Points are rows: if P is 2 x n or 3 x n with n > 3,
%   the warning gmtoolbox:Shape says to give P.'.
%
%   GM_POINTS(P, Q, NAME, VALUE, ...) sets
%     'F1', 'F2'            descriptors of the points, one row each
%     'metric'              'euclidean', 'cosine' or 'hamming'. Default: 'hamming' for uint8 rows
%                           of 16, 32, 61 or 64 bytes (ORB, BRISK, FREAK, AKAZE), else 'euclidean'
%     'edges1', 'edges2'    m x 2 pairs of joined points (1-based), or 'delaunay', 'knn', 'full'
%     'candidates'          N x 2 pairs (1-based) that may be matched
%     'k'                   number of candidates per point, by descriptors
%     'complete'            true: every point of the smaller set must be matched. Default: true
%                           without descriptors, candidates and k (all pairs are allowed), else
%                           false
%     'seeds'               m x 2 pairs (1-based) that are known to match
%     'unmatched'           cost of leaving a point unmatched: more of it means more matches
%     'geometry'            with descriptors: 'similarity', 'affine', 'local', 'length' or 'none'
%     'unary'               weight of the descriptors (default 0.5)
%     'width', 'both'       of the formula exp(-(d1 - d2)^2 / width) for lengths, and whether each
%                           edge is compared in both directions (default true)
%
%   Example
%     P = rand(10, 2); Q = P(randperm(10), :);
%     [X, info] = gm_solve(gm_points(P, Q));
%
%   See also GM_SOLVE, GM_GRAPHS, GM_PLOT.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_points: give two point sets');
  end
  names = {'F1', 'F2', 'edges1', 'edges2', 'candidates', 'k', 'width', 'both', 'complete', 'unmatched', 'metric', ...
           'seeds', 'geometry', 'unary'};
  problem = gm_build('gm_points', 'points', {'P', 'Q'}, {P, Q}, gm_pairs('gm_points', varargin, names));
end

%!test
%! P = [0 0; 4 0; 4 3; 1 5; 0 2]; order = [3 1 5 2 4];
%! [X, info] = gm_solve(gm_points(P, P(order, :), 'edges1', nchoosek(1:5, 2), 'edges2', nchoosek(1:5, 2), 'both', true));
%! assert(order(info.labels), 1:5)
