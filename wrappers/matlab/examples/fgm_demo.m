% The FGM demo: eight methods on two Delaunay triangulations of 28 points, seen from different places.
rng(1);
P = 100 * rand(30, 2);
Q = P * [0.97 0.12; -0.1 1.02] + 1.5 * rand(30, 2);
kept1 = 1:28;
kept2 = 30:-1:3;
truth = zeros(28, 1);
truth(3:28) = 31 - kept1(3:28);
problem = gm_points(P(kept1, :), Q(kept2, :), 'width', 150);
runs = gm_batch(problem, {'ga', 'pm', 'sm', 'smac', 'ipfpu', 'ipfps', 'rrwm', 'fgmd'}, 'n_jobs', 2);
for run = runs'
  fprintf('%-6s acc %.2f, obj %.2f\n', upper(run.method), gm_accuracy(run, truth), -run.value);
end
