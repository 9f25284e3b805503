% The study's wrapper: read a file with transforms applied, solve it, print the study's lines.
K = kron(eye(3), ones(3)) + diag([5 0 0 0 5 0 0 0 5]);
file = [tempname() '_bn.mat'];
gm_save(gm_transform(K, '_bn'), file);
info = wrapper_rrwm(file);
delete(file);
