"""Arrays of odd kinds: masked entries, long doubles, fractions and huge numbers in place of indices
are refused, never read as other numbers; layouts and byte orders change nothing.
"""

import numpy as np
import pytest
from named_case import named_case

import gmtoolbox as gm
from gmtoolbox.compat import pygmtools as pygm
from gmtoolbox.compat.graspologic import graph_match
from gmtoolbox.learning import blackbox_gradient

A = np.array([[0, 2, 1, 3], [2, 0, 0, 1], [1, 0, 0, 4], [3, 1, 4, 0]], float)
B = A[[2, 0, 3, 1]][:, [2, 0, 3, 1]]
C = np.array([[3, 1, 2], [1, 4, 9], [2, 6, 5]], float)
K = np.kron(A[:3, :3], A[:3, :3]) + np.diag(np.arange(1.0, 10.0))
P = np.array([[0, 0], [1, 0], [0, 2], [3, 3]], float)
LINK = np.array([[0, 1], [1, 0]])
models = gm.models
problem = gm.Problem((2, 2), [0, 0, 1, 1], [0, 1, 0, 1], [1.0, 2.0, 3.0, 1.0], complete=True)
pair = gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, -2.0])
pairs = {key: pair for key in ((0, 1), (0, 2), (1, 2))}
TRACKS = [[0, 1], [0, 1]]


def gradient_by(M):
    (found,) = blackbox_gradient([problem], [gm.gm_solve(problem)], [M], 2.0)
    return found.cost.tolist()


OF_NUMBERS = {  # (array, answer)
    "assign": (C, lambda M: gm.assign(M).value),
    "gm_solve": (K, lambda M: gm.gm_solve(M, shape=(3, 3)).value),
    "gm_solve_many": (K, lambda M: gm.gm_solve_many([M], shape=(3, 3))[0].value),
    "from_graphs": (A, lambda M: gm.gm_solve(models.from_graphs(M, B)).value),
    "overlap": (A, lambda M: gm.gm_solve(models.from_graphs(M, B, overlap="min")).value),
    "from_layers": (A, lambda M: gm.gm_solve(models.from_layers([M], [B])).value),
    "from_koopmans_beckmann": (
        A,
        lambda M: gm.gm_solve(models.from_koopmans_beckmann(M, B)).value,
    ),
    "from_costs": (C, lambda M: gm.gm_solve(models.from_costs(M)).value),
    "from_points": (P, lambda M: gm.gm_solve(models.from_points(M, P[::-1])).value),
    "from_distances": (
        C,
        lambda M: models.from_distances(M, [[0, 0], [1, 1], [1, 2]]).edge_cost.tolist(),
    ),
    "Problem": (
        np.array([1.0, 2.0, 3.0, 1.0]),
        lambda M: gm.gm_solve(gm.Problem((2, 2), [0, 0, 1, 1], [0, 1, 0, 1], M)).value,
    ),
    "quadratic_assignment": (A, lambda M: gm.quadratic_assignment(M, B).fun),
    "P0": (np.eye(4), lambda M: gm.quadratic_assignment(A, B, options={"P0": M}).fun),
    "graph_match": (A, lambda M: graph_match(M, B).score),
    "hungarian": (C, lambda M: pygm.hungarian(M).tolist()),
    "sm": (K, lambda M: np.asarray(pygm.sm(M, 3, 3), float).round(3).tolist()),
    "align_graphs": (A, lambda M: gm.align_graphs(M, B, maximise="s3").value),
    "graph_edit_distance": (A, lambda M: gm.graph_edit_distance(M, B).value),
    "edit_distances": (A, lambda M: gm.edit_distances([M, B]).values.tolist()),
    "maximum_common_subgraph": (A, lambda M: gm.maximum_common_subgraph(M, B).value),
    "is_isomorphic": (A, lambda M: gm.is_isomorphic(M, B)),
    "automorphisms": (A, lambda M: gm.automorphisms(M).order),
    "count_subgraphs": (A, lambda M: gm.count_subgraphs(LINK, M)),
    "evaluate": (np.eye(3), lambda M: gm.evaluate(M, [1, 0, 2]).f1),
    "scores": (C, lambda M: gm.evaluate([1, 0, 2], [1, 0, 1], scores=M).mrr),
    "grad_labels": (C[:2, :2], gradient_by),
}
OF_INDICES = {
    "left": (
        np.array([0, 0, 1, 1]),
        lambda M: gm.gm_solve(gm.Problem((2, 2), M, [0, 1, 0, 1], [1.0, 2, 3, 1])).value,
    ),
    "fix": (np.array([[0, 1]]), lambda M: gm.gm_solve(problem.fix(M).problem).value),
    "forbid": (np.array([[0, 0]]), lambda M: gm.gm_solve(problem.forbid(M).problem).value),
    "energy": (np.array([1, 0]), problem.energy),
    "init": (np.array([1, 0]), lambda M: gm.gm_solve(problem, "aj", init=M).value),
    "seeds": (
        np.array([[0, 1]]),
        lambda M: gm.gm_solve(models.from_graphs(A, B, seeds=M)).value,
    ),
    "candidates": (
        np.array([[0, 0], [1, 1], [1, 2], [2, 2], [3, 3]]),
        lambda M: gm.gm_solve(models.from_points(P, P, candidates=M)).value,
    ),
    "accuracy": (np.array([1, 0, 2]), lambda M: gm.accuracy(M, [1, 0, 1])),
    "true labels": (np.array([1, 0, 2]), lambda M: gm.accuracy([1, 0, 1], M)),
    "evaluate": (np.array([1, 0, 2]), lambda M: gm.evaluate(M, [1, 0, 1]).f1),
    "truth": (np.array([1, 0, 2]), lambda M: gm.evaluate([1, 0, 1], M).f1),
    "synchronise": (
        np.array([1, 0]),
        lambda M: gm.synchronise({(0, 1): M, (1, 2): [0, 1]}, (2, 2, 2)).value,
    ),
    "tracks": (
        np.array([0, 1]),
        lambda M: gm.gm_solve_multi(pairs, init=[M, *TRACKS], maxiter=5).value,
    ),
    "truth of tracks": (
        np.array([0, 1]),
        lambda M: gm.MultiProblem(pairs, truth=[M, *TRACKS]).truth[0].tolist(),
    ),
    "track_f1": (np.array([0, 1]), lambda M: gm.track_f1([M, *TRACKS], [TRACKS[0], *TRACKS])),
}
DOORS = {**OF_NUMBERS, **{f"indices: {name}": door for name, door in OF_INDICES.items()}}


class Subclass(np.ndarray):
    """An array of a class of its own."""


def is_first_largest(M):
    """Mark one entry, the largest."""
    chosen = np.zeros(M.shape, bool)
    chosen.ravel()[M.argmax()] = True
    return chosen


def with_gaps(M):
    """Return the same numbers, not contiguous."""
    wide = np.full([2 * size for size in M.shape], 7, M.dtype)
    every = tuple(slice(None, None, 2) for _ in M.shape)
    wide[every] = M
    return wide[every]


def read_only(M):
    M = M.copy()
    M.flags.writeable = False
    return M


LAYOUTS = {
    "list": np.ndarray.tolist,
    "Fortran": np.asfortranarray,
    "gaps": with_gaps,
    "backwards": lambda M: M[::-1].copy()[::-1],
    "read-only": read_only,
    "subclass": lambda M: M.view(Subclass),
    "byte order": lambda M: M.astype(M.dtype.newbyteorder(">")),
    "nothing masked": np.ma.array,
    "half": lambda M: M.astype("f2" if M.dtype.kind == "f" else "i2"),
    "wide": lambda M: M.astype(np.longdouble if M.dtype.kind == "f" else "i8"),
    "unsigned": lambda M: M.astype("u1"),
}


@pytest.mark.parametrize("door", DOORS)
def test_layouts_change_nothing(door):
    given, ask = DOORS[door]
    plain = ask(given)
    for name, laid_out in LAYOUTS.items():
        if door == "evaluate" and name == "list":
            with pytest.raises(gm.InputError, match="must be an array"):
                ask(given.tolist())  # a list of rows is a list of labels
            continue
        with named_case(name):
            np.testing.assert_allclose(ask(laid_out(given)), plain, rtol=2e-3)


@pytest.mark.parametrize("door", DOORS)
def test_masked_entries_are_refused(door):
    given, ask = DOORS[door]
    with pytest.raises(gm.InputError, match="masked"):
        ask(np.ma.array(given, mask=is_first_largest(given)))


@pytest.mark.parametrize("door", OF_NUMBERS)
def test_numbers_that_doubles_do_not_hold_are_refused(door):
    given, ask = OF_NUMBERS[door]
    for huge in (np.longdouble("1e4000"), np.longdouble(1) + np.finfo(np.longdouble).eps):
        if float(huge) == huge:
            pytest.skip("long doubles are doubles here")
        with pytest.raises(gm.InputError):
            ask(np.where(is_first_largest(given), huge, given))


@pytest.mark.parametrize("door", OF_INDICES)
def test_indices_are_whole_numbers_in_their_range(door):
    given, ask = OF_INDICES[door]
    for odd in (given + 0.5, given.astype(str)):
        with pytest.raises(gm.InputError):
            ask(odd)
    if door not in ("accuracy", "true labels"):  # labels without a number of nodes
        with pytest.raises(gm.InputError):
            ask(given + 2**32 * is_first_largest(given))


def test_scores_are_not_a_matching():
    with pytest.raises(gm.InputError, match="0 and 1"):
        gm.evaluate(np.array([[0.1, 0.9], [0.9, 0.1]]), [1, 0])
    with pytest.raises(gm.InputError, match="one label"):
        gm.evaluate([(0, 1), 1], [1, 0])
    with pytest.raises(gm.InputError, match="NaN"):
        models.from_matches(P, P, np.where(np.eye(4) > 0, np.nan, 0.5))
