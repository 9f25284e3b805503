function [identifier, message] = gm_failure(text)
%GM_FAILURE  The message of Python about a call: '' after success, else 'IDENTIFIER message'.
  [identifier, message] = strtok(text, ' ');
  message = message(2:end);
end
