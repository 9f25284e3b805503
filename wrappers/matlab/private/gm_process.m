function process = gm_process(program, list)
%GM_PROCESS  Start a program with pipes to its standard input and output.
%   process.write(text)          send text
%   [text, open] = process.read()   the text that has arrived, at most one line and never waiting;
%                                open is false after the end of the output
%   process.alive()              whether it still runs
%   process.kill()               end it at once and wait until it is gone
%   Octave has popen2. MATLAB has none and goes through Java, as does Octave with
%   GMTOOLBOX_PIPES=java in the environment (so that this way is tested, too).
  mlock  % the handles die with this file when 'clear all' unloads it
  if gm_has_pipes() && exist('popen2') && ~strcmp(getenv('GMTOOLBOX_PIPES'), 'java')  %#ok<EXIST>
    [in, out, pid] = popen2(program, list);
    process.write = @(text) popen2_write(in, text);
    process.read = @() popen2_read(out, pid);
    process.alive = @() is_child(pid);
    process.kill = @() popen2_kill(in, out, pid);
  elseif gm_has_pipes()
    words = javaObject('java.util.ArrayList');
    for word = [without_own_libraries() {program} list]
      words.add(word{1});
    end
    nowhere = {'/dev/null', 'NUL'};
    builder = javaObject('java.lang.ProcessBuilder', words);
    builder.redirectError(javaObject('java.io.File', nowhere{1 + ispc()}));  % unread, a pipe would fill and block
    child = builder.start();
    writer = javaObject('java.io.OutputStreamWriter', child.getOutputStream(), 'UTF-8');
    reader = javaObject('java.io.BufferedReader', javaObject('java.io.InputStreamReader', child.getInputStream(), 'UTF-8'));
    process.write = @(text) java_write(writer, text);
    process.read = @() java_read(reader, child);
    process.alive = @() logical(child.isAlive());
    process.kill = @() java_kill(child);
  else
    error('gmtoolbox:NoPipes', 'neither popen2 (Octave) nor Java (MATLAB) is there to start a program; run MATLAB with its JVM');
  end
end

function popen2_write(in, text)
  fputs(in, text);
  fflush(in);
end

function [text, open] = popen2_read(out, pid)
  text = fgets(out);
  open = ischar(text) || is_child(pid);
  if ~ischar(text)
    text = '';
    fclear(out);  % the pipe does not block: an empty one looks like its end
  end
end

function popen2_kill(in, out, pid)
  fclose(in);
  fclose(out);
  if is_child(pid)
    kill(pid, SIG().KILL);
    waitpid(pid);
  end
end

function yes = is_child(pid)
  yes = waitpid(pid, WNOHANG()) == 0;
end

function words = without_own_libraries()
% MATLAB puts its own libraries before the system's; Python wants those that it was built with.
  words = {};
  for name = {'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'DYLD_FRAMEWORK_PATH'}
    folders = strsplit(getenv(name{1}), pathsep());
    own = strncmp(folders, matlabroot(), numel(matlabroot()));
    if any(own)
      words{end + 1} = [name{1} '=' strjoin(folders(~own), pathsep())];  %#ok<AGROW>
    end
  end
  if ~isempty(words)
    words = [{'env'} words];
  end
end

function java_write(writer, text)
  writer.write(text);
  writer.flush();
end

function [text, open] = java_read(reader, child)
  text = '';
  open = true;
  if reader.ready()
    text = [char(reader.readLine()) char(10)];
  elseif ~child.isAlive()
    open = logical(reader.ready());  % its last words may have come in between
  end
end

function java_kill(child)
  child.destroyForcibly();
  seconds = javaMethod('valueOf', 'java.util.concurrent.TimeUnit', 'SECONDS');
  child.waitFor(10, seconds);
end
