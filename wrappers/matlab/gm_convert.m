function gm_convert(source, target, varargin)
%GM_CONVERT  Convert a graph matching file to another format.
%   GM_CONVERT(FILE1, FILE2) reads any format of GM_LOAD and writes the one that the suffix of
%   FILE2 names. Name-value pairs are those of GM_SAVE.
%
%   Example
%     file = [tempname() '.dd']; gm_save(-magic(4), file, 'sense', 'min');
%     gm_convert(file, strrep(file, '.dd', '.mat'));
%     delete(file); delete(strrep(file, '.dd', '.mat'));
%
%   See also GM_LOAD, GM_SAVE.
  if nargin < 2
    error('gmtoolbox:InputError', 'gm_convert: give the names of two files');
  end
  gm_save(gm_text('gm_convert', 'the first file', source), target, varargin{:});
end
