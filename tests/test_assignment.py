"""Linear assignment against enumeration, in every form of the matrix."""

import copy
import math
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from repetition import times
from scipy import sparse
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm
from gmtoolbox.assignment import assign_small
from gmtoolbox.core._ffi import lib
from gmtoolbox.core.result import Result
from gmtoolbox.engine.kernels import run_briefly
from gmtoolbox.engine.progress import Budget


def enumerate_best(C, unmatched):
    """Smallest sum over all matchings, by listing them: columns or None for each row."""
    n1, n2 = C.shape
    if n1 > n2:
        return enumerate_best(C.T, unmatched)
    best = math.inf
    padded = [*range(n2), *([None] * n1 if unmatched is not None else [])]
    for columns in set(permutations(padded, n1)):
        pairs = [(i, s) for i, s in enumerate(columns) if s is not None]
        cost = sum(C[i, s] for i, s in pairs)
        best = min(best, cost + (n1 - len(pairs)) * (unmatched or 0.0))
    return best


def random_matrix(rng):
    shape = rng.integers(1, 5, 2)
    C = rng.integers(-4, 5, shape) / 2 if rng.random() < 0.5 else rng.normal(size=shape)
    C = np.where(rng.random(shape) < 0.25, math.inf, C)
    return C, None if rng.random() < 0.5 else float(rng.normal())


def stored(C):
    """The finite entries as a sparse matrix, zeros included."""
    rows, columns = np.nonzero(np.isfinite(C))
    return sparse.coo_array((C[rows, columns], (rows, columns)), shape=C.shape)


@pytest.mark.parametrize("form", ["dense", "sparse", "maximised"])
def test_against_enumeration(form):
    rng = np.random.default_rng(7)
    for _ in range(300):
        C, unmatched = random_matrix(rng)
        best = enumerate_best(C, unmatched)
        given = {"dense": C, "sparse": stored(C), "maximised": -C}[form]
        price = None if unmatched is None else unmatched * (-1 if form == "maximised" else 1)
        if math.isinf(best):
            with pytest.raises(gm.InfeasibleError):
                gm.assign(given, unmatched=price, maximize=form == "maximised")
            continue
        r = gm.assign(given, unmatched=price, maximize=form == "maximised")
        assert r.value == pytest.approx(-best if form == "maximised" else best, abs=1e-12)
        assert r.status == "optimal" and r.bound == r.value
        rows = np.flatnonzero(r.labels >= 0)
        assert len(set(r.labels[rows])) == len(rows)
        assert np.isfinite(C[rows, r.labels[rows]]).all()


def test_the_problem_of_a_matrix_has_the_same_optimum():
    rng = np.random.default_rng(8)
    for _ in range(40):
        C, unmatched = random_matrix(rng)
        best = enumerate_best(C, unmatched)
        if math.isinf(best) or not np.isfinite(C).any():
            continue
        p = gm.models.from_costs(C, unmatched=unmatched)
        assert gm.gm_solve(p).value == pytest.approx(best, abs=1e-9)
        assert p == gm.models.from_costs(stored(C), unmatched=unmatched)


def exact_best(C, unmatched):
    """As enumerate_best, without rounding."""
    n1, n2 = C.shape
    exact = np.array([[Fraction(x) if math.isfinite(x) else math.inf for x in row] for row in C])
    return enumerate_best(exact.reshape(n1, n2), None if unmatched is None else Fraction(unmatched))


@pytest.mark.parametrize("form", [np.array, stored, sparse.csr_array, sparse.csc_array])
def test_a_price_far_from_the_costs_hides_nothing(form):
    rng = np.random.default_rng(17)
    for _ in range(60):
        C = rng.random(rng.integers(1, 5, 2)) + 0.01
        price = float(rng.choice([1e6, 1e12, 1e15, -1e9, 1e-9]))
        r = gm.assign(form(C), unmatched=price)
        pairs = [(i, s) for i, s in enumerate(r.labels) if s >= 0]
        paid = sum(Fraction(C[i, s]) for i, s in pairs)
        paid += Fraction(price) * (min(C.shape) - len(pairs))
        assert paid - exact_best(C, price) <= Fraction(1e-15) * abs(paid)
        assert r.value == pytest.approx(float(paid), rel=1e-14)


def test_a_problem_does_not_lose_the_digits_of_its_costs():
    C = np.array([[1e-9, 2e-9], [2e-9, 5e-9]])
    with pytest.raises(gm.InputError, match="1.3e-08 leads to the same matchings"):
        gm.models.from_costs(C, unmatched=1e9)
    with pytest.raises(gm.InputError, match="-7e-09 leads to the same matchings"):
        gm.models.from_costs(C, unmatched=-1e9, maximize=True)
    assert gm.gm_solve(gm.models.from_costs(C, unmatched=1.3e-8)).labels.tolist() == [1, 0]
    assert gm.models.from_costs(np.full((2, 2), 0.1), unmatched=3.0).shape == (2, 2)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_infinite_rewards_and_huge_sums_are_refused(form):
    with pytest.raises(gm.InputError, match="infinite reward"):
        gm.assign(form([[-math.inf, 1.0], [1.0, 2.0]]))
    with pytest.raises(gm.InputError, match="must not add up to more"):
        gm.assign(form([[1e308, 1e308], [1e308, 1e308]]))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("price", [1e308, -1e308, 1e304])
def test_prices_whose_sums_overflow_are_refused(form, price):
    """The value was infinite, or numpy complained about shapes."""
    C = form(np.arange(1.0, 9.0).reshape(4, 2))
    for maximize in (False, True):
        with pytest.raises(gm.InputError, match="unmatched must not add up to more than 1e"):
            gm.assign(C, unmatched=price, maximize=maximize)
    assert gm.assign(C, unmatched=-1e303).value == -2e303


def test_the_matrix_of_the_caller_stays_as_it_is():
    C = sparse.csr_array(([4.0, 1.0, 2.0, 5.0], [1, 0, 0, 1], [0, 3, 4]), shape=(2, 2))
    before = C.indices.copy(), C.data.copy()
    assert gm.assign(C).value == 1.0 + 2.0 + 5.0  # the entries of (0, 0) add up
    assert (C.indices == before[0]).all() and (C.data == before[1]).all()


@pytest.mark.parametrize(
    "form",
    [
        np.asfortranarray,
        lambda C: np.repeat(C, 2, axis=1)[:, ::2],
        lambda C: C[::-1][::-1],
        lambda C: C.astype(">f8"),
        lambda C: C.astype(np.float32),
        lambda C: C.astype(np.int8),
        np.ndarray.tolist,
    ],
)
def test_every_way_to_store_a_matrix(form):
    C = np.random.default_rng(5).integers(-9, 9, (6, 4)).astype(float)
    rows, columns = linear_sum_assignment(C)
    r = gm.assign(form(C))
    assert r.value == C[rows, columns].sum() and r.shape == (6, 4)
    assert gm.assign(form(-C), maximize=True).value == -r.value


def test_truth_values_and_matrices_that_must_not_be_written():
    assert gm.assign(np.eye(3, dtype=bool)).value == 0.0
    C = np.array([[4.0, 1.0], [2.0, 0.0]])
    C.flags.writeable = False
    assert gm.assign(C).value == 3.0


@pytest.mark.parametrize("shape", [(40, 40), (25, 60), (60, 25)])
def test_forbidden_entries_of_larger_matrices(shape):
    """Against SciPy: integers, so that sums are exact."""
    n_infeasible = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        C = rng.integers(0, 50, shape).astype(float)
        C[rng.random(shape) > rng.choice([0.05, 0.15, 0.5])] = math.inf
        try:
            rows, columns = linear_sum_assignment(C)
        except ValueError:
            n_infeasible += 1
            with pytest.raises(gm.InfeasibleError):
                gm.assign(C)
            continue
        assert gm.assign(C).value == C[rows, columns].sum()
    assert 5 < n_infeasible < 55


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.uint64, np.float16])
@pytest.mark.parametrize("maximize", [False, True])
def test_small_matrices_of_other_numbers(dtype, maximize):
    """The same answers as of doubles, by a shorter way; lists, too."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        C = rng.integers(0, 7, rng.integers(1, 6, 2)).astype(dtype)
        expected = C[linear_sum_assignment(C.astype(float), maximize)].astype(float).sum()
        for given in (C, C.tolist(), np.asfortranarray(C), C[::-1, ::-1]):
            r = gm.assign(given, maximize=maximize)
            assert r.value == expected and r.labels.dtype == np.int32
            chosen = np.asarray(given, float)[r.pairs[:, 0], r.pairs[:, 1]]
            assert chosen.sum() == expected and len(chosen) == min(C.shape)


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist])
def test_integers_that_doubles_do_not_hold_are_refused_in_small_matrices(form):
    C = np.array([[2**53 + 1, 2**53], [2**53 + 2, 2**53]])
    with pytest.raises(gm.InputError, match=r"2\*\*53"):
        gm.assign(form(C))
    C = np.array([[2**52 + 1, 2**52], [2**52 + 2, 2**52]])
    assert gm.assign(form(C)).value == 2.0**53 + 1


NUMBERS = "?bBhHiIlLqQfd"  # characters of types


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("form", [np.ascontiguousarray, np.asfortranarray, lambda C: C[::-1, ::-1]])
def test_the_short_way_for_small_matrices_has_the_answers_of_the_long_one(kind, form, monkeypatch):
    """All of it in C; larger matrices take the long way."""
    rng = np.random.default_rng(NUMBERS.index(kind))
    matrices = [form(rng.integers(0, 9, rng.integers(1, 9, 2)).astype(kind)) for _ in range(20)]
    known = []
    for C in matrices:
        r = assign_small(C, False)
        assert (r.method, r.sense, r.nodes1, r.scores) == ("assignment", "min", None, None)
        known.append((r, assign_small(C, True)))
    monkeypatch.setattr("gmtoolbox.assignment.assign_small", lambda *_: None)
    for C, (least, largest) in zip(matrices, known, strict=True):
        for r, maximize in ((least, False), (largest, True)):
            long = gm.assign(C, maximize=maximize)
            assert r == long and r.labels.tolist() == long.labels.tolist()


def test_what_the_short_way_leaves_to_the_long_one():
    C = np.eye(3)
    refused = [
        [[1.0]], np.empty((0, 3)), np.empty((3, 0)), np.ones(3), np.ones((2, 2, 2)),
        np.ones((65, 64)), C.astype(">f8"), C.astype(complex), C.astype(object),
        C.astype(np.float16), C.astype(str), np.ma.array(C), C * np.nan, np.full((3, 3), np.inf),
        -np.full((3, 3), np.inf), C * 1e305, np.zeros((2, 2), "f8,i4"), np.zeros((2, 2), "M8[s]"),
        sparse.eye_array(3), None,
    ]  # fmt: skip
    assert [assign_small(given, False) for given in refused] == [None] * len(refused)
    assert assign_small(C, 0) is None and assign_small(C, None) is None and assign_small(C) is None


def test_the_short_way_keeps_no_memory():
    C = np.random.default_rng(1).random((5, 80))[:, ::2]
    before = [sys.getrefcount(one) for one in (C, None, Result)]
    kept = [gm.assign(C) for _ in range(100)]
    assert len({r.labels.ctypes.data for r in kept}) == 100
    del kept
    failed = [assign_small(np.full((3, 3), np.nan), False) for _ in range(100)]
    del failed
    after = [sys.getrefcount(one) for one in (C, None, Result)]
    assert all(abs(new - old) < 20 for new, old in zip(after, before, strict=True))


def test_threads_do_not_share_their_labels():
    """Arrays of labels are used again; calls that run at the same time have one each."""
    matrices = [np.random.default_rng(seed).random((40, 40)) for seed in range(8)]
    expected = [gm.assign(C).labels.tolist() for C in matrices]

    def solve(k):
        return all(gm.assign(matrices[k]).labels.tolist() == expected[k] for _ in range(times(500)))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(solve, range(8)))


def test_fields_that_are_made_late_are_those_of_a_result(tmp_path):
    r = gm.assign([[4.0, 1.0], [2.0, 0.0]], maximize=True)
    assert not hasattr(r, "no_such_field")
    r.extra["note"] = 1
    assert (r.value, r.bound, r.gap, r.status, r.sense) == (4.0, 4.0, 0.0, "optimal", "max")
    assert r.shape == (2, 2) and r.n_iter == 1 and r.time >= 0 and r.options == {}
    assert r.extra == {"note": 1}
    assert copy.deepcopy(r) == pickle.loads(pickle.dumps(r)) == r
    early = gm.assign([[4.0, 1.0], [2.0, 0.0]])
    early.status = "converged"  # before any of them is read
    assert early.gap == 0.0 and early.status == "converged"


class Unanswered:
    """The C module, whose kernel of dense matrices never has an answer."""

    gm_assign_matrix = staticmethod(lambda *_: math.nan)

    def __getattr__(self, name):
        return getattr(lib, name)


def test_an_assignment_without_a_proof_goes_to_another_kernel(monkeypatch):
    """Costs of 1e17 next to costs of 1, and a kernel that never has an answer."""
    C = np.array([[1e17, 1.0, 3.0], [2.0, 1e17, 5.0], [1e17, 1e17, 7.0]])
    assert gm.assign(C).value == 10.0
    monkeypatch.setattr("gmtoolbox.assignment.assign_small", lambda *_: None)
    assert gm.assign(C).value == 10.0
    monkeypatch.setattr("gmtoolbox.assignment.lib", Unanswered())
    assert gm.assign(C).value == 10.0
    assert gm.assign(C, unmatched=2.5).labels.tolist() == [1, 0, -1]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_costs_that_doubles_cannot_compare_are_compared_exactly(form):
    """The sparse kernel paid 4.8e147 here, and 7.5e8 less than the best below, 'optimal'."""
    C = np.array([
        [1.49231040e005, -6.49050044e172, 3.20604679e-266],
        [1.80317026e282, -2.80498131e074, 2.86490359e284],
        [-3.17687688e126, np.inf, 2.95092489e-226],
        [np.inf, 4.79133514e147, np.inf],
    ])  # fmt: skip
    listed = np.isfinite(C).nonzero()
    given = C if form is np.asarray else form((C[listed], listed), shape=C.shape)
    assert gm.assign(given).value == min(exact_costs(C))
    rng = np.random.default_rng(0)
    for _ in range(100):
        C = rng.choice([-1.0, 1.0], (4, 4)) * 10.0 ** rng.uniform(-300, 300, (4, 4))
        assert gm.assign(form(C)).value == min(exact_costs(C))
        assert gm.assign(form(C), unmatched=1e303).value == min(exact_costs(C))


def exact_costs(C):
    """Return the costs of all assignments of the smaller side, each sum rounded once."""
    C = C if C.shape[0] <= C.shape[1] else C.T
    for columns in permutations(range(C.shape[1]), len(C)):
        paid = [float(C[i, s]) for i, s in enumerate(columns)]
        if all(map(math.isfinite, paid)):
            yield float(sum(map(Fraction, paid)))


def test_ctrl_c_during_a_large_dense_matrix_raises(monkeypatch):
    monkeypatch.setattr("gmtoolbox.assignment.SHORT", 0)
    C = np.random.default_rng(0).random((300, 300))
    assert gm.assign(C).value == pytest.approx(C[linear_sum_assignment(C)].sum())

    class Pressed(Budget):
        def __enter__(self):
            entered = super().__enter__()
            self.stop.flag[0] = 1
            return entered

    monkeypatch.setattr("gmtoolbox.assignment.Budget", Pressed)
    with pytest.raises(KeyboardInterrupt):
        gm.assign(C)


def test_the_trace_of_an_assignment_is_one_line(tmp_path):
    r = gm.assign([[4.0, 1.0], [2.0, 0.0]])
    assert r.trace["value"].tolist() == r.trace["bound"].tolist() == [3.0]
    r.save(tmp_path / "r.json")
    assert gm.load_result(tmp_path / "r.json") == r


def test_ctrl_c_during_a_sparse_matrix_raises(monkeypatch):
    """There is no best answer so far: 'optimal' would be false."""
    stopped = lambda *_, **__: SimpleNamespace(status="interrupted", labels=np.array([0, 1]))
    monkeypatch.setattr("gmtoolbox.assignment.drive", stopped)
    monkeypatch.setattr("gmtoolbox.assignment.FEW_ENTRIES", 0)
    monkeypatch.setattr("gmtoolbox.assignment.admits_matching", lambda *_: True)
    with pytest.raises(KeyboardInterrupt):
        gm.assign(sparse.csr_array([[1.0, 2.0], [3.0, 4.0]]))


def test_a_small_matrix_that_takes_long_is_solved_under_watch(monkeypatch):
    """The quick call gives up at its deadline, and the answer is that of the other one."""
    rng = np.random.default_rng(3)
    C = sparse.random_array((400, 400), density=0.15, rng=rng, format="csr")
    C = C + sparse.diags_array(np.full(400, 2.0))
    expected, seen = gm.assign(C), []

    def give_up(*arguments):
        seen.append(run_briefly(*arguments, seconds=-1.0))
        return seen[-1]

    monkeypatch.setattr("gmtoolbox.assignment.run_briefly", give_up)
    r = gm.assign(C)
    assert seen == [None] and r.value == expected.value
    assert r.labels.tolist() == expected.labels.tolist()


@pytest.mark.parametrize("shape", [(60, 60), (40, 70), (70, 40)])
@pytest.mark.parametrize("draw", ["few", "many", "near"])
def test_sparse_matrices_have_the_value_of_dense_ones(shape, draw):
    """Short paths alone, and those after an auction: integers, so that sums are exact."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        C = rng.integers(1, 5 if draw == "few" else 10**6, shape).astype(float)
        if draw == "near":
            ends = rng.integers(0, 1000, shape[0]), rng.integers(0, 1000, shape[1])
            C = np.abs(ends[0][:, None] - ends[1]) + 1.0
        allowed = rng.random(shape) < 0.3
        allowed[np.arange(min(shape)), rng.permutation(min(shape))] = True
        rows, columns = linear_sum_assignment(np.where(allowed, C, 1e9))
        r = gm.assign(sparse.csr_array(C * allowed))
        assert r.value == C[rows, columns].sum() and allowed[tuple(r.pairs.T)].all()


@pytest.mark.parametrize("form", ["lil", "dok", "dia", "bsr", "coo", "csc"])
def test_every_sparse_format(form):
    C = sparse.csr_array([[4.0, 1.0, 0.0], [2.0, 9.0, 0.0]]).asformat(form)
    assert gm.assign(C).labels.tolist() == [1, 0]
    assert gm.gm_solve(gm.models.from_costs(C)).labels.tolist() == [1, 0]


def test_files_with_names(tmp_path):
    (tmp_path / "c.csv").write_text(",x,y,z\na,4,1,3\nb,2,,5\n")
    r = gm.assign(tmp_path / "c.csv")
    assert r.mapping == {"a": "y", "b": "x"} and r.value == 3.0
    np.save(tmp_path / "c.npy", [[4.0, 1.0], [2.0, 0.0]])
    np.savez(tmp_path / "c.npz", C=[[4.0, 1.0], [2.0, 0.0]])
    sparse.save_npz(tmp_path / "s.npz", sparse.csr_array([[4.0, 1.0], [2.0, 7.0]]))
    assert [gm.assign(tmp_path / name).value for name in ("c.npy", "c.npz", "s.npz")] == [3, 3, 3]


def test_tables_of_spreadsheets_text_files_and_data_frames(tmp_path):
    (tmp_path / "c.csv").write_text("name;x;y;z\na;4,5;1,25;3\nb;2;;5\n")
    r = gm.assign(tmp_path / "c.csv")
    assert r.mapping == {"a": "y", "b": "x"} and r.value == 3.25
    np.savetxt(tmp_path / "c.txt", [[4.0, 1.0], [2.0, math.inf]], header="costs")
    assert gm.assign(tmp_path / "c.txt").value == 3.0
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[4.0, 1.0], [2.0, 9.0]], index=["a", "b"], columns=["x", "y"])
    assert gm.assign(frame).mapping == {"a": "y", "b": "x"}
    assert gm.gm_solve(gm.models.from_costs(frame)).mapping == {"a": "y", "b": "x"}
    assert gm.assign(pandas.DataFrame([[4.0, 1.0], [2.0, 9.0]])).mapping == {0: 1, 1: 0}


def test_masked_entries_are_refused():
    """numpy.asarray would take the numbers behind the mask."""
    C = np.ma.masked_array([[1.0, 2.0], [3.0, 9.0]], [[True, False], [False, False]])
    with pytest.raises(gm.InputError, match=r"C.filled\(number\)"):
        gm.assign(C)
    assert gm.assign(C.filled(np.inf)).value == 5.0
    with pytest.raises(gm.InputError, match="must have no masked entries"):
        gm.models.from_points(C, [[0.0, 1.0], [2.0, 3.0]])


@pytest.mark.parametrize(
    "content, complaint",
    [
        ("1,2\n3\n", "row 2 must have 2 entries, has 1"),
        ("1,2\n3,x\n", "'x' is not a number"),
        ("", "is empty"),
    ],
)
def test_damaged_files_are_refused_in_one_line(tmp_path, content, complaint):
    (tmp_path / "c.csv").write_text(content)
    with pytest.raises(gm.FileFormatError, match=complaint):
        gm.assign(tmp_path / "c.csv")


@pytest.mark.parametrize(
    "C, more, complaint",
    [
        ([1.0, 2.0], {}, "C must be a matrix"),
        ([[math.nan]], {}, "must not contain NaN"),
        ([[math.nan, 1.0]], {"unmatched": 3.0}, "must not contain NaN"),
        ([[math.nan, 1.0]], {"maximize": True}, "must not contain NaN"),
        ([[-math.inf]], {}, "infinite reward"),
        ([[1.0]], {"unmatched": "x"}, "unmatched must be a finite number"),
    ],
)
def test_bad_input(C, more, complaint):
    with pytest.raises(gm.InputError, match=complaint):
        gm.assign(C, **more)
