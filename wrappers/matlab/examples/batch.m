% Several methods on several matrices, two runs at a time.
K = {kron(eye(3), ones(3)) + diag([5 0 0 0 5 0 0 0 5]), magic(4) + magic(4)'};
runs = gm_batch(K, {'rrwm', 'fw', 'auto'}, 'n_jobs', 2, 'time_limit', 5);
for run = runs'
  fprintf('%s %-5s %8.3f %s\n', run.instance, run.method, run.value, run.status);
end
