% gm_plot draws a matching and a trace; printing needs a graphics toolkit, the handles do not.
warning('off', 'all');
problem.points1 = [0 0; 1 0; 2 1; 3 1];
problem.points2 = [1 0; 0 0; 2 1; 3 1; 4 4];
problem.ground_truth = [2; 1; 3; 4];
info = struct('labels', [2; 1; 4; 0], 'method', 'fw', 'value', -3, 'status', 'time_limit', 'time', 2, ...
              'trace', [0.1 -1 -Inf; 0.5 -3 -4]);
figure('visible', 'off');
h = gm_plot(problem, info);
assert(numel(h), 5)  % right and wrong lines, two point sets, one point missed
assert(get(h(1), 'ydata')(1:2), [0 0])
assert(get(h(2), 'color'), [0.8 0.1 0.1])
assert(get(gca, 'ydir'), 'reverse')
assert(get(h(5), 'xdata'), 3)
h = gm_plot(rmfield(problem, 'ground_truth'), info);
assert(numel(h), 3)
h = gm_plot(info);
assert(numel(h), 2)
assert(get(h(1), 'ydata')(end), -3)
assert(xlim(), [0 2])
assert(get(gca, 'ydir'), 'normal')
info.trace(:, 3) = -Inf;
assert(numel(gm_plot(info)), 1)
check_error(@() gm_plot(), 'gmtoolbox:InputError', 'give INFO')
check_error(@() gm_plot(3), 'gmtoolbox:InputError', 'second output of gm_solve')
check_error(@() gm_plot(struct('K', 1), info), 'gmtoolbox:InputError', 'no coordinates points1')

% the outermost markers are inside, the graphs' edges are drawn, hold and axes are respected
clf();
problem.neighbours1 = [1 2; 2 3];
problem.neighbours2 = [1 2; 4 5; 5 9];  % the last one is not there
h = gm_plot(problem, info);
assert(xlim()(2) > max(get(h(4), 'xdata')) && ylim()(2) > 4)
assert(numel(findobj(gca, 'type', 'line')), 5 + 2)
assert(~ishold())
left = subplot(1, 2, 1);
right = subplot(1, 2, 2);
gm_plot(left, problem, info);
assert(numel(findobj(left, 'type', 'line')) == 7 && isempty(findobj(right, 'type', 'line')))
axes(right);
plot([0 1], [0 1]);
hold on
gm_plot(problem, info);
assert(numel(findobj(right, 'type', 'line')) == 8 && ishold())
hold off
gm_plot(right, info);
assert(numel(findobj(right, 'type', 'line')), 1)

% over images, and in space
clf();
grey = uint8(200 * ones(6, 8));
colour = rand(5, 7, 3);
h = gm_plot(problem, info, grey, colour);
pictures = findobj(gca, 'type', 'image');
assert(numel(pictures), 2)
assert(sort(cellfun(@(x) x(1), get(pictures, 'xdata')))', [1 9])
assert(get(h(4), 'xdata')(:)', problem.points2(:, 1)' + 8)
assert(xlim()(2) >= 15 && strcmp(get(gca, 'ydir'), 'reverse'))
imwrite(grey, 'grey.png');
gm_plot(problem, info, 'grey.png', colour);
check_error(@() gm_plot(problem, info, grey), 'gmtoolbox:InputError', 'two images')
check_error(@() gm_plot(problem, info, grey, ones(2, 2, 2)), 'gmtoolbox:InputError', 'image 2 must be')
check_error(@() gm_plot(problem, info, 'gone.png', grey), 'gmtoolbox:InputError', 'image 1 cannot be read')
clf();
space = rmfield(problem, {'neighbours1', 'neighbours2'});
space.points1(:, 3) = [5 6 7 8];
space.points2(:, 3) = 1;
h = gm_plot(space, info);
assert(get(h(3), 'zdata')(:)', [5 6 7 8])
info.labels(1) = 7;
check_error(@() gm_plot(problem, info), 'gmtoolbox:InputError', 'must be in 0..5')
info.labels(1) = 2;
problem.points1(5, :) = 0;
check_error(@() gm_plot(problem, info), 'gmtoolbox:InputError', '4 labels, the problem 5')
close all
