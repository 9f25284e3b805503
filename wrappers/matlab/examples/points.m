% Match two point sets: the same points in another order, moved a little.
P = [0 0; 4 0; 4 3; 1 5; 0 2; 2 2; 3 5; 5 1];
order = [3 1 8 5 2 4 7 6];
Q = P(order, :) + 0.05 * sin(1:8)' * [1 -1];
problem = gm_points(P, Q);
[X, info] = gm_solve(problem);
truth(order) = 1:8;
fprintf('%s: %s, accuracy %.2f\n', info.method, info.status, gm_accuracy(info, truth));
