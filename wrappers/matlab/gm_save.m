function gm_save(problem, file, varargin)
%GM_SAVE  Write a graph matching problem to a file.
%   GM_SAVE(P, FILE) writes a problem made by GM_LOAD; the suffix of FILE decides the
%   format: .mat, .dd, .dd.gz, .dd.xz, .h5. The file appears whole or not at all.
%
%   GM_SAVE(K, FILE, NAME, VALUE, ...) writes an affinity matrix; 'Ct', 'shape', 'sense'
%   and 'complete' are those of GM_SOLVE. GM_SAVE(FILE1, FILE2) converts a file.
%
%   See also GM_LOAD, GM_SOLVE.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_save: give a problem and the name of a file');
  end
  [request, arrays, problems] = gm_request('gm_save', problem, varargin);
  extra = fieldnames(request.options);
  if ~isempty(extra) || isfield(arrays, 'init')
    extra{end + 1} = 'init';
    error('gmtoolbox:OptionError', 'gm_save: ''%s'' is no argument of gm_save; it has Ct, shape, sense, complete', extra{1});
  end
  request.target = gm_text('gm_save', 'file', file);
  gm_call('save_problem', request, arrays, problems);
end
