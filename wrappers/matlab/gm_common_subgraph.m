function [labels, info] = gm_common_subgraph(A1, L1, A2, L2, varargin)
%GM_COMMON_SUBGRAPH  Largest subgraph that two labelled graphs have in common.
%   LABELS = GM_COMMON_SUBGRAPH(A1, L1, A2, L2) has for every node of graph 1 the node of graph 2
%   that is the same in the common subgraph, 0 for none. Graphs and labels are those of
%   GM_EDIT_DISTANCE; nodes and edges with different labels are never the same.
%
%   [LABELS, INFO] = GM_COMMON_SUBGRAPH(...) also returns
%     size     its edges, or its nodes if 'kind' is 'induced'
%     bound    no common subgraph is larger
%     value, gap, status, time   as in INFO of GM_SOLVE
%
%   GM_COMMON_SUBGRAPH(A1, L1, A2, L2, NAME, VALUE, ...) sets
%     'kind'        'edge' (default): the most common edges; 'induced': the most common nodes
%                   between which both graphs have the same edges
%     'connected'   true: only connected subgraphs count (default false)
%     'time_limit'  seconds; the best answer so far is returned
%     'seed'        fixes the sequence of iterates (default 0)
%     'n_jobs'      threads (default 1)
%
%   Example
%     path4 = diag([1 1 1], 1) + diag([1 1 1], -1);
%     triangle = ones(3) - eye(3);
%     [labels, info] = gm_common_subgraph(path4, [], triangle, []);
%
%   See also GM_FIND_SUBGRAPHS, GM_EDIT_DISTANCE.
  if nargin < 4
    error('gmtoolbox:InputError', 'gm_common_subgraph: give two adjacency matrices and their labels, [] for none');
  end
  names = {'kind', 'connected', 'time_limit', 'seed', 'n_jobs'};
  request.settings = gm_pairs('gm_common_subgraph', varargin, names);
  info = gm_call('common_subgraph', request, gm_two_graphs('gm_common_subgraph', A1, L1, A2, L2));
  labels = info.labels;
  info = rmfield(info, 'labels');
end

%!test
%! path4 = diag([1 1 1], 1) + diag([1 1 1], -1); triangle = ones(3) - eye(3);
%! [labels, info] = gm_common_subgraph(path4, [], triangle, []);
%! assert(info.size, 2); assert(nnz(labels), 3); assert(info.status, 'optimal')
%! [labels, info] = gm_common_subgraph(path4, [], triangle, [], 'kind', 'induced', 'connected', true);
%! assert(info.size, 2)
%! [labels, info] = gm_common_subgraph(path4, {'C', 'C', 'C', 'O'}, path4, {'C', 'O', 'C', 'C'});
%! assert(info.size, 2)
%!error <kind must be> gm_common_subgraph(1, [], 1, [], 'kind', 'large')
