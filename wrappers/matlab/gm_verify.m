function found = gm_verify(problem, info, varargin)
%GM_VERIFY  Check an answer of GM_SOLVE by independent code.
%   GM_VERIFY(PROBLEM, INFO) recomputes the value of INFO.labels, checks that they are a
%   matching of allowed pairs and that the bound does not pass the value. It is an error
%   (gmtoolbox:VerificationError) if something does not hold. PROBLEM is a matrix, a file or a
%   problem of GM_LOAD; name-value pairs are 'Ct', 'shape', 'sense' and 'complete' of GM_SOLVE,
%   with the same defaults ('complete': true for a matrix, else that of the problem).
%
%   FOUND = GM_VERIFY(...) returns the value, and as its bound the proven one: none, -Inf
%   (or Inf, maximised). A proof needs a certificate: see `gmtoolbox verify`.
%
%   Example
%     K = kron(eye(3), ones(3)); [X, info] = gm_solve(K);
%     gm_verify(K, info)
%
%   See also GM_EVALUATE, GM_SOLVE.
  if nargin < 2 || ~isstruct(info) || ~all(isfield(info, {'labels', 'value', 'bound'}))
    error('gmtoolbox:InputError', 'gm_verify: give a problem and the second output of gm_solve');
  end
  [request, arrays, problems, pairs] = gm_request('gm_verify', problem, varargin);
  gm_refuse('gm_verify', request, arrays, pairs, {'Ct', 'shape', 'sense', 'complete', 'key'});
  request.value = info.value;
  request.bound = info.bound;
  arrays.labels = gm_matrix('gm_verify', 'labels', info.labels);
  reply = gm_call('verify_result', request, arrays, problems);
  if nargout > 0
    found = reply;
  else
    fprintf('value %g holds; the labels are a matching of allowed pairs\n', reply.value);
  end
end

%!test
%! K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5]; [X, info] = gm_solve(K);
%! assert(gm_verify(K, info).value, 14)
%!error <labels|value> [X, info] = gm_solve(eye(4), 'fw'); info.value = 99; gm_verify(eye(4), info)
