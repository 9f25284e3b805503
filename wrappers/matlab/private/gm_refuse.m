function gm_refuse(caller, request, arrays, pairs, names)
%GM_REFUSE  An error for arguments of gm_solve that the caller does not use.
%   names   the arguments that it has
  extra = [fieldnames(request.options); fieldnames(pairs)];
  for name = {'init', 'L12', 'group1', 'group2', 'E12'}
    if isfield(arrays, name{1})
      extra{end + 1} = name{1};  %#ok<AGROW>
    end
  end
  if ~isempty(extra)
    error('gmtoolbox:OptionError', '%s: ''%s'' is not an argument of %s%s; it has %s', caller, extra{1}, caller, ...
          gm_meant(extra{1}, names), strjoin(names, ', '));
  end
end
