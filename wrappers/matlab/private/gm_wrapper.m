function info = gm_wrapper(method, file, list)
%GM_WRAPPER  The body of every wrapper_<method>.m.
  caller = ['wrapper_' strrep(method, '-', '_')];
  [request, arrays, problem] = gm_request(caller, file, list);
  request.method = method;
  reply = gm_call('wrapper', request, arrays, problem);
  info = reply.info;
end
