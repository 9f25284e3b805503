% Every method through gm_solve.m gives what Python gives: a matrix, a masked rectangular matrix and a file.
data = load(fullfile(getenv('GMTOOLBOX_TEST_FOLDER'), 'cases.mat'));
listed = gm_methods();
assert(isequal(unique({data.cases.method}), sort({listed.name})))
for k = 1:numel(data.cases)
  c = data.cases(k);
  pairs = {'maxiter', c.maxiter, 'seed', 3};
  switch c.kind
    case 'matrix'
      [X, info] = gm_solve(data.K, c.method, pairs{:});
    case 'mask'
      [X, info] = gm_solve(data.rectangle, c.method, 'Ct', data.Ct, 'complete', false, pairs{:});
    case 'file'
      [X, info] = gm_solve(data.file, c.method, pairs{:});
  end
  where = [c.method ' ' c.kind];
  assert(isequal(X, c.expected.X), where)
  for name = fieldnames(c.expected)'
    if ~strcmp(name{1}, 'X')
      assert(isequaln(info.(name{1}), c.expected.(name{1})), [where ': ' name{1}])
    end
  end
  assert(isequal(X, full(sparse(find(info.labels), nonzeros(info.labels), 1, rows(X), columns(X)))), where)
  assert(info.time > 0 && size(info.trace, 2) == 3 && info.trace(end, 2) == info.value, where)
end
