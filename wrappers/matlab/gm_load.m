function problem = gm_load(file, varargin)
%GM_LOAD  Read a graph matching problem from a file.
%   P = GM_LOAD(FILE) reads any format of the toolbox: .mat (also v7.3), .dd, .dd.gz,
%   .dd.xz, .h5, .dat (QAPLIB). P is a struct with the variables of the benchmark's
%   .mat files, to be given to GM_SOLVE, GM_SAVE, GM_BATCH and GM_PLOT:
%     K         (n1*n2) x (n1*n2) sparse costs: x'*K*x + offset is minimised. Of an
%               affinity, whose sense is 'max', K is what is maximised, and only K, Ct,
%               sense and complete are there
%     Ct        n1 x n2 sparse 0/1, the allowed pairs
%     KP, KQ, gph1, gph2   its factors: node costs, edge costs and the two graphs
%     reducedK  K over the allowed pairs only, in the order of find(Ct)
%     offset    constant of the objective
%   and what else the file knows: sense, complete, points1, points2, ground truth. A file that
%   a dataset.json beside it lists is complete if that says so; a line tells.
%
%   GM_LOAD(FILE, NAME, VALUE, ...) sets
%     'complete'  true: every node of the smaller side must be matched
%     'key'       name of the variable of a .mat file that holds K, or a struct with the problem
%
%   See also GM_SAVE, GM_SOLVE.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_load: give the name of a file');
  end
  pairs = gm_pairs('gm_load', varargin, {'complete', 'key'});
  request = struct('path', gm_text('gm_load', 'file', file), 'reading', pairs);
  problem = gm_call('load_problem', request);
end
