% One process for the whole session, whatever is cleared; a new one when it or its folder is gone.
about = gm_setup();
setenv('FIRST_PID', num2str(about.pid));
clear all  % must not lose the process
about = gm_setup();
assert(about.pid == str2double(getenv('FIRST_PID')))
K = eye(4);
gm_solve(K, 'fw');
again = gm_setup();
assert(about.pid == again.pid)
pid = again.pid;
folder = dir(fullfile(getenv('TMPDIR'), 'gmtoolbox-*'));
assert(numel(folder), 1)
confirm_recursive_rmdir(false, 'local');
rmdir(fullfile(getenv('TMPDIR'), folder.name), 's');  % swept away
assert(isequal(gm_solve(K, 'fw'), eye(2)))
about = gm_setup();
assert(about.pid ~= pid)
check_error(@() gm_setup('python', fullfile('nowhere', 'python')), 'gmtoolbox:NoPython', 'could not be started')
again = gm_setup();  % the one before is still chosen
assert(strcmp(about.python, again.python))
gm_setup('stop');
again = gm_setup();
assert(about.pid ~= again.pid)
