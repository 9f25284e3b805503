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
problem.points1(5, :) = 0;
check_error(@() gm_plot(problem, info), 'gmtoolbox:InputError', '4 labels, the problem 5')
close all
