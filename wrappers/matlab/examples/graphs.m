% Match two graphs by their adjacency matrices, and check the answer by independent code.
A = [0 1 1 0 0; 1 0 1 0 0; 1 1 0 1 0; 0 0 1 0 1; 0 0 0 1 0];
order = [5 3 1 4 2];
problem = gm_graphs(A, A(order, order));
[X, info] = gm_solve(problem);
fprintf('%d of %d edges kept, %s\n', info.value / 2, nnz(A) / 2, info.status);
gm_verify(problem, info);
