function info = wrapper_fgmd(file, varargin)
%WRAPPER_FGMD  Solve a graph matching file with fgmd, printing the lines of the study's wrappers.
%   WRAPPER_FGMD(FILE) reads FILE (.mat, .dd, ...), as it is or with the transforms _b, _bn,
%   _bnz applied, solves it and prints
%     Start optimization:
%     Model: n1: .. n2: ..
%     time: .. upper_bound: .. [lower_bound: ..] labeling: [..]
%   with one such line; labels are 1-based, 0 = none, and costs are minimised.
%   The last line is the answer.
%   INFO = WRAPPER_FGMD(FILE, NAME, VALUE, ...) takes the options of GM_SOLVE and returns its INFO.
%   FILE may also be a matrix K or a problem, as in GM_SOLVE.
%
%   Example
%     wrapper_fgmd(kron(eye(3), ones(3)));
%
%   See also GM_SOLVE, GM_METHODS.

%   Made by "python -m gmtoolbox.wrappers.generate" from the list of methods.
  if nargin < 1
    error('gmtoolbox:InputError', 'wrapper_fgmd: give the name of a file');
  end
  result = gm_wrapper('fgmd', file, varargin);
  if nargout > 0
    info = result;
  end
end
