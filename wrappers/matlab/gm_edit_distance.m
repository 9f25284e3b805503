function [distance, info] = gm_edit_distance(A1, L1, A2, L2, varargin)
%GM_EDIT_DISTANCE  Edit distance of two labelled graphs, with a proof.
%   DISTANCE = GM_EDIT_DISTANCE(A1, L1, A2, L2) is the least cost of turning graph 1 into
%   graph 2. A1 and A2 are adjacency matrices, full or sparse; entries other than 0 are edges and
%   label them. L1 and L2 label the nodes: numbers, or texts (a cell array, a string array or a
%   categorical array, which are compared by name, or a char with one letter per node), or [] for
%   none. Deleting, inserting and relabelling a node or an edge costs 1 each. A matrix that is not symmetric is
%   a directed graph. DISTANCE is NaN if it is not proven, or more than 'upper_bound'.
%
%   [DISTANCE, INFO] = GM_EDIT_DISTANCE(...) also returns
%     labels    for every node of graph 1 the node of graph 2 that it becomes, 0: it is deleted
%     value     cost of the best edit path found
%     bound     no path costs less
%     gap, status, time   as in INFO of GM_SOLVE
%
%   GM_EDIT_DISTANCE(A1, L1, A2, L2, NAME, VALUE, ...) sets
%     'costs'        'unit', 'unlabelled', 'chem1', 'chem2', or four numbers: node, node relabelled, edge, edge relabelled
%     'upper_bound'  it is enough to know whether the distance is at most this
%     'time_limit'   seconds
%     'seed'         fixes the sequence of iterates (default 0)
%
%   Example
%     A = [0 1 0; 1 0 2; 0 2 0];
%     d = gm_edit_distance(A, {'C', 'C', 'O'}, A, {'C', 'C', 'N'})
%
%   See also GM_EDIT_DISTANCES, GM_COMMON_SUBGRAPH, GM_GRAPHS.
  if nargin < 4
    error('gmtoolbox:InputError', 'gm_edit_distance: give two adjacency matrices and their labels, [] for none');
  end
  request.settings = gm_pairs('gm_edit_distance', varargin, {'costs', 'upper_bound', 'time_limit', 'seed'});
  info = gm_call('edit_distance', request, gm_two_graphs('gm_edit_distance', A1, L1, A2, L2));
  distance = info.distance;
  info = rmfield(info, 'distance');
end

%!test
%! A = [0 1 0; 1 0 2; 0 2 0];
%! [d, info] = gm_edit_distance(A, {'C', 'C', 'O'}, A, {'C', 'C', 'N'});
%! assert(d, 1)
%! assert(info.labels(:)', [1 2 3])
%! assert(info.status, 'optimal')
%! assert(gm_edit_distance(A, [], A(1:2, 1:2), []), 2)
%! assert(gm_edit_distance(A, [6 6 8], A, [6 6 7], 'costs', 'chem1'), 2)
%! assert(gm_edit_distance(A, [6 6 8], A, [6 6 7], 'costs', [1 0.5 1 1]), 0.5)
%! assert(isnan(gm_edit_distance(A, [6 6 8], A, [7 7 7], 'upper_bound', 1)))
%! assert(gm_edit_distance(A, 'CCO', A, {'C'; 'C'; 'N'}), 1)
%!error <one label> gm_edit_distance([0 1; 1 0], [1 2 3], [0 1; 1 0], [1 2])
%!error <all be texts> gm_edit_distance([0 1; 1 0], {'a', 'b'}, [0 1; 1 0], [1 2])
