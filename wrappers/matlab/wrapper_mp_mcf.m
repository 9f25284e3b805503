function info = wrapper_mp_mcf(file, varargin)
%WRAPPER_MP_MCF  Solve a graph matching file with mp-mcf, printing the lines of the study's wrappers.
%   WRAPPER_MP_MCF(FILE) reads FILE (.mat, .dd, ...), as it is or with the transforms _b, _bn,
%   _bnz applied, solves it and prints
%     Start optimization:
%     Model: n1: .. n2: ..
%     time: .. upper_bound: .. [lower_bound: ..] labeling: [..]
%   with one such line per improvement; labels are 1-based, 0 = none, and costs are minimised.
%   The last line is the answer.
%   INFO = WRAPPER_MP_MCF(FILE, NAME, VALUE, ...) takes the options of GM_SOLVE and returns its INFO.
%   FILE may also be a matrix K or a problem, as in GM_SOLVE.
%
%   Example
%     wrapper_mp_mcf(kron(eye(3), ones(3)));
%
%   See also GM_SOLVE, GM_METHODS.

%   Made by "python -m gmtoolbox.wrappers.generate" from the list of methods.
  if nargin < 1
    error('gmtoolbox:InputError', 'wrapper_mp_mcf: give the name of a file');
  end
  result = gm_wrapper('mp-mcf', file, varargin);
  if nargout > 0
    info = result;
  end
end
