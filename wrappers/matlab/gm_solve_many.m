function info = gm_solve_many(problems, method, varargin)
%GM_SOLVE_MANY  Solve many small graph matching problems with one method, quickly.
%   INFO = GM_SOLVE_MANY(PROBLEMS, METHOD) solves a cell array of matrices K, files and problems
%   of GM_LOAD, GM_POINTS or GM_GRAPHS. INFO is an n x 1 struct array: INFO(k) is the INFO of
%   [X, INFO] = GM_SOLVE(PROBLEMS{k}, METHOD), with X as a field. All problems go to
%   Python in one call, and the methods aj, fm, fm-bca, fw and rrwm solve them one after the other
%   in C: for thousands of small problems this is many times faster than a loop. GM_BATCH is for
%   few large ones, with a process for each. Matchings are 'complete' as in GM_SOLVE (default true
%   for a matrix, else that of the problem).
%
%   GM_SOLVE_MANY(PROBLEMS, METHOD, NAME, VALUE, ...) sets
%     'n_jobs'      threads (default 1; -1: one for each processor); answers do not depend on it
%     'restarts'    fm, fw and faq: solve each problem this many times, with different seeds, and
%                   keep the best answer
%     'time_limit'  seconds of each problem
%     'seed'        the same for all problems (default 0)
%   and every option of the method itself: see GM_METHODS(METHOD).
%
%   Example
%     K = {kron(eye(3), ones(3)), kron(magic(3), eye(3))};
%     info = gm_solve_many(K, 'fm', 'n_jobs', 2);
%     disp([info.value])
%
%   See also GM_SOLVE, GM_BATCH.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_solve_many: give a cell array of problems');
  end
  if nargin < 2 || isempty(method)
    method = 'auto';
  end
  request.options = gm_pairs('gm_solve_many', varargin);
  request.method = gm_text('gm_solve_many', 'method', method);
  [request.problems, problems] = gm_problems('gm_solve_many', problems);
  reply = gm_call('solve_many', request, struct(), problems);
  info = reply.info;
end

%!test
%! K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5]; P = gm_graphs([0 1; 1 0], [0 1; 1 0]);
%! info = gm_solve_many({K, 2 * K, P}, 'fm', 'n_jobs', 2, 'Seed', 1);
%! assert([info.value], [14 28 2]); assert(size(info), [3 1])
%! assert(info(1).X, eye(2)); assert(info(2).labels, [1; 2])
%! for k = 1:2, [X, one] = gm_solve(k * K, 'fm', 'seed', 1); assert(one.value, info(k).value); end
%!error <problem 2> gm_solve_many({eye(4), nan(4)}, 'fm')
%!error <did you mean 'restarts'> gm_solve_many({eye(4)}, 'fm', 'restart', 2)
