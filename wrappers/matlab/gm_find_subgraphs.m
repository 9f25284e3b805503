function places = gm_find_subgraphs(A1, L1, A2, L2, varargin)
%GM_FIND_SUBGRAPHS  Every place of a pattern in a labelled graph.
%   PLACES = GM_FIND_SUBGRAPHS(A1, L1, A2, L2) has a row for every place of graph 1, the pattern,
%   in graph 2: PLACES(k, i) is the node of graph 2 that node i of the pattern becomes. Graphs and
%   labels are those of GM_EDIT_DISTANCE. A symmetric pattern is found once for every symmetry.
%
%   GM_FIND_SUBGRAPHS(A1, L1, A2, L2, NAME, VALUE, ...) sets
%     'induced'     true: nodes that are not joined in the pattern are not joined in graph 2
%                   (default false)
%     'limit'       stop after this many places
%     'time_limit'  seconds; gmtoolbox:TimeLimitError if the search takes longer
%
%   Example
%     triangle = ones(3) - eye(3);
%     places = gm_find_subgraphs(triangle, [], ones(4) - eye(4), []);
%     fprintf('%d triangles\n', size(places, 1) / 6);
%
%   See also GM_COMMON_SUBGRAPH, GM_EDIT_DISTANCE.
  if nargin < 4
    error('gmtoolbox:InputError', 'gm_find_subgraphs: give two adjacency matrices and their labels, [] for none');
  end
  request.settings = gm_pairs('gm_find_subgraphs', varargin, {'induced', 'limit', 'time_limit'});
  reply = gm_call('find_subgraphs', request, gm_two_graphs('gm_find_subgraphs', A1, L1, A2, L2));
  places = reply.places;
end

%!test
%! triangle = ones(3) - eye(3);
%! assert(size(gm_find_subgraphs(triangle, [], ones(4) - eye(4), [])), [24 3])
%! assert(size(gm_find_subgraphs(triangle, [], ones(4) - eye(4), [], 'limit', 5)), [5 3])
%! assert(gm_find_subgraphs([0 1; 1 0], 'CO', [0 1 0; 1 0 1; 0 1 0], 'OCC'), [2 1])
%! assert(isempty(gm_find_subgraphs(triangle, [], [0 1; 1 0], [])))
