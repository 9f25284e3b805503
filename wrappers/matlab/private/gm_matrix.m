function A = gm_matrix(caller, name, A)
%GM_MATRIX  A numeric or logical matrix as double, or an error that names it.
%   double, because a logical sparse matrix has no standard form in a .mat file.
  if ~(isnumeric(A) || islogical(A)) || ndims(A) ~= 2
    error('gmtoolbox:InputError', '%s: %s must be a numeric matrix, got a %s of size %s', caller, name, class(A), mat2str(size(A)));
  end
  A = double(A);
end
