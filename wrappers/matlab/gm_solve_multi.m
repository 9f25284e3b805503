function [tracks, info] = gm_solve_multi(K, varargin)
%GM_SOLVE_MULTI  Match many graphs at once, consistently around every cycle.
%   TRACKS = GM_SOLVE_MULTI(K) matches d graphs. K is a d x d cell; K{g, h} with g < h is the
%   (n_g*n_h) x (n_g*n_h) affinity matrix of the graphs g and h, full or sparse, which is
%   maximised as in GM_SOLVE, or a problem made by GM_POINTS, GM_GRAPHS or GM_LOAD, or [] if
%   nothing may be matched. The other cells are [].
%   TRACKS is d x 1: TRACKS{g}(i) is the number of the track of node i of graph g. Nodes of one
%   track are matched to each other; a track has at most one node of each graph. Tracks are
%   numbered 1, 2, ... by first appearance, and a node without a match is a track of its own:
%   matchings need not be complete here, whatever a problem says.
%
%   TRACKS = GM_SOLVE_MULTI(FILE) solves a file of many graphs (dd, h5).
%
%   [TRACKS, INFO] = GM_SOLVE_MULTI(...) also returns a struct:
%     value    sum of the objectives of all pairs
%     bound    proven bound of the optimum
%     gap, status, time, n_iter, trace, method, options, seed   as in INFO of GM_SOLVE
%
%   GM_SOLVE_MULTI(K, NAME, VALUE, ...) sets
%     'time_limit'  seconds; the best answer so far is returned
%     'seed'        whole number that fixes the sequence of iterates (default 0)
%     'sizes'       nodes of each graph, if they differ
%     'sense'       'max' (default) or 'min', for matrices, and problems that do not state it
%     'bound'       'auto', 'pairs', 'cycles' or 'none': the work on the bound
%     'method'      'mgm' (default) or 'sync': match pairs by themselves, then make them agree
%     'maxiter'     limit on the units of work
%     'Display'     'iter' prints a line per improvement (default 'off')
%     'OutputFcn'   called at every improvement, as in GM_SOLVE
%
%   Example
%     P = rand(8, 2); K = cell(3);
%     for g = 1:2
%       for h = g+1:3
%         K{g, h} = gm_points(P + 0.01 * g, P + 0.01 * h, 'both', true);
%       end
%     end
%     [tracks, info] = gm_solve_multi(K);
%
%   See also GM_SOLVE, GM_POINTS, GM_GRAPHS.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_solve_multi: give a d x d cell, or a file');
  end
  names = {'time_limit', 'seed', 'sizes', 'sense', 'bound', 'method', 'maxiter', 'Display', 'OutputFcn'};
  pairs = gm_pairs('gm_solve_multi', varargin, names);
  [request, callback, pairs] = gm_watched('gm_solve_multi', struct(), pairs);
  request.settings = pairs;
  arrays = struct();
  problems = {};
  if isa(K, 'string') || ischar(K)
    request.path = gm_text('gm_solve_multi', 'file', K);
  else
    [request.d, arrays, problems] = pairs_of(K);
  end
  if isfield(request.settings, 'sizes')
    arrays.sizes = gm_matrix('gm_solve_multi', 'sizes', request.settings.sizes);
    request.settings = rmfield(request.settings, 'sizes');
  end
  if isfield(request.settings, 'sense')
    request.sense = gm_text('gm_solve_multi', 'sense', request.settings.sense);
    request.settings = rmfield(request.settings, 'sense');
  end
  reply = gm_call('solve_multi', request, arrays, problems, callback);
  tracks = reply.tracks;
  info = reply.info;
end

function [d, arrays, problems] = pairs_of(K)
% The cells above the diagonal: matrices as K_g_h, structs at place (g - 1) * d + h.
  d = size(K, 1);
  if ~iscell(K) || ndims(K) ~= 2 || size(K, 2) ~= d || d < 2
    error('gmtoolbox:InputError', 'gm_solve_multi: K must be a d x d cell with d >= 2, got a %s of size %s', class(K), mat2str(size(K)));
  end
  arrays = struct();
  problems = cell(1, d * d);
  for g = 1:d
    for h = 1:d
      if isempty(K{g, h})
        continue
      elseif h <= g
        error('gmtoolbox:InputError', 'gm_solve_multi: K{%d, %d} must be []: pairs stand above the diagonal', g, h);
      elseif isstruct(K{g, h})
        problems{(g - 1) * d + h} = gm_problem('gm_solve_multi', K{g, h});
      else
        arrays.(sprintf('K_%d_%d', g, h)) = gm_matrix('gm_solve_multi', sprintf('K{%d, %d}', g, h), K{g, h});
      end
    end
  end
end

%!shared K, M, order
%! order = {[1 2 3], [2 3 1], [3 1 2]}; K = cell(3); M = cell(3);
%! for g = 1:2
%!   for h = g+1:3
%!     X = double(order{g}' == order{h}); K{g, h} = diag(2 * X(:) - 1);
%!     M{g, h} = -K{g, h};
%!   end
%! end
%!test
%! [tracks, info] = gm_solve_multi(K);
%! assert(size(tracks), [3 1])
%! for g = 1:3, assert(tracks{g}(:)', order{g}), end
%! assert(info.value, 9); assert(info.bound, 9, 1e-6); assert(info.status, 'optimal')
%!test
%! [tracks, info] = gm_solve_multi(M, 'sense', 'min', 'sizes', [3 3 3], 'seed', 2, 'bound', 'pairs');
%! assert(tracks{2}(:)', order{2}); assert(info.value, -9); assert(info.seed, 2)
%!test
%! K{1, 3} = [];
%! tracks = gm_solve_multi(K);
%! assert(numel(intersect(tracks{1}, tracks{3})), 0)
%!test
%! P = [0 0; 4 0; 4 3; 1 5; 0 2]; C = cell(3);
%! for g = 1:2
%!   for h = g+1:3
%!     C{g, h} = gm_points(P(circshift(1:5, g), :), P(circshift(1:5, h), :), 'both', true);
%!   end
%! end
%! tracks = gm_solve_multi(C, 'time_limit', 20);
%! for g = 2:3, assert(tracks{g}(circshift(1:5, 1 - g)'), tracks{1}(:)), end
%!error <above the diagonal> gm_solve_multi({[], []; eye(4), []})
%!error <d x d cell> gm_solve_multi(eye(4))
%!error <K\{1, 2\}> gm_solve_multi({[], eye(5); [], []})
%!error <sizes must hold 2> gm_solve_multi({[], eye(4); [], []}, 'sizes', 3)
%!error <bound must be one of> gm_solve_multi(K, 'bound', 'magic')
