function value = subsref(made, places)
% MADE(:) only.
  value = made;
end
