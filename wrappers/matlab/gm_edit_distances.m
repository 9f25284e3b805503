function [D, info] = gm_edit_distances(graphs, varargin)
%GM_EDIT_DISTANCES  Edit distances between each two of many labelled graphs.
%   D = GM_EDIT_DISTANCES(GRAPHS) is the n x n matrix of the distances of n graphs. GRAPHS is
%   an n x 2 cell array {A1, L1; A2, L2; ...} of adjacency matrices and labels as in
%   GM_EDIT_DISTANCE, or an n x 1 cell array {A1; A2; ...} of graphs without labels.
%   D(i, j) is the cost of the best edit path found, and Inf if the distance is proven to be more
%   than 'upper_bound'.
%
%   [D, INFO] = GM_EDIT_DISTANCES(...) also returns
%     bounds   n x n, the distances are at least this
%     proven   n x n logical, whether D is the distance
%     time     seconds
%
%   GM_EDIT_DISTANCES(GRAPHS, NAME, VALUE, ...) sets
%     'costs', 'upper_bound', 'seed'   as in GM_EDIT_DISTANCE
%     'time_limit'   seconds of each pair
%     'n_jobs'       processes (default 1; -1: one for each processor)
%     'store'        file that collects the pairs; the same call continues it
%     'resume'       false: ignore the stored pairs and solve all again
%
%   Example
%     path4 = diag([1 1 1], 1) + diag([1 1 1], -1);
%     cycle = path4; cycle(1, 4) = 1; cycle(4, 1) = 1;
%     D = gm_edit_distances({path4; cycle})
%
%   See also GM_EDIT_DISTANCE, GM_COMMON_SUBGRAPH.
  if nargin < 1 || ~iscell(graphs) || isempty(graphs) || ndims(graphs) ~= 2
    error('gmtoolbox:InputError', 'gm_edit_distances: give a cell array of adjacency matrices, and of their labels in a second column');
  end
  if size(graphs, 1) == 1 && size(graphs, 2) > 2
    graphs = reshape(graphs, [], 1);  % a row of matrices
  elseif size(graphs, 2) > 2
    error('gmtoolbox:InputError', 'gm_edit_distances: GRAPHS must have one or two columns, got %d', size(graphs, 2));
  end
  n = size(graphs, 1);
  names = {'costs', 'upper_bound', 'time_limit', 'seed', 'n_jobs', 'store', 'resume'};
  request.settings = gm_pairs('gm_edit_distances', varargin, names);
  request.d = n;
  arrays = struct();
  for k = 1:n
    arrays.(sprintf('A%d', k)) = gm_matrix('gm_edit_distances', sprintf('GRAPHS{%d, 1}', k), graphs{k, 1});
  end
  if size(graphs, 2) == 2 && ~all(cellfun(@isempty, graphs(:, 2)))
    named = arrayfun(@(k) sprintf('GRAPHS{%d, 2}', k), 1:n, 'UniformOutput', false);
    labels = cell(1, n);
    [labels{:}] = gm_labels('gm_edit_distances', graphs(:, 2)', named);
    for k = 1:n
      arrays.(sprintf('labels%d', k)) = labels{k};
    end
  end
  info = gm_call('edit_distances', request, arrays);
  D = info.distances;
  info = rmfield(info, 'distances');
end

%!test
%! path4 = diag([1 1 1], 1) + diag([1 1 1], -1); cycle = path4; cycle(1, 4) = 1; cycle(4, 1) = 1;
%! [D, info] = gm_edit_distances({path4; cycle; path4(1:3, 1:3)});
%! assert(D, [0 1 2; 1 0 3; 2 3 0]); assert(all(info.proven(:)))
%! assert(gm_edit_distances({path4, {'C', 'C', 'C', 'O'}; path4, {'C', 'C', 'C', 'N'}}), [0 1; 1 0])
%! assert(gm_edit_distances({path4; cycle; path4(1:3, 1:3)}, 'upper_bound', 2)(2, 3), Inf)
%!error <one or two columns> gm_edit_distances(cell(2, 3))
%!error <numeric matrix> gm_edit_distances({'a'; 'b'})
