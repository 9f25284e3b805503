function varargout = gm_server(action, varargin)
%GM_SERVER  The one Python process of this session: started by the first call, kept until the end.
%   stem = gm_server('begin')                begin a call, whose files are stem.in.mat, ...
%   [id, message] = gm_server('ask', verb, callback)   send it and wait; id is empty after
%                                            success. callback(event) is called at every
%                                            improvement, unless it is empty
%   gm_server('end')                         remove the files of the call. If it was left
%                                            without an answer (Ctrl-C), keep its best answer so far
%   reply = gm_server('rescued')             that answer, or []
%   gm_server('stop')                        end the process
  persistent server rescued
  mlock  % 'clear all' must not lose the process
  switch action
    case 'begin'
      if ~isempty(server) && server.owner ~= process_id()
        server = [];  % a copy of this session made by fork: the process is the other's
      end
      if ~isempty(server) && server.asking
        error('gmtoolbox:Busy', ['Another call of gmtoolbox is under way; a callback cannot begin one. ' ...
              'Let it end first, or use gm_batch for several at a time.']);
      end
      if ~isempty(server) && (~exist(server.folder, 'dir') || ~server.process.alive())
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
      server.asking = true;
      [answered, varargout{1:2}] = ask(server, varargin{1}, varargin{2});
      server.asking = ~answered;
    case 'end'
      if ~isempty(server) && server.asking
        server.asking = false;
        rescued = [];
        if answers_soon(server)
          rescued = load([stem_of(server) '.out.mat']);
          remove_files([stem_of(server) '.*']);
          fprintf('The call was ended; GM_LAST returns the best answer so far.\n');
        else
          gm_server('stop');
        end
      elseif ~isempty(server)
        remove_files([stem_of(server) '.*']);
      end
    case 'rescued'
      varargout = {rescued};
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
          'sys.excepthook = hook; main()'];  % greet reports an import that fails
  try
    process = gm_process(python, {'-c', code});
  catch problem
    if strcmp(problem.identifier, 'gmtoolbox:NoPipes')
      rethrow(problem);
    end
    no_python(python, origin, problem.message);
  end
  server = struct('process', process, 'folder', '', 'serial', 0, 'asking', false, 'owner', process_id());
end

function server = greet(server, python, origin)
% Wait for the process's first line, which names its folder.
  protocol = '3';
  limit = str2double(getenv('GMTOOLBOX_START_SECONDS'));
  if ~(limit > 0)
    limit = 120;
  end
  [line, late] = read_line(server.process, limit);
  words = regexp(line, '^ready (\S+) (\S+) (.*)$', 'tokens', 'once');
  if late
    server.process.kill();
    no_python(python, origin, sprintf('nothing within %g seconds', limit));
  elseif isempty(words)
    [~, said] = system(['"' python '" -c "' import_code() '" 2>&1']);
    said = strsplit(strtrim(said), char(10));
    if isempty(said{end})
      said = {'nothing'};
    end
    no_python(python, origin, said{end});
  elseif ~strcmp(words{1}, protocol)
    server.process.kill();
    no_python(python, origin, sprintf('it has gmtoolbox %s, these .m files are of another version', words{2}));
  end
  server.folder = words{3};
end

function no_python(python, origin, reason)
  error('gmtoolbox:NoPython', ['Python with gmtoolbox could not be started.\n  tried: %s (%s)\n  it said: %s\n' ...
        'Install the package there (%s -m pip install WHEEL), or choose another Python with\n' ...
        'gm_setup(''python'', FILE) or the environment variable GMTOOLBOX_PYTHON.'], python, origin, reason, python);
end

function [answered, identifier, message] = ask(server, verb, callback)
  server.process.write(sprintf('%s %d\n', verb, server.serial));
  while true
    [kind, text] = reply_of(server, Inf);
    answered = true;
    identifier = '';
    message = '';
    switch kind
      case 'gone'
        identifier = 'gmtoolbox:PythonDied';
        message = ['The Python process of gmtoolbox ended in the middle of a call (out of memory, or killed?). ' ...
                   'The next call starts a new one; gm_setup says which Python that is.'];
        return
      case 'line'
        fprintf('%s\n', text);
        flush_output();
      case 'event'
        if ~isempty(callback) && wants_end(callback, text)
          server.process.write(sprintf('stop %d\n', server.serial));
          callback = [];
        end
      case 'warn'
        [identifier, message] = gm_failure(text);
        warning(identifier, '%s', message);
      case 'done'
        return
      case 'fail'
        [identifier, message] = gm_failure(text);
        return
    end
  end
end

function yes = wants_end(callback, text)
% Call the callback with an improvement; a logical true ends the call. A function without an output leaves ans as it is.
  numbers = sscanf(strrep(strrep(text, 'inf', 'Inf'), 'nan', 'NaN'), '%f');
  ans = [];  %#ok<NOANS>
  callback(struct('time', numbers(1), 'value', numbers(2), 'bound', numbers(3), 'iteration', numbers(4)));
  yes = islogical(ans) && ~isempty(ans) && all(ans(:));  %#ok<NOANS>
end

function [kind, text] = reply_of(server, limit)
% The next reply that belongs to the call in hand; kind is 'gone' when the process is, 'late' after the limit.
  started = tic;
  while true
    [line, late] = read_line(server.process, limit - toc(started));
    words = regexp(line, '^(line|event|warn|done|fail) (\d+) ?(.*)$', 'tokens', 'once');
    if late
      kind = 'late';
      text = '';
      return
    elseif isempty(line)
      kind = 'gone';
      text = '';
      return
    elseif ~isempty(words) && str2double(words{2}) == server.serial
      kind = words{1};
      text = words{3};
      return
    end  % else an answer to a call that was given up
  end
end

function yes = answers_soon(server)
% After Ctrl-C: ask for the best answer so far and wait for it a little.
  yes = false;
  try
    server.process.write(sprintf('stop %d\n', server.serial));
    kind = 'line';
    started = tic;
    while any(strcmp(kind, {'line', 'event', 'warn'}))
      kind = reply_of(server, 2 - toc(started));
    end
    yes = strcmp(kind, 'done') && exist([stem_of(server) '.out.mat'], 'file') ~= 0;
  catch
  end
end

function [line, late] = read_line(process, limit)
% The next whole line without its end, or '' when the process is gone or the limit (seconds) is over. Waiting in
% short pauses keeps Ctrl-C working; they grow to 2 % of the time already waited, at most 20 ms.
  line = '';
  late = false;
  started = tic;
  while isempty(line) || line(end) ~= char(10)
    [piece, open] = process.read();
    line = [line piece];  %#ok<AGROW>
    if ~open
      line = '';
      return
    elseif isempty(piece)
      if toc(started) > limit
        line = '';
        late = true;
        return
      end
      pause(min(max(5e-4, 0.02 * toc(started)), 0.02));
    end
  end
  line = line(1:end - 1);
end

function stem = stem_of(server)
  stem = fullfile(server.folder, sprintf('%d', server.serial));
end

function id = process_id()
  if gm_is_octave()
    id = getpid();
  else
    id = feature('getpid');
  end
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
% name goes as a list of numbers, so that no quote or letter of it can upset the code it stands in. One thread for
% matrix products, unless the user's environment asks for more: pools of them cost more than they bring here.
  code = sprintf(['import os, sys; [os.environ.setdefault(n + ''_NUM_THREADS'', ''1'') for n in ''OMP OPENBLAS MKL NUMEXPR''.split()]; ' ...
                  'sys.path[:] = [p for p in sys.path if p] + [bytes([%s]).decode()]; ' ...
                  'from gmtoolbox.wrappers.server import main'], sprintf('%d,', unicode2native(gm_root(), 'UTF-8')));
end
