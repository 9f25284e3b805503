function varargout = gm_server(action, varargin)
%GM_SERVER  The one Python process of this session: started by the first call, kept until the end.
%   stem = gm_server('begin')                begin a call, whose files are stem.in.mat, ...
%   [id, message] = gm_server('ask', verb)   send it and wait; id is empty after success
%   gm_server('end')                         remove the files of the call. If it was left
%                                            without an answer (Ctrl-C), end the process, too
%   gm_server('stop')                        end the process
  persistent server
  mlock  % 'clear all' must not lose the process
  switch action
    case 'begin'
      if ~isempty(server) && ~exist(server.folder, 'dir')
        gm_server('stop');  % the process left, or someone swept the temporary folder
      end
      if isempty(server)
        [python, origin] = gm_python();
        server = launch(python, origin);
        server = greet(server, python, origin);
      end
      server.serial = server.serial + 1;
      varargout = {stem_of(server)};
    case 'ask'
      server.busy = true;
      [answered, varargout{1:2}] = ask(server, varargin{1});
      server.busy = ~answered;
    case 'end'
      if ~isempty(server) && server.busy
        gm_server('stop');
      elseif ~isempty(server)
        remove_files([stem_of(server) '.*']);
      end
    case 'stop'
      if ~isempty(server)
        stopped = server;
        server = [];
        stopped.process.kill();
        gm_rmdir(stopped.folder);
      end
  end
end

function server = launch(python, origin)
  code = ['import sys; hook, sys.excepthook = sys.excepthook, lambda *error: None; ' import_code() '; ' ...
          'sys.excepthook = hook; main()'];  % an import that fails is told by greet
  try
    process = gm_process(python, {'-c', code});
  catch problem
    no_python(python, origin, problem.message);
  end
  server = struct('process', process, 'folder', '', 'serial', 0, 'busy', true);
end

function server = greet(server, python, origin)
% Wait for the process's first line, which names its folder.
  protocol = '1';
  line = read_line(server.process);
  words = regexp(line, '^ready (\S+) (\S+) (.*)$', 'tokens', 'once');
  if isempty(words)
    [~, said] = system(['"' python '" -c "' import_code() '" 2>&1']);
    said = strsplit(strtrim(said), char(10));
    if isempty(said{end})
      said = {'nothing'};
    end
    no_python(python, origin, said{end});
  elseif ~strcmp(words{1}, protocol)
    no_python(python, origin, sprintf('it has gmtoolbox %s, these .m files are of another version', words{2}));
  end
  server.folder = words{3};
  server.busy = false;
end

function no_python(python, origin, reason)
  error('gmtoolbox:NoPython', ['Python with gmtoolbox could not be started.\n  tried: %s (%s)\n  it said: %s\n' ...
        'Install the package there (%s -m pip install gmtoolbox), or choose another Python with\n' ...
        'gm_setup(''python'', FILE) or the environment variable GMTOOLBOX_PYTHON.'], python, origin, reason, python);
end

function [answered, identifier, message] = ask(server, verb)
  identifier = '';
  message = '';
  server.process.write(sprintf('%s %d\n', verb, server.serial));
  while true
    line = read_line(server.process);
    words = regexp(line, '^(line|done|fail) (\d+) ?(.*)$', 'tokens', 'once');
    answered = ~isempty(words);
    if ~answered
      identifier = 'gmtoolbox:PythonDied';
      message = ['The Python process of gmtoolbox ended in the middle of a call (out of memory, or killed?). ' ...
                 'The next call starts a new one; gm_setup says which Python that is.'];
      return
    end
    if ~strcmp(words{2}, sprintf('%d', server.serial))
      continue  % of a call that was given up
    end
    switch words{1}
      case 'line'
        fprintf('%s\n', words{3});
        flush_output();
      case 'done'
        return
      case 'fail'
        [identifier, message] = gm_failure(words{3});
        return
    end
  end
end

function line = read_line(process)
% The next whole line without its end, or '' when the process is gone. Waiting in short pauses
% keeps Ctrl-C working; they grow to 2 % of the time already waited, at most 20 ms.
  line = '';
  started = tic;
  while isempty(line) || line(end) ~= char(10)
    [piece, open] = process.read();
    line = [line piece];  %#ok<AGROW>
    if ~open
      line = '';
      return
    elseif isempty(piece)
      pause(min(max(5e-4, 0.02 * toc(started)), 0.02));
    end
  end
  line = line(1:end - 1);
end

function stem = stem_of(server)
  stem = fullfile(server.folder, sprintf('%d', server.serial));
end

function flush_output()
  if gm_is_octave()
    fflush(stdout);
  end
end

function remove_files(pattern)
  if ~isempty(dir(pattern))
    delete(pattern);
  end
end

function code = import_code()
% The current folder must not shadow Python's modules; a source tree that is not installed is found last. Its
% name goes as a list of numbers, so that no quote or letter of it can upset the code it stands in.
  code = sprintf(['import sys; sys.path[:] = [p for p in sys.path if p] + [bytes([%s]).decode()]; ' ...
                  'from gmtoolbox.wrappers.server import main'], sprintf('%d,', unicode2native(gm_root(), 'UTF-8')));
end
