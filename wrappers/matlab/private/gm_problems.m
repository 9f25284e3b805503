function [files, problems] = gm_problems(caller, given)
%GM_PROBLEMS  A list of problems, ready for gm_call.
%   files     row cell array with the name of each file, '' if a problem is not a file
%   problems  row cell array with the struct of each problem that is not a file
  if isa(given, 'string')
    given = cellstr(given);
  elseif ~iscell(given)
    given = {given};
  end
  problems = given(:)';
  files = cell(1, numel(problems));
  for k = 1:numel(problems)
    files{k} = '';
    if ischar(problems{k}) || isa(problems{k}, 'string')
      files{k} = gm_text(caller, 'file', problems{k});
    elseif isstruct(problems{k})
      problems{k} = gm_problem(caller, problems{k});
    else
      problems{k} = struct('K', gm_matrix(caller, 'K', problems{k}));
    end
  end
end
