function check_error(action, identifier, words)
% The action fails with that identifier and a message that holds the words.
  try
    action();
  catch problem
    assert(problem.identifier, identifier)
    assert(~isempty(strfind(problem.message, words)), [problem.message ' lacks: ' words])
    return
  end
  error('no error, but expected %s: %s', identifier, words)
end
