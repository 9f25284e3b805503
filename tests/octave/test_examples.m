% The example of every help runs, in one session.
folder = fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'examples');
mkdir(folder);
here = cd(folder);
warning('off', 'all');
close_all = onCleanup(@() close('all'));
try
  figure('visible', 'off');
  axes();
  draws = true;
catch
  draws = false;
end

function run_example(code)
  evalc(code);
end

n_run = 0;
for file = dir(fullfile(fileparts(which('gm_solve')), '*.m'))'
  [~, name] = fileparts(file.name);
  if strcmp(name, 'Contents') || (strcmp(name, 'gm_plot') && ~draws)
    continue
  end
  text = fileread(fullfile(file.folder, file.name));
  code = regexp(text, '\n%   Example[^\n]*\n((?:%     [^\n]*\n)+)', 'tokens', 'once');
  assert(~isempty(code), name)
  code = regexprep(code{1}, '(^|\n)%', '$1');
  try
    run_example(code);
  catch problem
    if ~strcmp(name, 'gm_last') || isempty(strfind(problem.message, 'no call was ended'))
      error('%s: %s', name, problem.message);
    end
  end
  n_run = n_run + 1;
end
assert(n_run >= 40)
assert(isempty(dir(fullfile(folder, '*.*'))(3:end)))  % and they leave nothing behind
cd(here);
