"""Matrices of every SciPy format give the answer of the array; entries that doubles do not hold are
refused by every function that takes a matrix.
"""

import numpy as np
import pytest
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.compat.graspologic import graph_match
from gmtoolbox.compat.pygmtools import hungarian

A = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
C = np.array([[3.0, 1.0, 2.0], [1.0, 4.0, 9.0], [2.0, 6.0, 5.0]])
K = np.kron(A, A) + np.diag(np.arange(1.0, 10.0))
models = gm.models

OF_NUMBERS = {  # a matrix of numbers -> the value of the answer
    "gm_solve": lambda M: gm.gm_solve(M, shape=(3, 3)).value,
    "from_graphs": lambda M: gm.gm_solve(models.from_graphs(M, A)).value,
    "overlap": lambda M: gm.gm_solve(models.from_graphs(A, M, overlap="min")).value,
    "similarity": lambda M: gm.gm_solve(models.from_graphs(A, A, similarity=M)).value,
    "from_layers": lambda M: gm.gm_solve(models.from_layers([M], [A])).value,
    "from_koopmans_beckmann": lambda M: gm.gm_solve(models.from_koopmans_beckmann(M, A)).value,
    "linear part": lambda M: gm.gm_solve(models.from_koopmans_beckmann(A, A, M)).value,
    "from_costs": lambda M: gm.gm_solve(models.from_costs(M)).value,
    "assign": lambda M: gm.assign(M).value,
    "quadratic_assignment": lambda M: gm.quadratic_assignment(M, A).fun,
    "graph_match": lambda M: graph_match(M, A).score,
    "align_graphs": lambda M: gm.align_graphs(M, A, maximise="s3").value,
}
OF_LABELS = {  # the entries are labels of edges
    "graph_edit_distance": lambda M: gm.graph_edit_distance(M, A).value,
    "maximum_common_subgraph": lambda M: gm.maximum_common_subgraph(M, A).value,
}
OF_ARRAYS = {  # a sparse matrix is not taken
    "from_features": lambda M: models.from_features(M, C),
    "from_points": lambda M: models.from_points(M, C),
    "hungarian": hungarian,
}


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dok", "lil", "bsr", "dia"])
@pytest.mark.parametrize("door", [*OF_NUMBERS, *OF_LABELS])
def test_every_sparse_format_is_the_array(door, format):
    ask, dense = {**OF_NUMBERS, **OF_LABELS}[door], C
    if door == "gm_solve":
        dense = K
    elif door not in ("similarity", "linear part", "from_costs", "assign"):
        dense = A
    for made in (sparse.csr_array, sparse.csr_matrix):
        assert ask(made(dense).asformat(format)) == pytest.approx(ask(dense), rel=1e-12)


@pytest.mark.parametrize("format", ["csr", "dok", "lil"])
def test_negative_entries_are_seen_in_every_format(format):
    with pytest.warns(gm.SenseWarning):
        gm.gm_solve(sparse.csr_array(-K).asformat(format))


OTHERS = {
    "complex": np.array(C, complex),
    "integers that doubles round": np.array(C, np.int64) + 2**60,
    "text": np.array(C, str),
    "dates": np.array(C, "M8[D]"),
    "nothing": np.where(C > 4, None, C),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("door", [*OF_NUMBERS, *OF_ARRAYS])
def test_other_entries_are_refused(door, kind):
    given = np.tile(OTHERS[kind], (3, 3)) if door == "gm_solve" else OTHERS[kind]
    with pytest.raises(gm.InputError):
        {**OF_NUMBERS, **OF_ARRAYS}[door](given)


@pytest.mark.parametrize("kind", ["text", "dates", "nothing"])
@pytest.mark.parametrize("door", OF_LABELS)
def test_labels_of_edges_are_numbers(door, kind):
    with pytest.raises(gm.InputError, match="must be a numeric matrix"):
        OF_LABELS[door](OTHERS[kind])
