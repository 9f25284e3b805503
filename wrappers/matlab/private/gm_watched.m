function [request, callback, pairs] = gm_watched(caller, request, pairs)
%GM_WATCHED  Take Display and OutputFcn from the pairs: the lines that a call prints, and the function that it calls.
  callback = [];
  if isfield(pairs, 'Display')
    mode = lower(gm_text(caller, 'Display', pairs.Display));
    if ~any(strcmp(mode, {'off', 'none', 'iter', 'final'}))
      error('gmtoolbox:OptionError', '%s: Display must be ''off'' or ''iter'', got ''%s''', caller, mode);
    end
    request.display = strcmp(mode, 'iter');
    pairs = rmfield(pairs, 'Display');
  end
  if isfield(pairs, 'OutputFcn')
    callback = pairs.OutputFcn;
    if ~isa(callback, 'function_handle')
      error('gmtoolbox:OptionError', '%s: OutputFcn must be a function handle, got a %s', caller, class(callback));
    end
    request.events = true;
    pairs = rmfield(pairs, 'OutputFcn');
  end
end
