function arrays = gm_two_graphs(caller, A1, L1, A2, L2)
%GM_TWO_GRAPHS  Two adjacency matrices and their labels, ready for gm_call.
  arrays.A1 = gm_matrix(caller, 'A1', A1);
  arrays.A2 = gm_matrix(caller, 'A2', A2);
  [L1, L2] = gm_labels(caller, {L1, L2}, {'L1', 'L2'});
  if ~isempty(L1) || ~isempty(L2)
    arrays.labels1 = L1;
    arrays.labels2 = L2;
  end
end
