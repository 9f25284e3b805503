% The RRWM demo: accuracy of four methods on 20 points whose positions are disturbed more and more.
n = 20;
methods = {'rrwm', 'sm', 'ipfps', 'ga'};
noise = 0:0.05:0.2;
tests = 3;
accuracy = zeros(numel(noise), numel(methods));
distances = @(P) sqrt((P(:, 1) - P(:, 1)').^2 + (P(:, 2) - P(:, 2)').^2);
for i = 1:numel(noise)
  for test = 1:tests
    P = randn(n, 2);
    truth = randperm(n);
    Q(truth, :) = P + noise(i) * randn(n, 2);
    difference = reshape(distances(P), [n 1 n 1]) - reshape(distances(Q), [1 n 1 n]);
    K = reshape(exp(-difference.^2 / 0.1), n^2, n^2);
    for j = 1:numel(methods)
      [X, info] = gm_solve(K, methods{j}, 'shape', [n n]);
      accuracy(i, j) = accuracy(i, j) + gm_accuracy(info, truth) / tests;
    end
  end
end
fprintf('noise %s\n', sprintf('%7s', methods{:}));
fprintf('%5.2f %6.2f %6.2f %6.2f %6.2f\n', [noise' accuracy]');
