function numbers = double(made)
  [~, ~, numbers] = unique(made.texts);
end
