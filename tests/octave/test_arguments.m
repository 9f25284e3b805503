% Every kind of matrix, and the arguments of gm_solve.
K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];
[X, info] = gm_solve(K, 'fw');
assert(isequal(X, eye(2)) && info.value == 14 && strcmp(info.sense, 'max'))
assert(isequal(info.labels, [1; 2]))
[X, info] = gm_solve(K);  % no method: the best there is
assert(isequal(X, eye(2)) && strcmp(info.method, 'auto') && strcmp(info.status, 'optimal') && info.bound == 14 && info.gap == 0)
kinds = {sparse(K), int32(K), single(K), uint8(K), sparse(K > 1) * 5, K > 1, sparse(K > 1)};
for k = 1:numel(kinds)
  assert(isequal(gm_solve(kinds{k}, 'fw'), eye(2)))
end
[X, info] = gm_solve(K, 'fw', 'sense', 'min');
assert(isequal(X, [0 1; 1 0]) && info.value == 4 && strcmp(info.sense, 'min'))
[X, info] = gm_solve(K, 'fw', 'Ct', [0 1; 1 0]);
assert(isequal(X, [0 1; 1 0]) && isequal(info.labels, [2; 1]))
assert(isequal(gm_solve(K, 'fw', 'Ct', logical([0 1; 1 0])), [0 1; 1 0]))
assert(isequal(gm_solve(K, 'fw', 'Ct', sparse(logical([0 1; 1 0]))), [0 1; 1 0]))
[X, info] = gm_solve(-eye(6), 'fw', 'shape', [2 3], 'complete', false);
assert(isequal(X, zeros(2, 3)) && isequal(info.labels, [0; 0]))
assert(size(gm_solve(eye(6), 'fw', 'shape', [2 3])), [2 3])
assert(gm_solve(7, 'fw'), 1)  % a 1 x 1 matrix is a matrix
[X, info] = gm_solve(K, 'fw', 'init', [2 1], 'seed', 5, 'maxiter', 1, 'time_limit', 10);
assert(info.seed == 5 && info.options.maxiter == 1)
assert(isequal(gm_solve(K, 'fw', 'maxiter', []), eye(2)))  % [] is the default
assert(isequal(gm_solve(K, 'fw', 'time_limit', Inf), eye(2)))
[X, again] = gm_solve(K, info.method, info.options);  % a struct of options
assert(isequal(again.options, info.options))

m = gm_methods('fw');
assert(strcmp(m.name, 'fw') && ~m.has_bound && m.takes_init && ischar(m.paper) && iscell(m.needs))
assert(any(strcmp({m.options.name}, 'maxiter')))
printed = evalc('gm_methods');
assert(~isempty(strfind(printed, 'Frank-Wolfe')))
for m = gm_methods()'
  printed = evalc(sprintf('gm_methods(''%s'')', m.name));
  assert(strncmp(printed, [m.name ': '], numel(m.name) + 2) && ~isempty(strfind(printed, 'maxiter')), m.name)
end

% relative names are relative to Octave's folder, wherever it goes
here = pwd;
cd(fullfile(getenv('GMTOOLBOX_TEST_FOLDER')));
assert(size(gm_solve('partial.dd', 'fw')), [4 6])
cd(here);
