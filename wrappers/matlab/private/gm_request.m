function [request, arrays, problems] = gm_request(caller, source, list)
%GM_REQUEST  A problem (matrix, file name or struct) and name-value pairs, ready for gm_call.
%   request   struct of texts and scalars, the method's options in request.options
%   arrays    struct of matrices: K, Ct, shape, init
%   problems  {the problem struct}, or {} when there is none
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
  pairs = gm_pairs(caller, list);
  for name = {'Ct', 'shape', 'init'}
    if isfield(pairs, name{1})
      arrays.(name{1}) = gm_matrix(caller, name{1}, pairs.(name{1}));
      pairs = rmfield(pairs, name{1});
    end
  end
  for name = {'sense', 'complete'}
    if isfield(pairs, name{1})
      request.(name{1}) = pairs.(name{1});
      pairs = rmfield(pairs, name{1});
    end
  end
  for name = fieldnames(pairs)'
    value = pairs.(name{1});
    if ~ischar(value) && ~((isnumeric(value) || islogical(value)) && isscalar(value))
      error('gmtoolbox:OptionError', '%s: option ''%s'' must be a number or a text, got a %s of size %s', ...
            caller, name{1}, class(value), mat2str(size(value)));
    end
  end
  request.options = pairs;
end
