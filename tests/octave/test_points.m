% Points in columns, as FGM, Cho's demos and Location' have them, are named in a warning or in the error.
warning('on', 'gmtoolbox:Shape');
P = rand(10, 2);
for points = {P, rand(10, 3), rand(2, 2), rand(3, 3), rand(3, 2), rand(2, 3)}
  lastwarn('', '');
  gm_points(points{1}, points{1}, 'edges1', 'full', 'edges2', 'full');
  assert(isempty(lastwarn()))
end
for columns = {P', rand(3, 10), rand(2, 4)}
  lastwarn('', '');
  gm_points(columns{1}, columns{1}, 'edges1', 'full', 'edges2', 'full');
  [text, identifier] = lastwarn();
  assert(identifier, 'gmtoolbox:Shape')
  assert(~isempty(strfind(text, 'P.'' and Q.'' if points are columns')))
end
check_error(@() gm_points(P', rand(2, 12)), 'gmtoolbox:InputError', 'points are rows: give P.'' and Q.'' if they are columns')

% bytes of binary descriptors stay bytes and are compared bit by bit
points = rand(12, 2);
bytes = uint8(floor(256 * rand(12, 32)));
flipped = bitxor(bytes, uint8(128 * (rand(12, 32) < 0.4)));
plain = gm_points(points, points, 'F1', bytes, 'F2', flipped);
asked = gm_points(points, points, 'F1', bytes, 'F2', flipped, 'metric', 'hamming');
other = gm_points(points, points, 'F1', bytes, 'F2', flipped, 'metric', 'euclidean');
costs = @(P) gm_expand(P).KP;
assert(isequal(costs(plain), costs(asked)) && ~isequal(costs(plain), costs(other)))
assert(class(plain.options.F1), 'uint8')

% whole doubles are integers; a struct has what it was made of, and K on demand
near = gm_points(points, points, 'k', 3);
assert(nnz(gm_expand(near).Ct), 36)
assert(near.options.k == 3 && strcmp(near.model, 'points') && ~isfield(near, 'K'))
[~, info] = gm_solve(near);
[~, again] = gm_solve(gm_expand(near));
assert(info.value, again.value, 1e-12)
near.points2 = near.points2 + 1;  % an edit of the points is another problem
assert(gm_expand(near).points2, points + 1)
check_error(@() gm_solve(rmfield(near, 'points1')), 'gmtoolbox:InputError', 'has no field points1')

% a hundred full points are a small struct
many = rand(100, 2);
full = gm_points(many(1:40, :), many(1:40, :), 'edges1', 'full', 'edges2', 'full');
memory = whos('full');
assert(memory.bytes < 1e5)
