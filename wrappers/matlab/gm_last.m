function [X, info] = gm_last()
%GM_LAST  The best answer of the call that Ctrl-C ended.
%   [X, INFO] = GM_LAST() returns the best answer that [X, INFO] = GM_SOLVE(...) had when it was
%   ended; INFO.status is 'interrupted'.
%
%   Example, after Ctrl-C in GM_SOLVE
%     [X, info] = gm_last();
%
%   See also GM_SOLVE.
  reply = gm_server('rescued');
  if isempty(reply) || ~isfield(reply, 'info')
    error('gmtoolbox:InputError', 'gm_last: no call was ended with an answer in this session');
  end
  X = [];
  if isfield(reply, 'X')
    X = reply.X;
  end
  info = reply.info;
end
