%% Getting started with gmtoolbox
% Graph matching finds which node of one graph is which node of another. Run this file section by section.

%% Python
% The solvers are in a Python package. |gm_setup| finds Python and says which one; |gm_setup('python', FILE)| chooses another.
gm_setup

%% Points
% The same points in another order, moved a little: |gm_points| joins neighbours, |gm_solve| matches them.
P = [0 0; 4 0; 4 3; 1 5; 0 2; 2 2; 3 5; 5 1];
order = [3 1 8 5 2 4 7 6];
Q = P(order, :) + 0.05 * sin(1:8)' * [1 -1];
problem = gm_points(P, Q);
[X, info] = gm_solve(problem);
fprintf('%s: %s, %d of 8 correct\n', info.method, info.status, nnz(order(info.labels) == 1:8));

%% A matrix of affinities
% |K| holds the worth of every two pairs together; |x = X(:)| maximises |x'*K*x|. If |K| holds costs, add |'sense', 'min'|.
K = kron(eye(3), ones(3)) + diag([5 0 0 0 5 0 0 0 5]);
[X, info] = gm_solve(K, 'rrwm');
disp(X)

%% Methods, files, batches
% |gm_methods| lists the methods, |gm_load| and |gm_save| read and write files, |gm_batch| runs many problems.
gm_methods

%% More
% |help gm_solve|, |help gmtoolbox|, and docs/matlab.md of the package.
