function gm_save(problem, file, varargin)
%GM_SAVE  Write a graph matching problem to a file.
%   GM_SAVE(P, FILE) writes a problem made by GM_LOAD; the suffix of FILE decides the
%   format: .mat, .dd, .dd.gz, .dd.xz, .h5, .dat. The file appears whole or not at all.
%
%   GM_SAVE(K, FILE, NAME, VALUE, ...) writes an affinity matrix; 'Ct', 'shape', 'sense'
%   and 'complete' (default true) are those of GM_SOLVE. An affinity is written to a .mat file as it is
%   (K, Ct, sense, complete): LOAD FILE and GM_SOLVE(K) optimise the same. Costs ('sense',
%   'min') are written with the variables of the benchmark. GM_SAVE(FILE1, FILE2) converts.
%
%   GM_SAVE(INFO, FILE) writes the second output of GM_SOLVE: .json, .csv, .mat, .h5, .npz.
%   GM_LOAD(FILE) reads it back.
%
%   'version', '7.3' (or '6', '7', the default) chooses the kind of a .mat file.
%
%   Example
%     file = [tempname() '.mat'];
%     gm_save([5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5], file);
%     P = gm_load(file); delete(file);
%
%   See also GM_LOAD, GM_SOLVE.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_save: give a problem and the name of a file');
  end
  if isstruct(problem) && isscalar(problem) && isfield(problem, 'labels') && isfield(problem, 'status')
    pairs = gm_pairs('gm_save', varargin, {'version'});
    request = struct('target', gm_text('gm_save', 'file', file));
    if isfield(pairs, 'version')
      request.version = gm_version(pairs.version);
    end
    gm_call('save_result', request, struct(), {problem});
    return
  end
  [request, arrays, problems, pairs] = gm_request('gm_save', problem, varargin);
  if isfield(pairs, 'version')
    request.version = gm_version(pairs.version);
    pairs = rmfield(pairs, 'version');
  end
  gm_refuse('gm_save', request, arrays, pairs, {'Ct', 'shape', 'sense', 'complete', 'key', 'version'});
  request.target = gm_text('gm_save', 'file', file);
  gm_call('save_problem', request, arrays, problems);
end

function text = gm_version(value)
% '7.3', '-v7.3' and 7.3 are one version.
  if isnumeric(value)
    value = num2str(value);
  end
  text = regexprep(gm_text('gm_save', 'version', value), '^-?v', '');
end

%!test
%! file = [tempname() '.mat'];
%! K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];
%! gm_save(K, file); S = load(file); delete(file);
%! assert(full(S.K), K); assert(S.sense, 'max')
