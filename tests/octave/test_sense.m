% Costs or affinities: one rule for matrices, structs, files, keys, factors and batches, and one warning where it has to guess.
folder = fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'sense');
mkdir(folder);
here = cd(folder);
warning('on', 'gmtoolbox:Sense');
warning('on', 'gmtoolbox:Shape');

function check_warning(call, identifier)
  % Run a function and compare the identifier of its last warning, '' for none.
  lastwarn('', '');
  call();
  [text, found] = lastwarn();
  assert(found, identifier)
end

% a problem with costs of both signs, whose best matching as costs is not the best as affinities
costs = diag([1 -5 -5 1]);
costs(1, 4) = -2;
costs(4, 1) = -2;
gm_save(costs, 'ours.mat', 'sense', 'min', 'complete', false);
P = gm_load('ours.mat');
assert(P.sense, 'min')
[~, whole] = gm_solve(P, 'fm');
assert(whole.value == -10 && strcmp(whole.sense, 'min'))

% ours keep their sense whatever is removed
redundant = {'KP', 'KQ', 'reducedK', 'gph1', 'gph2', 'offset'};
for count = 1:6
  for gone = nchoosek(1:6, count)'
    [~, info] = gm_solve(rmfield(P, redundant(gone)), 'fm');
    assert(info.value == -10 && strcmp(info.sense, 'min'))
  end
end
[~, info] = gm_solve('ours.mat', 'fm', 'key', 'K');
assert(info.value, -10)
assert(gm_load('ours.mat', 'key', 'K').sense, 'min')
assert(strcmp(gm_points(rand(4, 2), rand(4, 2)).sense, 'min') && strcmp(gm_graphs(ones(3), ones(3)).sense, 'max'))
check_error(@() gm_solve(P, 'fm', 'sense', 'max'), 'gmtoolbox:InputError', 'its sense is ''min''')

% the benchmark's schema holds costs, with and without a key; no guess, no warning
S = rmfield(P, {'sense', 'complete'});
save('-v7', 'schema.mat', '-struct', 'S');
check_warning(@() assert(gm_load('schema.mat').sense, 'min'), '')
check_warning(@() assert(gm_load('schema.mat', 'key', 'K').sense, 'min'), '')

% where the rule has to guess, every path warns, and 'sense' silences it
K = S.K;
bare = struct('K', K, 'Ct', ones(2));
factors = rmfield(S, {'K', 'reducedK', 'offset'});
save('-v7', 'bare.mat', 'K');
save('-v7', 'factors.mat', '-struct', 'factors');
paths = {K, bare, factors, 'bare.mat', 'factors.mat'};
for k = 1:numel(paths)
  check_warning(@() gm_solve(paths{k}, 'fm'), 'gmtoolbox:Sense')
  check_warning(@() gm_batch(paths(k), 'fm'), 'gmtoolbox:Sense')
  check_warning(@() gm_solve(paths{k}, 'fm', 'sense', 'max'), '')
  [~, info] = gm_solve(paths{k}, 'fm', 'sense', 'min', 'complete', false);
  assert(info.value, -10)
end
check_warning(@() gm_solve('bare.mat', 'fm', 'key', 'K'), 'gmtoolbox:Sense')
check_warning(@() gm_load('bare.mat'), 'gmtoolbox:Sense')
check_warning(@() gm_load('bare.mat', 'sense', 'min'), '')
check_warning(@() gm_save(K, 'copy.mat'), 'gmtoolbox:Sense')
check_warning(@() wrapper_fm(K), 'gmtoolbox:Sense')
check_warning(@() gm_solve_multi({[], K; [], []}), 'gmtoolbox:Sense')
check_warning(@() gm_solve_multi({[], bare; [], []}), 'gmtoolbox:Sense')
check_warning(@() gm_solve_multi({[], bare; [], []}, 'sense', 'min'), '')
bare.sense = 'min';
check_warning(@() gm_batch({bare}, 'fm'), '')

% a matrix of 16 x 16 costs is no affinity of 4 x 4 nodes
C = magic(16);
check_warning(@() gm_solve(C, 'fm'), 'gmtoolbox:Shape')
check_warning(@() gm_solve(C, 'fm', 'shape', [4 4]), '')
save('-v7', 'table.mat', 'C');
check_warning(@() gm_load('table.mat'), 'gmtoolbox:Shape')
check_warning(@() gm_load('table.mat', 'shape', [4 4]), '')
cd(here);
