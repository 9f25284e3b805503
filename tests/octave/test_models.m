% A problem struct carries what it was made of, and K on demand: large graphs, QAPLIB files, structs as files.
folder = fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'models');
mkdir(folder);
here = cd(folder);
A = sprand(2000, 2000, 0.001);
A = A - diag(diag(A));
big = gm_graphs(A, A');
memory = whos('big');
assert(memory.bytes < 1e6)
[X, info] = gm_solve(big, 'faq', 'maxiter', 1);
assert(nnz(info.labels), 2000)
check_error(@() gm_expand(big), 'gmtoolbox:TooManyEdgesError', 'm([m.matrix_free] ~= 0).name')
gm_save(big, 'big.mat');
assert(gm_load('big.mat').A, big.A)
file = fopen('forty.dat', 'w');
fprintf(file, '40\n');
fprintf(file, '%d ', floor(9 * rand(40, 80)));
fclose(file);
qap = gm_load('forty.dat');
assert(isfield(qap, 'A') && ~isfield(qap, 'K') && strcmp(qap.sense, 'min'))
[X, one] = gm_solve(qap, 'faq');
[X, two] = gm_solve('forty.dat', 'faq');
assert(one.value, two.value)
save('-v7', 'model.mat', '-struct', 'qap');
[X, three] = gm_solve('model.mat', 'faq');
assert(one.value, three.value)
points = gm_points(rand(5, 2), rand(5, 2));
save('-v7', 'points.mat', '-struct', 'points');
assert(gm_load('points.mat').points1, points.points1)
[X, one] = gm_solve(points);
[X, two] = gm_solve('points.mat');
assert(one.value, two.value)
cd(here);
