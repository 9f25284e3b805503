function handles = gm_plot(varargin)
%GM_PLOT  Draw a matching, or how a method came to it.
%   GM_PLOT(P, INFO) draws the matching that [X, INFO] = GM_SOLVE(P, ...) found for a problem of
%   GM_POINTS or GM_LOAD with coordinates (P.points1, P.points2), in two or three dimensions: the
%   two point sets side by side with the edges of their graphs (P.neighbours1, P.neighbours2) and a
%   line per matched pair. In the plane y points downwards, as in images. If P.ground_truth is
%   known, correct lines are green and wrong ones red, as are the points left unmatched.
%
%   GM_PLOT(P, INFO, I1, I2) draws it over two images, side by side: matrices (grey or colour) or
%   names of files. Points are [x y] in pixels.
%
%   GM_PLOT(FILE, INFO, ...) loads the file first.
%
%   GM_PLOT(INFO) draws value and bound over time, from INFO.trace.
%
%   GM_PLOT(AX, ...) draws into these axes. Their content is kept if HOLD is on.
%
%   H = GM_PLOT(...) returns the handles of the drawn objects: lines of matched pairs (one
%   per colour), then the two point sets; or the curves of value and bound.
%
%   Example
%     P = rand(10, 2); problem = gm_points(P, P(10:-1:1, :));
%     [X, info] = gm_solve(problem);
%     gm_plot(problem, info)
%
%   See also GM_SOLVE, GM_POINTS, GM_LOAD.
  given = varargin;
  if ~isempty(given) && ~isstruct(given{1}) && isscalar(given{1}) && isgraphics(given{1}, 'axes')
    ax = given{1};
    given = given(2:end);
  else
    ax = [];
  end
  if ~any(numel(given) == [1 2 4])
    error('gmtoolbox:InputError', 'gm_plot: give INFO, or a problem and INFO, or a problem, INFO and two images');
  end
  if numel(given) == 1
    content = check_info(given{1}, {'trace', 'time', 'method', 'value', 'status'});
  else
    content = matching_of(given{1}, check_info(given{2}, {'labels', 'method', 'value'}), given(3:end));
  end
  if isempty(ax)
    ax = gca();
  end
  keeps = ishold(ax);
  if ~keeps
    cla(ax, 'reset');
  end
  hold(ax, 'on');
  restore = onCleanup(@() set_hold(ax, keeps));
  if numel(given) == 1
    drawn = plot_trace(ax, content);
  else
    drawn = plot_matching(ax, content);
  end
  if nargout > 0
    handles = drawn;
  end
end

function set_hold(ax, keeps)
  if ~keeps && isgraphics(ax, 'axes')
    hold(ax, 'off');
  end
end

function info = check_info(info, fields)
  for field = fields
    if ~isstruct(info) || ~isscalar(info) || ~isfield(info, field{1})
      error('gmtoolbox:InputError', 'gm_plot: INFO must be the second output of gm_solve, got a %s without %s', class(info), field{1});
    end
  end
end

% ---- value and bound over time

function drawn = plot_trace(ax, info)
  trace = gm_matrix('gm_plot', 'INFO.trace', info.trace);
  if size(trace, 2) ~= 3 || isempty(trace)
    error('gmtoolbox:InputError', 'gm_plot: INFO.trace has no rows to draw');
  end
  time = trace(:, 1)';
  finish = max([info.time, time, eps]);
  drawn = [];
  names = {};
  colours = {[0 0.45 0.74], [0.85 0.33 0.1]};
  labels = {'value', 'bound'};
  for k = 1:2
    curve = trace(:, k + 1)';
    if any(isfinite(curve))
      [x, y] = stairs([time finish], [curve curve(end)]);
      drawn = [drawn, plot(ax, x, y, 'Color', colours{k}, 'LineWidth', 1.5)];  %#ok<AGROW>
      names{end + 1} = labels{k};  %#ok<AGROW>
    end
  end
  xlim(ax, [0, finish]);
  xlabel(ax, 'seconds');
  ylabel(ax, 'objective');
  title(ax, sprintf('%s: %g, %s', info.method, info.value, strrep(info.status, '_', ' ')));
  if ~isempty(drawn)
    legend(drawn, names);
  end
end

% ---- a matching

function content = matching_of(problem, info, images)
% Check the objects to draw before drawing: both point sets in place, edges, images, labels and truth.
  if ischar(problem) || isa(problem, 'string')
    problem = gm_load(problem);
  end
  for name = {'points1', 'points2'}
    if ~isstruct(problem) || ~isscalar(problem) || ~isfield(problem, name{1}) || size(problem.(name{1}), 2) < 2
      error('gmtoolbox:InputError', 'gm_plot: the problem has no coordinates %s to draw; gm_plot(INFO) draws the trace', name{1});
    end
  end
  left = full(gm_matrix('gm_plot', 'points1', problem.points1));
  right = full(gm_matrix('gm_plot', 'points2', problem.points2));
  d = min([3, size(left, 2), size(right, 2)]);
  if ~isempty(images)
    d = 2;
  end
  labels = full(reshape(gm_matrix('gm_plot', 'INFO.labels', info.labels), [], 1));
  if numel(labels) ~= size(left, 1)
    error('gmtoolbox:InputError', 'gm_plot: INFO has %d labels, the problem %d left points', numel(labels), size(left, 1));
  elseif any(labels > size(right, 1)) || any(labels < 0) || any(labels ~= round(labels))
    error('gmtoolbox:InputError', 'gm_plot: INFO.labels must be in 0..%d', size(right, 1));
  end
  content = struct('left', left(:, 1:d), 'right', right(:, 1:d), 'labels', labels, 'truth', zeros(size(labels)), ...
                   'info', info, 'images', {images_of(images)}, 'edges1', edges_of(problem, 'neighbours1', size(left, 1)), ...
                   'edges2', edges_of(problem, 'neighbours2', size(right, 1)));
  if isfield(problem, 'ground_truth') && numel(problem.ground_truth) == numel(labels)
    content.truth = full(problem.ground_truth(:));
  end
  if isempty(images)
    across = [content.left(:, 1); content.right(:, 1)];
    shift = max(content.left(:, 1)) - min(content.right(:, 1)) + 0.3 * max([max(across) - min(across), eps]);
  else
    shift = size(content.images{1}, 2);
  end
  content.right(:, 1) = content.right(:, 1) + shift;
end

function edges = edges_of(problem, name, n)
% m x 2 pairs of joined points, those that are there.
  edges = zeros(0, 2);
  if isfield(problem, name) && isnumeric(problem.(name)) && size(problem.(name), 2) == 2
    edges = full(double(problem.(name)));
    edges = edges(all(edges >= 1 & edges <= n, 2), :);
  end
end

function images = images_of(images)
% Two images as colours between 0 and 1.
  for k = 1:numel(images)
    picture = images{k};
    if ischar(picture) || isa(picture, 'string')
      try
        picture = imread(gm_text('gm_plot', 'the name of an image', picture));
      catch problem
        error('gmtoolbox:InputError', 'gm_plot: image %d cannot be read: %s', k, strrep(problem.message, char(10), ' '));
      end
    end
    if ~(isnumeric(picture) || islogical(picture)) || isempty(picture) || ~any(size(picture, 3) == [1 3]) || ndims(picture) > 3
      error('gmtoolbox:InputError', 'gm_plot: image %d must be a matrix of grey or colour values, or the name of a file', k);
    end
    largest = 255;
    if isfloat(picture) || islogical(picture)
      largest = max(1, double(max(picture(:))));
    elseif ~isa(picture, 'uint8')
      largest = double(intmax(class(picture)));
    end
    picture = min(max(double(picture) / largest, 0), 1);
    images{k} = repmat(picture, [1, 1, 3 / size(picture, 3)]);
  end
end

function drawn = plot_matching(ax, content)
  if ~isempty(content.images)
    [h1, w1, ~] = size(content.images{1});
    [h2, w2, ~] = size(content.images{2});
    image(ax, [1 w1], [1 h1], content.images{1});
    image(ax, w1 + [1 w2], [1 h2], content.images{2});
  end
  lines_of(ax, content.left, content.edges1(:, 1), content.left, content.edges1(:, 2), [0.8 0.8 0.8]);
  lines_of(ax, content.right, content.edges2(:, 1), content.right, content.edges2(:, 2), [0.8 0.8 0.8]);
  labels = content.labels;
  matched = labels > 0;
  known = content.truth > 0;
  groups = {matched & ~known, [0.3 0.3 0.3]
            matched & known & labels == content.truth, [0.1 0.6 0.2]
            matched & known & labels ~= content.truth, [0.8 0.1 0.1]};
  drawn = [];
  for k = 1:size(groups, 1)
    nodes = find(groups{k, 1});
    drawn = [drawn, lines_of(ax, content.left, nodes, content.right, labels(nodes), groups{k, 2})];  %#ok<AGROW>
  end
  drawn = [drawn, markers(ax, content.left, 'o', 'k', 'k', 5), markers(ax, content.right, 's', 'k', 'w', 5)];
  missed = ~matched & known;
  if any(missed)
    drawn = [drawn, markers(ax, content.left(missed, :), 'o', [0.8 0.1 0.1], 'none', 9)];
  end
  frame(ax, content);
  title(ax, sprintf('%s: %g, %d of %d matched', content.info.method, content.info.value, nnz(matched), numel(labels)));
end

function drawn = lines_of(ax, from, a, to, b, colour)
% One line object from the points a to the points b, [] without any.
  drawn = [];
  if isempty(a)
    return
  end
  gaps = nan(1, numel(a));
  coordinates = cell(1, size(from, 2));
  for k = 1:size(from, 2)
    coordinates{k} = reshape([from(a, k)'; to(b, k)'; gaps], [], 1);
  end
  drawn = draw(ax, coordinates, {'LineStyle', '-', 'Color', colour});
end

function drawn = markers(ax, points, shape, colour, face, diameter)
  coordinates = num2cell(points, 1);
  style = {'LineStyle', 'none', 'Marker', shape, 'Color', colour, 'MarkerFaceColor', face, 'MarkerSize', diameter};
  drawn = draw(ax, coordinates, style);
end

function drawn = draw(ax, coordinates, style)
  if numel(coordinates) == 3
    drawn = plot3(ax, coordinates{:}, style{:});
  else
    drawn = plot(ax, coordinates{:}, style{:});
  end
end

function frame(ax, content)
% Room around the outermost markers; y downwards in the plane.
  if size(content.left, 2) == 3
    view(ax, 3);
    axis(ax, 'equal');
    return
  end
  all_points = [content.left; content.right];
  low = min(all_points, [], 1);
  high = max(all_points, [], 1);
  if ~isempty(content.images)
    low = min(low, [0.5 0.5]);
    heights = cellfun(@(picture) size(picture, 1), content.images);
    widths = cellfun(@(picture) size(picture, 2), content.images);
    high = max(high, [sum(widths), max(heights)]);
  end
  margin = 0.05 * max([high - low, eps]);
  axis(ax, 'ij');
  axis(ax, 'equal');
  xlim(ax, [low(1) - margin, high(1) + margin]);
  ylim(ax, [low(2) - margin, high(2) + margin]);
  axis(ax, 'off');
end
