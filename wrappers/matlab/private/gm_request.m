function [request, arrays, problems, pairs] = gm_request(caller, source, list)
%GM_REQUEST  A problem (matrix, file name or struct) and name-value pairs, ready for gm_call.
%   request   struct of texts and scalars, the method's options in request.options
%   arrays    struct of matrices: K, Ct, shape, init, and the originals' L12, group1, group2, E12
%   problems  {the problem struct}, or {} when there is none
%   pairs     the pairs that are no option of a method and no array: OutputFcn, Display, version
  request = struct();
  arrays = struct();
  problems = {};
  if isa(source, 'string') || ischar(source)
    request.path = gm_text(caller, 'file', source);
  elseif isstruct(source)
    problems = {gm_problem(caller, source)};
  else
    arrays.K = gm_matrix(caller, 'K', source);
  end
  options = gm_pairs(caller, list);
  pairs = struct();
  for name = fieldnames(options)'
    value = options.(name{1});
    group = place_of(name{1});
    switch group{1}
      case 'array'
        arrays.(group{2}) = gm_matrix(caller, group{2}, value);
      case 'request'
        request.(group{2}) = value;
      case 'reading'
        request.reading.(group{2}) = gm_text(caller, group{2}, value);
      case 'pair'
        pairs.(group{2}) = value;
    end
    if ~isempty(group{1})
      options = rmfield(options, name{1});
    end
  end
  request.options = options;
end

function group = place_of(name)
% {kind, the name as Python knows it}; the kind is '' for an option of a method.
  kinds = {'array', {'Ct', 'shape', 'init', 'L12', 'group1', 'group2', 'E12'}
           'request', {'sense', 'complete'}
           'reading', {'key'}
           'pair', {'OutputFcn', 'Display', 'version'}};
  for k = 1:size(kinds, 1)
    found = kinds{k, 2}(strcmpi(name, kinds{k, 2}));
    if ~isempty(found)
      group = {kinds{k, 1}, found{1}};
      return
    end
  end
  group = {'', name};
end
