function problem = gm_problem(caller, problem)
%GM_PROBLEM  Check that a struct can be a problem.
  if numel(problem) ~= 1 || isempty(fieldnames(problem))
    error('gmtoolbox:InputError', '%s: a problem must be one struct as gm_load makes it, got a struct of size %s', ...
          caller, mat2str(size(problem)));
  end
end
