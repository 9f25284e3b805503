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
assert(isequal(plain.KP, asked.KP) && ~isequal(plain.KP, other.KP))
