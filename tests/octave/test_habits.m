% What a long-time user of toolboxes types, and what must not happen then. Numbers: the findings of the second round.
folder = fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'habits');
mkdir(folder);
here = cd(folder);
K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];

% 1: the last line of a wrapper is its answer, and the originals print one
printed = evalc('info = wrapper_ga(K);');
lines = strsplit(strtrim(printed), char(10));
assert(numel(lines), 3)
assert(sscanf(regexp(lines{3}, 'upper_bound: (\S+)', 'tokens', 'once'){1}, '%f'), -info.value, 1e-6)

% 2: saved, loaded and solved, a matrix is optimised in the same direction
gm_save(K, 'k.mat');
S = load('k.mat');
[~, direct] = gm_solve(K, 'fw');
[~, back] = gm_solve(S.K, 'fw');
[~, file] = gm_solve('k.mat', 'fw');
assert(direct.value == 14 && back.value == 14 && file.value == 14 && strcmp(file.sense, 'max'))
warning('on', 'gmtoolbox:Sense');
lastwarn('');
gm_solve(-K, 'fw');
[text, identifier] = lastwarn();
assert(identifier, 'gmtoolbox:Sense')
lastwarn('');
gm_solve(-K, 'fw', 'sense', 'max');
gm_solve(-K, 'fw', 'sense', 'min');
assert(isempty(lastwarn()))

% 3: Octave's own formats
save text.mat K
save('-zip', 'zip.mat', 'K');
save('-binary', 'binary.mat', 'K');
assert(isequal(gm_solve('text.mat', 'fw'), eye(2)) && isequal(gm_solve('zip.mat', 'fw'), eye(2)))
check_error(@() gm_solve('binary.mat', 'fw'), 'gmtoolbox:FileFormatError', 'save -v7')

% 7: a dataset says that its problems are complete
gm_save(-K, 'one.dd', 'sense', 'min', 'complete', false);
file = fopen('dataset.json', 'w');
fputs(file, '{"dataset": "mine", "complete": true, "instances": ["one"]}');
fclose(file);
printed = evalc('P = gm_load(''one.dd'');');
assert(P.complete == 1 && ~isempty(strfind(printed, 'dataset.json')))

% 9: edits of the factors are refused, and a problem may lie in a struct variable
P = gm_load('one.dd');
Q = P;
Q.KP(1, 1) = 99;
check_error(@() gm_solve(Q, 'fw'), 'gmtoolbox:InputError', 'KP and K disagree, first at KP(1,1)')
Q = P;
Q.KQ = 2 * Q.KQ;
check_error(@() gm_solve(Q, 'fw'), 'gmtoolbox:InputError', 'KQ and K disagree')
save('-v7', 'inside.mat', 'P');
assert(gm_load('inside.mat', 'key', 'P').K, P.K)
[~, info] = gm_solve('inside.mat', 'fw', 'key', 'P');
assert(info.value, -14)

% 10: what INFO holds, and results and versions as files
[X, info] = gm_solve(K, 'rrwm');
assert(size(info.scores), [2 2])
assert(isstruct(info.extra) && strcmp(info.sense, 'max') && iscolumn(info.labels))
gm_save(info, 'answer.json');
gm_save(info, 'answer.mat');
assert(exist('answer.json', 'file') && load('answer.mat').value == 14)
gm_save(K, 'seven.mat', 'version', '-v7.3');
assert(isequal(gm_solve('seven.mat', 'fw'), eye(2)))

% 11: lines and callbacks
printed = evalc('gm_solve(K, ''fw'', ''Display'', ''iter'');');
assert(~isempty(strfind(printed, 'iteration')) && ~isempty(strfind(printed, '14')))
L = rand(100);
[~, info] = gm_solve(L, 'fw', 'OutputFcn', @(event) event.iteration >= 2, 'restarts', 1e9, 'maxiter', 1e12);
assert(info.status, 'interrupted')
check_error(@() gm_solve(K, 'fw', 'OutputFcn', 3), 'gmtoolbox:OptionError', 'function handle')
check_error(@() gm_solve(K, 'fw', 'Display', 'loud'), 'gmtoolbox:OptionError', 'Display')
check_error(@() gm_last(), 'gmtoolbox:InputError', 'no call was ended')

% 13: builders, and the originals' inputs
A = [0 1 1 0; 1 0 1 0; 1 1 0 1; 0 0 1 0];
order = [3 1 4 2];
[~, info] = gm_solve(gm_graphs(A, A(order, order)));
assert(info.value == 8 && strcmp(info.sense, 'max'))
assert(gm_accuracy(info.labels(3), 1), 1)
L12 = [1 1; 2 2; 1 2];
M = [4 1 0; 1 4 0; 0 0 1];
[X, info] = gm_solve(M, 'fw', 'L12', L12);
assert(isequal(X, eye(2)) && info.value == 10)
[X, other] = gm_solve(M, 'fw', 'group1', [1 0; 0 1; 1 0], 'group2', [1 0; 0 1; 0 1]);
assert(isequal(X, eye(2)) && other.value == 10)
Ct = [1 1; 0 1];
[X, info] = gm_solve([4 0 1; 0 1 0; 1 0 4], 'fw', 'Ct', Ct);  % rows: the ones of Ct, column by column
assert(isequal(X, eye(2)) && info.value == 10)
gm_convert('one.dd', 'one.h5');
assert(gm_load('one.h5').K, gm_load('one.dd').K)
[~, info] = gm_solve(K);
assert(gm_verify(K, info).value, 14)
info.value = 15;
check_error(@() gm_verify(K, info), 'gmtoolbox:VerificationError', '15')

% 14: habits
[~, info] = gm_solve(K, 'time_limit', 1);
assert(info.method, 'auto')
[~, info] = gm_solve(K, []);
assert(info.method, 'auto')
[~, info] = gm_solve(K, 'fw', struct('maxiter', 5), 'Seed', 3);
assert(info.options.maxiter == 5 && info.seed == 3)
[~, info] = gm_solve(K, 'fw', 'MaxIter', 7, 'CT', ones(2));
assert(info.options.maxiter, 7)
gm_save(K, 'b1.mat');
gm_save(K, 'b2.mat');
assert(numel(gm_batch('b*.mat', 'fw')) == 3)  % binary.mat, too
assert({gm_batch(dir('b?.mat'), 'fw').instance}, {'b1', 'b2'})
runs = gm_batch(K, 'fw', 'options', struct('maxiter', 3));
assert(runs.options.maxiter, 3)
runs = gm_batch({K, K * NaN, K}, 'fw');
assert([runs.value], [14 NaN 14])
assert({runs.outcome}, {'ok', 'error', 'ok'})
[text, identifier] = lastwarn();
assert(~isempty(strfind(text, 'problem 2')) && ~isempty(strfind(text, 'K(1,1) is NaN')))
stopped = gm_setup('stop');
assert(stopped.stopped)

% 15: a callback cannot begin a call, and the call goes on
caught = '';
try
  gm_solve(L, 'fw', 'OutputFcn', @(event) numel(gm_solve(K, 'fw')), 'maxiter', 5);
catch problem
  caught = problem.identifier;
end
assert(caught, 'gmtoolbox:Busy')
assert(isequal(gm_solve(K, 'fw'), eye(2)))

% third round, 13: ~, names without suffix, matrices for labels, capital letters, a transposed mask
home = getenv('HOME');
gm_save(K, fullfile('~', 'athome.mat'));
assert(exist(fullfile(home, 'athome.mat'), 'file') && isequal(gm_solve('~/athome.mat', 'FW'), eye(2)))
assert(isequal(gm_solve('~/athome', 'Fw'), eye(2)) && strcmp(gm_batch('~/athome', 'FW').outcome, 'ok'))
delete(fullfile(home, 'athome.mat'));
gm_save(K, 'bare');
assert(exist('bare.mat', 'file') && isequal(gm_load('bare').K, gm_load('bare.mat').K))
[X, info] = gm_solve(K, 'FW', 'init', [0 1; 1 0], 'maxiter', 1);
assert(size(X), [2 2])
assert(gm_accuracy(eye(2), eye(2)) == 1 && gm_evaluate(eye(2), [0 1; 1 0]).recall == 0)
P = gm_expand(K);
P.ground_truth = eye(2);
assert(gm_evaluate(info, P).recall == gm_accuracy(info, [1 2]))
assert(numel(gm_solve_many({K, K}, 'FM')) == 2 && strcmp(gm_methods('RRWM').name, 'rrwm'))
truth = [1 3];
allowed = [1 0 1; 1 1 1];
R = zeros(6);
good = find(allowed(:));
R(good, good) = 1;
for left = 1:2
  same = left:2:6;
  R(same, same) = 0;
end
for right = 1:3
  same = 2 * right - 1:2 * right;
  R(same, same) = 0;
end
R = R + diag(allowed(:));
assert(size(gm_solve(R, 'fw', 'Ct', allowed)), [2 3])
check_error(@() gm_solve(R, 'fw', 'Ct', allowed'), 'gmtoolbox:InputError', 'give Ct.''')
check_error(@() gm_solve(R, 'fw', 'Ct', sparse(ones(3, 2))), 'gmtoolbox:InputError', 'give Ct.''')

% 15: INFO as a file comes back with scores and options
[X, info] = gm_solve(K, 'rrwm', 'maxiter', 7);
for suffix = {'json', 'mat', 'csv', 'h5', 'npz'}
  gm_save(info, ['info.' suffix{1}]);
  [back, Y] = gm_load(['info.' suffix{1}]);
  assert(isequal(Y, X) && isequal(back.scores, info.scores) && isequal(back.options, info.options))
  assert(isequal(back.labels, info.labels) && back.value == info.value && strcmp(back.status, info.status))
end
gm_save(info, 'seven3.mat', 'version', '7.3');
assert(gm_load('seven3.mat').value, info.value)
check_error(@() gm_save(info, 'x.mat', 'sense', 'min'), 'gmtoolbox:OptionError', 'not an argument of gm_save')
check_error(@() gm_load('info.json', 'complete', true), 'gmtoolbox:OptionError', 'complete')
cd(here);
