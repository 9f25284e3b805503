function [identifier, message] = gm_failure(text)
%GM_FAILURE  What Python says of a call: '' after success, else 'IDENTIFIER message' in one line.
  [identifier, message] = strtok(text, ' ');
  message = strrep(message(2:end), char(31), char(10));
end
