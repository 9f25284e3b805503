function value = python_call(name, varargin)
% Call a Python function as MATLAB's py. does, in a Python that lives as long as Octave.
  persistent in out
  mlock
  if isempty(in)
    side = fullfile(fileparts(mfilename('fullpath')), 'python_side.py');
    [in, out] = popen2(getenv('GMTOOLBOX_PYTHON'), {side});
  end
  named = struct();
  arguments = {};
  for k = 1:numel(varargin)
    if isstruct(varargin{k})  % made by pyargs
      named = varargin{k};
    else
      assert(ischar(varargin{k}) && size(varargin{k}, 1) == 1, 'only texts have one meaning in all versions of MATLAB')
      arguments{end + 1} = varargin{k};
    end
  end
  fprintf(in, '%s\n', jsonencode(struct('function', name, 'arguments', {arguments}, 'named', named)));
  fflush(in);
  while true
    [word, text] = strtok(read_line(out), ' ');
    text = text(2:end);
    switch word
      case 'out'
        puts([text "\n"]);
      case 'value'
        value = text;
        return
      otherwise
        error('MATLAB:Python:PyException', '%s', text)
    end
  end
end

function line = read_line(out)
  line = '';
  while isempty(line) || line(end) ~= "\n"
    piece = fgets(out);
    if ischar(piece)
      line = [line piece];
    else
      fclear(out);
      pause(0.002);
    end
  end
  line = line(1:end - 1);
end
