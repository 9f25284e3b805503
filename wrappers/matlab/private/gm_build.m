function problem = gm_build(caller, builder, names, given, pairs)
%GM_BUILD  The problem that a builder of gmtoolbox.models makes of two arrays and options.
%   names   of the two arrays, for errors
%   given   {first, second}
  arrays = struct('first', gm_matrix(caller, names{1}, given{1}), 'second', gm_matrix(caller, names{2}, given{2}));
  request = struct('builder', builder, 'options', struct());
  for name = fieldnames(pairs)'
    value = pairs.(name{1});
    if ischar(value) || (isscalar(value) && ~any(strcmp(name{1}, {'F1', 'F2', 'similarity'})))
      request.options.(name{1}) = value;
    elseif isa(value, 'uint8') && any(strcmp(name{1}, {'F1', 'F2'})) && ndims(value) == 2
      arrays.(['array_' name{1}]) = value;  % bytes of binary descriptors stay bytes
    else
      arrays.(['array_' name{1}]) = gm_matrix(caller, name{1}, value);
    end
  end
  problem = gm_call('build', request, arrays);
end
