function info = gm_wrapper(method, file, list)
%GM_WRAPPER  The body of every wrapper_<method>.m.
  caller = ['wrapper_' strrep(method, '-', '_')];
  [request, arrays, problems] = gm_request(caller, file, list);
  request.method = method;
  reply = gm_call('wrapper', request, arrays, problems);
  info = reply.info;
end
