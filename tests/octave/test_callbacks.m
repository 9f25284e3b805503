% OutputFcn: only a logical true ends a call, and a handler without an output works.
function note(event)
  global seen
  seen = seen + 1;
end

function stop = noted(event, answer)
  global seen
  seen = seen + 1;
  stop = answer;
end

global seen
K = rand(100);
run = @(handler) nthargout(2, @gm_solve, K, 'fw', 'OutputFcn', handler, 'shape', [10 10], 'restarts', 3, 'seed', 1);
quiet = {@note, @(event) note(event), @(event) fprintf(''), @(event) fprintf('%d', []), @(event) disp(''), ...
         @(event) noted(event, false), @(event) noted(event, 1), @(event) noted(event, []), @(event) noted(event, 'true'), ...
         @(event) noted(event, [true false]), @(event) noted(event, {true}), @(event) event};
[~, plain] = gm_solve(K, 'fw', 'shape', [10 10], 'restarts', 3, 'seed', 1);
for k = 1:numel(quiet)
  seen = 0;
  evalc('info = run(quiet{k});');
  assert(~strcmp(info.status, 'interrupted') && info.value == plain.value)
  assert(seen > 0 || ~any(k == [1 2 6:11]))
end
[~, info] = gm_solve(K, 'fw', 'OutputFcn', @(event) true, 'shape', [10 10], 'restarts', 1e9, 'maxiter', 1e12);
assert(info.status, 'interrupted')
[~, info] = gm_solve(K, 'fw', 'OutputFcn', @(event) noted(event, event.iteration > 1), 'shape', [10 10], 'restarts', 1e9, 'maxiter', 1e12);
assert(info.status, 'interrupted')
caught = '';
try
  gm_solve(K, 'fw', 'OutputFcn', @(event) error('mine:own', 'broken'), 'shape', [10 10]);
catch problem
  caught = problem.identifier;
end
assert(caught, 'mine:own')
