function info = gm_wrapper(method, file, list)
%GM_WRAPPER  The body of every wrapper_<method>.m.
  caller = ['wrapper_' strrep(method, '-', '_')];
  [request, arrays, problems, pairs] = gm_request(caller, file, list);
  gm_refuse(caller, struct('options', struct()), struct(), pairs, {'the options of gm_solve'});
  request.method = method;
  reply = gm_call('wrapper', request, arrays, problems);
  info = reply.info;
end
