% gm_batch: matrices, files and structs with several methods; a broken file costs only its own runs.
folder = fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'batch');
mkdir(folder);
K = [5 0 0 2; 0 1 1 0; 0 1 1 0; 2 0 0 5];
gm_save(K, fullfile(folder, 'good.mat'));
problem = gm_load(fullfile(folder, 'good.mat'));
file = fopen(fullfile(folder, 'broken.mat'), 'w');
fputs(file, 'no mat file');
fclose(file);

here = cd(folder);
runs = gm_batch({K, 'good.mat', problem, 'broken.mat'}, {'fw', 'sm'}, 'n_jobs', 1, 'time_limit', 5, 'seed', 1);
cd(here);
assert(numel(runs), 8)
assert({runs.instance}, {'problem1', 'problem1', 'good', 'good', 'problem3', 'problem3', 'broken', 'broken'})
assert({runs.method}, repmat({'fw', 'sm'}, 1, 4))
assert([runs.value], [14 14 14 14 14 14 NaN NaN])
assert({runs(1:6).outcome}, repmat({'ok'}, 1, 6))
assert(strcmp(runs(7).outcome, 'error') && ~isempty(strfind(runs(7).reason, 'broken.mat')))
for k = 1:6
  assert(runs(k).labels, [1; 2])
  assert(runs(k).seed == 1 && runs(k).time > 0 && size(runs(k).trace, 2) == 3 && isstruct(runs(k).options))
end
assert(isempty(runs(7).labels))
printed = evalc('gm_batch(K, ''fw'')');
assert(~isempty(strfind(printed, 'problem1')) && ~isempty(strfind(printed, '14')))
runs = gm_batch(K, 'all', 'time_limit', 5);
assert(numel(runs), numel(gm_methods()) - 1)  % all but auto, which runs one of them
assert(all([runs.value] == 14) && isequal(gm_batch({K; K}, {'fw'; 'sm'})(4).value, 14))
check_error(@() gm_batch(K, {}), 'gmtoolbox:InputError', 'at least one method')
check_error(@() gm_batch({}, 'fw'), 'gmtoolbox:InputError', 'at least one')
check_error(@() gm_batch(K, {'fw', 3}), 'gmtoolbox:InputError', 'method must be a text')
check_error(@() gm_batch(K), 'gmtoolbox:InputError', 'give problems and methods')
check_error(@() gm_batch(K, 'nothing'), 'gmtoolbox:UnknownMethodError', 'nothing')
check_error(@() gm_batch(K, 'fw', 'n_jobs', 0.5), 'gmtoolbox:InputError', 'n_jobs')
check_error(@() gm_batch(K, 'fw', 'store', 3), 'gmtoolbox:InputError', 'store must be a text')
check_error(@() gm_batch(K, 'fw', 'resume', 'yes'), 'gmtoolbox:InputError', 'resume must be true or false')
check_error(@() gm_batch(K, 'fw', 'jobs', 2), 'gmtoolbox:OptionError', 'it has time_limit, n_jobs')
check_error(@() gm_batch({{K}}, 'fw'), 'gmtoolbox:InputError', 'K must be a numeric matrix')

% a missing file is a warning, and has its row; so has a pattern without files
lastwarn('', '');
runs = gm_batch({'nowhere.mat', K, 'nothing*.mat'}, 'fw');
[text, identifier] = lastwarn();
assert(strcmp(identifier, 'gmtoolbox:Warning') && ~isempty(strfind(text, 'nothing')))
assert({runs.outcome}, {'error', 'ok', 'error'})
assert({runs.instance}, {'nowhere', 'problem2', 'nothing*'})
assert(~isempty(strfind(runs(1).reason, 'nowhere.mat')))

% options go to the methods that have them; progress is printed
lastwarn('', '');
printed = evalc('runs = gm_batch(K, {''fw'', ''sm''}, ''options'', struct(''restarts'', 2), ''progress'', true);');
[text, identifier] = lastwarn();
assert(~isempty(strfind(text, 'sm')) && ~isempty(strfind(text, 'restarts')) && runs(1).options.restarts == 2)
assert(~isempty(strfind(printed, '2/2 runs done')))
check_error(@() gm_batch(K, {'fw', 'sm'}, 'options', struct('maxitre', 2)), 'gmtoolbox:OptionError', 'did you mean ''maxiter''')

% a store answers for the same problem only, whatever its name
store = fullfile(folder, 'runs.db');
one = gm_batch(K, 'fw', 'store', store, 'time_limit', 5);
two = gm_batch(2 * K, 'fw', 'store', store, 'time_limit', 5);
again = gm_batch(sparse(K), 'fw', 'store', store, 'time_limit', 5);
assert(one.value == 14 && two.value == 28 && again.value == 14)
assert(strcmp(one.instance, two.instance) && ~strcmp(one.problem, two.problem))
assert(strcmp(one.started, again.started) && numel(one.problem) == 32)
mkdir('d1'); mkdir('d2');
gm_save(K, fullfile('d1', 'a.mat'));
gm_save(3 * K, fullfile('d2', 'a.mat'));
runs = gm_batch({fullfile('d1', 'a.mat'), fullfile('d2', 'a.mat')}, 'fw', 'store', store, 'time_limit', 5);
assert(isequal([runs.value], [14 42]) && strcmp(runs(1).started, one.started))
