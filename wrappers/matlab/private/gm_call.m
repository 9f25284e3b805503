function reply = gm_call(verb, request, arrays, problems)
%GM_CALL  Ask the Python process; the variables of its answer as a struct.
%   request   struct of texts and scalars
%   arrays    struct of matrices
%   problems  cell array; what is a problem struct in it is sent, too
%   Arguments and answer travel as .mat files in the process's private folder. The files
%   are gone when this function is left, however that happens.
  request.folder = pwd;
  variables = struct('arguments', request);
  if nargin > 2
    for name = fieldnames(arrays)'
      variables.(name{1}) = arrays.(name{1});
    end
  end
  tidy = onCleanup(@() gm_server('end'));
  stem = gm_server('begin');
  save([stem '.in.mat'], '-struct', 'variables', '-v6');
  if nargin > 3
    for k = 1:numel(problems)
      problem = problems{k};
      if isstruct(problem)
        save(sprintf('%s.problem%d.mat', stem, k), '-struct', 'problem', '-v6');
      end
    end
  end
  [identifier, message] = gm_server('ask', verb);
  if ~isempty(identifier)
    error(identifier, '%s', message);
  end
  if nargout > 0
    reply = load([stem '.out.mat']);
  end
end
