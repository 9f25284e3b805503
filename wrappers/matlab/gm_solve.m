function [X, info] = gm_solve(K, method, varargin)
%GM_SOLVE  Match two graphs.
%   X = GM_SOLVE(K) maximises x'*K*x over matchings X with x = X(:). K is the
%   (n1*n2) x (n1*n2) affinity matrix, full or sparse, n1 = n2. X is n1 x n2, 0/1.
%
%   X = GM_SOLVE(K, METHOD) uses that method: 'rrwm', 'fm-bca', ... GM_METHODS lists
%   all of them. Without it (or with 'auto') the best one for the problem is taken.
%
%   X = GM_SOLVE(FILE, METHOD) solves a file (.mat, .dd, ...); X = GM_SOLVE(P, METHOD)
%   a problem made by GM_LOAD. Those are minimised when they hold costs, as the files
%   of the benchmark do.
%
%   [X, INFO] = GM_SOLVE(...) also returns a struct:
%     value    objective of X, in the sense of the problem
%     bound    proven bound of the optimum (Inf or -Inf without one)
%     gap      relative distance of value and bound
%     status   'optimal', 'converged', 'time_limit', 'iteration_limit',
%              'interrupted' or 'breakdown'
%     time     seconds spent by the method
%     n_iter   its iterations
%     trace    one row [time value bound] per improvement
%     labels   n1 x 1, the right node of each left node, 0 = unmatched
%     sense    'max' or 'min'
%     method, options, seed   all it takes to run it again
%
%   GM_SOLVE(K, METHOD, NAME, VALUE, ...) sets
%     'time_limit'  seconds; the best answer so far is returned
%     'seed'        whole number that fixes the sequence of iterates (default 0)
%     'Ct'          n1 x n2 mask of the allowed pairs (K only)
%     'shape'       [n1 n2], for a K between graphs of different size (K only)
%     'sense'       'max' (default) or 'min' (K only)
%     'complete'    true: every node of the smaller side must be matched
%     'init'        labels to start from (1-based, 0 = unmatched), where a
%                   method can use them
%   and every option of the method itself: see GM_METHODS(METHOD). A struct can hold them,
%   too: GM_SOLVE(K, INFO.method, INFO.options) solves with the same options again.
%
%   Example
%     K = kron(eye(3), ones(3)) + diag([5 0 0 0 5 0 0 0 5]);
%     [X, info] = gm_solve(K, 'rrwm');
%
%   See also GM_METHODS, GM_LOAD, GM_BATCH, GM_PLOT, GM_SETUP.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_solve: give a matrix K, a file or a problem');
  end
  if nargin < 2
    method = 'auto';
  end
  [request, arrays, problems] = gm_request('gm_solve', K, varargin);
  request.method = gm_text('gm_solve', 'method', method);
  reply = gm_call('solve', request, arrays, problems);
  X = reply.X;
  info = reply.info;
end
