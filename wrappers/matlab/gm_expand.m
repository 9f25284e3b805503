function problem = gm_expand(problem, varargin)
%GM_EXPAND  Write out the matrices of a graph matching problem: K, Ct and, of costs, the factors.
%   P = GM_EXPAND(P) takes a problem of GM_POINTS, GM_GRAPHS or GM_LOAD, which has its
%   parts (points, adjacency matrices, factors), and returns the struct with K and Ct that GM_LOAD
%   makes of a .mat file; see there. K has (n1*n2)^2 entries: for large problems, which can be
%   solved without it, this is an error.
%
%   P = GM_EXPAND(FILE, NAME, VALUE, ...) reads a file as GM_LOAD does; P = GM_EXPAND(K, ...) takes
%   a matrix with 'Ct', 'shape', 'sense' and 'complete' (default true) of GM_SOLVE.
%
%   Example
%     P = gm_expand(gm_graphs([0 1; 1 0], [0 2; 2 0]));
%     full(P.K)
%
%   See also GM_LOAD, GM_POINTS, GM_GRAPHS.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_expand: give a problem');
  end
  [request, arrays, problems, pairs] = gm_request('gm_expand', problem, varargin);
  gm_refuse('gm_expand', request, arrays, pairs, {'Ct', 'shape', 'sense', 'complete', 'key'});
  problem = gm_call('expand_problem', request, arrays, problems);
end

%!test
%! P = gm_expand(gm_graphs([0 1; 1 0], [0 2; 2 0]));
%! assert(full(P.K), [0 0 0 2; 0 0 2 0; 0 2 0 0; 2 0 0 0]); assert(P.sense, 'max')
