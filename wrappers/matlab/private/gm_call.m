function reply = gm_call(verb, request, arrays, problems)
%GM_CALL  Ask Python; the variables of its answer as a struct.
%   request   struct of texts and scalars
%   arrays    struct of matrices
%   problems  cell array; what is a problem struct in it is sent, too
%   Arguments and answer travel as .mat files in a private folder. The files are gone when
%   this function is left, however that happens.
  request.folder = pwd;
  request.octave = gm_is_octave();
  variables = struct('arguments', request);
  if nargin > 2
    for name = fieldnames(arrays)'
      variables.(name{1}) = arrays.(name{1});
    end
  end
  link = @gm_server;
  if strcmp(getenv('GMTOOLBOX_BRIDGE'), 'py') && ~strcmp(verb, 'batch')  % a batch starts processes, which MATLAB is not made for
    link = @gm_inside;
  end
  tidy = onCleanup(@() link('end'));
  stem = link('begin');
  write_file([stem '.in.mat'], variables);
  if nargin > 3
    for k = 1:numel(problems)
      if isstruct(problems{k})
        write_file(sprintf('%s.problem%d.mat', stem, k), problems{k});
      end
    end
  end
  [identifier, message] = link('ask', verb);
  if ~isempty(identifier)
    error(identifier, '%s', message);
  end
  if nargout > 0
    reply = load([stem '.out.mat']);
  end
end

function write_file(file, variables)
  memory = whos('variables');
  if memory.bytes >= 2^31
    error('gmtoolbox:InputError', ['the arguments take %.1f GB, but a call can take 2 GB only; ' ...
          'save them to a file (with MATLAB: -v7.3) and give its name'], memory.bytes / 1e9);
  end
  save(file, '-struct', 'variables', '-v6');
end
