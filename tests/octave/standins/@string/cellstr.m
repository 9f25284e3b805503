function texts = cellstr(made)
  texts = made.texts;
end
