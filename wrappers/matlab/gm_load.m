function [problem, X] = gm_load(file, varargin)
%GM_LOAD  Read a graph matching problem, or a result, from a file.
%   P = GM_LOAD(FILE) reads any format of the toolbox: .mat (also v7.3), .dd, .dd.gz,
%   .dd.xz, .h5, .dat (QAPLIB). P is a struct with the variables of the benchmark's
%   .mat files, to be given to GM_SOLVE, GM_SAVE, GM_BATCH and GM_PLOT:
%     sense     'min': its matrices are costs, x'*K*x + offset is minimised; 'max': they
%               are affinities and maximised, and only K, Ct, sense and complete are there
%     complete  true: every node of the smaller side must be matched
%     K         (n1*n2) x (n1*n2) sparse matrix of costs or affinities
%     Ct        n1 x n2 sparse 0/1, the allowed pairs
%     KP, KQ, gph1, gph2   its factors: node costs, edge costs and the two graphs
%     reducedK  K over the allowed pairs only, in the order of find(Ct)
%     offset    constant of the objective
%   and other fields of the file: points1, points2, ground truth. P keeps its sense whatever
%   other fields are removed.
%
%   A .mat file with a variable sense is read in that sense. Without one, reducedK or offset
%   (the benchmark's files) means costs, anything else affinities; if those have negative
%   entries, the warning gmtoolbox:Sense says so.
%
%   The two matrices of a QAPLIB file stay as they are: P has A, B and the model 'qap', and
%   factors without a K stay factors; GM_EXPAND writes K out.
%
%   [INFO, X] = GM_LOAD(FILE) reads a result that GM_SAVE or Python wrote: .json, .csv, .mat, .h5,
%   .npz.
%
%   GM_LOAD(FILE, NAME, VALUE, ...) sets
%     'sense'     'min' or 'max', for a .mat file that does not state it
%     'shape'     [n1 n2], for a .mat file with a K and no Ct
%     'complete'  true: every node of the smaller side must be matched. Default: that of
%                 the file; else true for a K alone, QAPLIB, names that end in _b, _bn or _bnz, and
%                 files that a dataset.json next to them calls complete (a line is printed)
%     'key'       name of the variable of a .mat file that holds K, or a struct with the problem;
%                 the sense is that of the file
%
%   Example
%     file = [tempname() '.mat']; gm_save(kron(eye(3), ones(3)), file);
%     P = gm_load(file); delete(file);
%     [X, info] = gm_solve(P);
%
%   See also GM_SAVE, GM_EXPAND, GM_SOLVE.
  if nargin < 1
    error('gmtoolbox:InputError', 'gm_load: give the name of a file');
  end
  pairs = gm_pairs('gm_load', varargin, {'complete', 'key', 'sense', 'shape'});
  request = struct('path', gm_text('gm_load', 'file', file));
  arrays = struct();
  if isfield(pairs, 'sense')
    request.sense = gm_text('gm_load', 'sense', pairs.sense);
    pairs = rmfield(pairs, 'sense');
  end
  if isfield(pairs, 'shape')
    arrays.shape = gm_matrix('gm_load', 'shape', pairs.shape);
    pairs = rmfield(pairs, 'shape');
  end
  request.reading = pairs;
  reply = gm_call('load_file', request, arrays);
  problem = reply;
  X = [];
  if isfield(reply, 'info')
    problem = reply.info;
    X = reply.X;
  end
end
