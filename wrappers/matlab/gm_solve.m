function [X, info] = gm_solve(K, method, varargin)
%GM_SOLVE  Match two graphs: solve a graph matching problem.
%   X = GM_SOLVE(K) maximises x'*K*x over matchings X with x = X(:). K is the
%   (n1*n2) x (n1*n2) affinity matrix, full or sparse, n1 = n2. X is n1 x n2, 0/1.
%   A K of costs wants 'sense', 'min': GM_SOLVE(K, METHOD, 'sense', 'min').
%
%   X = GM_SOLVE(K, METHOD) uses that method: 'rrwm', 'fm-bca', ... GM_METHODS lists
%   all of them. Without it (or with 'auto' or []) the best one for the problem is taken.
%
%   X = GM_SOLVE(FILE, METHOD) solves a file (.mat, .dd, ...); X = GM_SOLVE(P, METHOD)
%   a problem made by GM_LOAD, GM_POINTS or GM_GRAPHS. P.sense, or the variable sense of a
%   .mat file, decides: 'min' for costs, 'max' for affinities. Without it reducedK or offset
%   (the benchmark's files) means costs, anything else affinities.
%
%   The warning gmtoolbox:Sense says that a matrix with negative entries is maximised because
%   its sense is not given; gmtoolbox:Shape that most entries of K mean nothing if n1 = n2.
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
%     scores   n1 x n2 matrix before rounding, [] if a method has none
%     extra    struct of further facts from the method
%     method, options, seed   all it takes to run it again
%
%   GM_SOLVE(K, METHOD, NAME, VALUE, ...) sets
%     'time_limit'  seconds; the best answer so far is returned
%     'seed'        whole number that fixes the sequence of iterates (default 0)
%     'Ct'          n1 x n2 mask of the allowed pairs (K only)
%     'shape'       [n1 n2], for a K between graphs of different size
%     'sense'       'max' (default) or 'min', for a K, or a file or struct that does not
%                   state it
%     'complete'    true: every node of the smaller side must be matched. Default: true for
%                   a K; that of the problem or file (see GM_LOAD)
%     'init'        labels to start from (1-based, 0 = unmatched), if the
%                   method can use them
%     'key'         name of the variable of a .mat file that holds K or the problem
%     'Display'     'iter' prints a line per improvement (default 'off')
%     'OutputFcn'   f(event) or stop = f(event), called at every improvement with a struct (time,
%                   value, bound, iteration); a logical true ends the call with the best answer
%                   so far, anything else does not
%   and every option of the method itself: see GM_METHODS(METHOD). Names may be written in
%   either case. A struct can hold them, before the pairs or alone:
%   GM_SOLVE(K, INFO.method, INFO.options) solves with the same options again.
%   GM_SOLVE(K, 'time_limit', 1) is GM_SOLVE(K, 'auto', 'time_limit', 1).
%
%   The originals' inputs are taken as well: GM_SOLVE(M, METHOD, 'L12', L12) with one row of
%   L12 per row of M, GM_SOLVE(M, METHOD, 'group1', G1, 'group2', G2), and a K with one row per
%   one of the mask: GM_SOLVE(K, METHOD, 'Ct', Ct).
%
%   Ctrl-C ends a call; GM_LAST then returns the best answer so far.
%
%   Example
%     K = kron(eye(3), ones(3)) + diag([5 0 0 0 5 0 0 0 5]);
%     [X, info] = gm_solve(K, 'rrwm');
%
%   See also GM_METHODS, GM_LOAD, GM_LAST, GM_BATCH, GM_PLOT, GM_SETUP.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_solve: give a matrix K, a file or a problem');
  end
  if nargin < 2 || isempty(method)
    method = 'auto';
  elseif isstruct(method) || (mod(numel(varargin), 2) == 1 && is_option(method))
    varargin = [{method}, varargin];  % no method: options begin at once
    method = 'auto';
  end
  [request, arrays, problems, pairs] = gm_request('gm_solve', K, varargin);
  request.method = gm_text('gm_solve', 'method', method);
  [request, callback, pairs] = gm_watched('gm_solve', request, pairs);
  gm_refuse('gm_solve', struct('options', struct()), struct(), pairs, {'Display', 'OutputFcn'});
  reply = gm_call('solve', request, arrays, problems, callback);
  X = reply.X;
  info = reply.info;
end

function yes = is_option(name)
% Whether a text is the name of an argument, or of an option of the method 'auto', however it is capitalised.
  names = {'time_limit', 'seed', 'Ct', 'shape', 'sense', 'complete', 'init', 'key', 'Display', 'OutputFcn', 'L12', 'group1', ...
           'group2', 'E12', 'run', 'cells', 'cutoff', 'memory', 'n_jobs', 'maxiter'};
  yes = (ischar(name) || isa(name, 'string')) && any(strcmpi(name, names));
end

%!test
%! K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];
%! [X, info] = gm_solve(K, 'rrwm');
%! assert(X, eye(2)); assert(info.value, 14); assert(info.labels, [1; 2])
%!error <unknown method> gm_solve(eye(4), 'nothing')
%!error <'seed' needs a value> gm_solve(eye(4), 'rrwm', 'seed')
%!demo
%! % A weighted sum of node and edge affinities, maximised
%! K = kron(eye(3), ones(3)) + diag([5 0 0 0 5 0 0 0 5]);
%! [X, info] = gm_solve(K, 'rrwm')
