function handles = gm_plot(problem, info)
%GM_PLOT  Draw a matching, or how a method came to it.
%   GM_PLOT(P, INFO) draws the matching that [X, INFO] = GM_SOLVE(P, ...) found for a
%   problem of GM_LOAD with coordinates (P.points1, P.points2): the left points and the
%   right ones side by side, y downwards as in images, and a line per matched pair. Where
%   P.ground_truth is known, right lines are green and wrong ones red, as are the points
%   left unmatched.
%
%   GM_PLOT(FILE, INFO) loads the file first.
%
%   GM_PLOT(INFO) draws value and bound over time, from INFO.trace.
%
%   H = GM_PLOT(...) returns the handles of what was drawn: lines of matched pairs (one
%   per colour), then the two point sets; or the curves of value and bound.
%
%   See also GM_SOLVE, GM_LOAD.
  if nargin == 1
    drawn = plot_trace(check_info(problem, 'trace'));
  elseif nargin == 2
    if ischar(problem) || isa(problem, 'string')
      problem = gm_load(problem);
    end
    drawn = plot_matching(problem, check_info(info, 'labels'));
  else
    error('gmtoolbox:InputError', 'gm_plot: give INFO, or a problem and INFO');
  end
  if nargout > 0
    handles = drawn;
  end
end

function info = check_info(info, field)
  if ~isstruct(info) || ~isfield(info, field)
    error('gmtoolbox:InputError', 'gm_plot: INFO must be the second output of gm_solve, got a %s without %s', class(info), field);
  end
end

function drawn = plot_trace(info)
  time = info.trace(:, 1)';
  finish = max([info.time, time]);
  drawn = [];
  names = {};
  colours = {[0 0.45 0.74], [0.85 0.33 0.1]};
  labels = {'value', 'bound'};
  for k = 1:2
    curve = info.trace(:, k + 1)';
    if any(isfinite(curve))
      [x, y] = stairs([time finish], [curve curve(end)]);
      drawn = [drawn, plot(x, y, 'Color', colours{k}, 'LineWidth', 1.5)];  %#ok<AGROW>
      names{end + 1} = labels{k};  %#ok<AGROW>
      hold on
    end
  end
  hold off
  xlim([0, finish]);
  xlabel('seconds');
  ylabel('objective');
  title(sprintf('%s: %g, %s', info.method, info.value, strrep(info.status, '_', ' ')));
  legend(names{:});
end

function drawn = plot_matching(problem, info)
  for name = {'points1', 'points2'}
    if ~isstruct(problem) || ~isfield(problem, name{1}) || size(problem.(name{1}), 2) < 2
      error('gmtoolbox:InputError', 'gm_plot: the problem has no coordinates %s to draw; gm_plot(INFO) draws the trace', name{1});
    end
  end
  left = full(problem.points1(:, 1:2));
  right = full(problem.points2(:, 1:2));
  if numel(info.labels) ~= size(left, 1)
    error('gmtoolbox:InputError', 'gm_plot: INFO has %d labels, the problem %d left points', numel(info.labels), size(left, 1));
  end
  right(:, 1) = right(:, 1) - min(right(:, 1)) + max(left(:, 1)) + 0.3 * max([ptp(left(:, 1)), ptp(right(:, 1)), eps]);

  labels = info.labels(:);
  matched = labels > 0;
  truth = zeros(size(labels));
  if isfield(problem, 'ground_truth')
    truth = full(problem.ground_truth(:));
  end
  groups = {matched & truth == 0, [0.3 0.3 0.3]
            matched & truth > 0 & labels == truth, [0.1 0.6 0.2]
            matched & truth > 0 & labels ~= truth, [0.8 0.1 0.1]};
  drawn = [];
  for k = 1:size(groups, 1)
    nodes = find(groups{k, 1})';
    if ~isempty(nodes)
      gaps = nan(1, numel(nodes));
      x = [left(nodes, 1)'; right(labels(nodes), 1)'; gaps];
      y = [left(nodes, 2)'; right(labels(nodes), 2)'; gaps];
      drawn = [drawn, plot(x(:), y(:), '-', 'Color', groups{k, 2})];  %#ok<AGROW>
      hold on
    end
  end
  missed = ~matched & truth > 0;
  drawn = [drawn, plot(left(:, 1), left(:, 2), 'o', 'Color', 'k', 'MarkerFaceColor', 'k', 'MarkerSize', 5)];
  hold on
  drawn = [drawn, plot(right(:, 1), right(:, 2), 's', 'Color', 'k', 'MarkerFaceColor', 'w', 'MarkerSize', 5)];
  if any(missed)
    drawn = [drawn, plot(left(missed, 1), left(missed, 2), 'o', 'Color', [0.8 0.1 0.1], 'MarkerSize', 9)];
  end
  hold off
  axis ij  % y downwards, as in images
  axis equal off
  title(sprintf('%s: %g, %d of %d matched', info.method, info.value, nnz(matched), numel(labels)));
end

function width = ptp(x)
  width = max(x) - min(x);
end
