% Labels of nodes are compared by name: cells, char, and MATLAB's string and categorical arrays (stand-ins of them).
addpath(fullfile(fileparts(which('check_error')), 'standins'));
A = [0 1 0; 1 0 2; 0 2 0];
first = {'C', 'C', 'O'};
second = {'C', 'C', 'N'};  % as categories both are [1 1 2]
for make = {@(texts) texts, @(texts) texts', @categorical, @string, @(texts) [texts{:}]}
  for other = {@(texts) texts, @categorical, @string, @(texts) [texts{:}]}
    assert(gm_edit_distance(A, make{1}(first), A, other{1}(second)), 1)
    assert(gm_edit_distance(A, make{1}(first), A, other{1}(first)), 0)
  end
  check_error(@() gm_edit_distance(A, make{1}(first), A, [6 6 8]), 'gmtoolbox:InputError', 'all be texts or all numbers')
  check_error(@() gm_edit_distance(A, [], A, make{1}(first)), 'gmtoolbox:InputError', 'all be texts or all numbers')
end
check_error(@() gm_edit_distance(A, {6, 6, 8}, A, {6, 6, 8}), 'gmtoolbox:InputError', 'cell array of texts')
check_error(@() gm_edit_distance(A, struct(), A, [1 2 3]), 'gmtoolbox:InputError', 'must be labels of the nodes, got a struct')
