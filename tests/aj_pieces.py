"""The kernel of aj in pieces: runs that are cut after some iterations and go on from what was open,
and exhaustive search that looks at every state between two of them.
"""

import itertools

import numpy as np

from gmtoolbox.core._ffi import check, ffi, lib, pointer, view
from gmtoolbox.engine.kernels import c_model
from gmtoolbox.engine.lapack import BorrowedLapack
from gmtoolbox.engine.progress import Budget
from gmtoolbox.solvers._kept_root import arrays_of, struct_of

ALLOWED = 1e-6  # of the largest cost


class Matchings:
    """All matchings of a small problem (n1 <= n2 if it is complete) with their costs."""

    def __init__(self, problem):
        (n1, n2), n = problem.shape, problem.n_candidates
        number = np.full((n1, n2 + 1), -1)  # of each candidate; n is a node without a label
        number[:, n2] = -1 if problem.complete else n
        number[problem.left, problem.right] = np.arange(n)
        pair = np.zeros((n + 1, n + 1))
        np.add.at(pair, (problem.a, problem.b), problem.edge_cost)
        pair += pair.T
        labels = np.array(list(every_matching(n1, n2, problem.complete)))
        chosen = number[np.arange(n1), labels]
        kept = (chosen >= 0).all(1)
        self.labels, chosen = labels[kept], chosen[kept]
        self.costs = np.append(problem.cost, 0.0)[chosen].sum(1)
        for i, j in itertools.combinations(range(n1), 2):
            self.costs += pair[chosen[:, i], chosen[:, j]]
        self.best = self.costs.min()
        largest = max(1e-300, *np.abs(problem.cost), *np.abs(problem.edge_cost))
        self.error = ALLOWED * largest

    def inside(self, pairs):
        """Whether each matching agrees with the decisions."""
        agree = np.ones(len(self.labels), bool)
        for node, label in pairs:
            agree &= self.labels[:, node] == label
        return agree


def every_matching(n1, n2, complete):
    """Yield all matchings as tuples of labels, -1 for none."""
    if complete:
        yield from itertools.permutations(range(n2), n1)
        return
    for k in range(min(n1, n2) + 1):
        for nodes in itertools.combinations(range(n1), k):
            for chosen in itertools.permutations(range(n2), k):
                labels = [-1] * n1
                for node, label in zip(nodes, chosen, strict=True):
                    labels[node] = label
                yield tuple(labels)


class State:
    """A copy of what gm_aj_list_open says."""

    def __init__(self, run):
        found = ffi.new("gm_aj_open *")
        check(lib.gm_aj_list_open(run, found))
        n, self.value, self.bound = found.n, found.value, found.bound
        self.labels = view(found.labels, run.n1, np.int32)
        self.start = view(found.start, n + 1, np.int64) if n else np.zeros(1, np.int64)
        self.node, self.label = (
            view(x, self.start[-1], np.int32) for x in (found.node, found.label)
        )
        self.lower, self.weight = (view(x, n, float) for x in (found.lower, found.weight))
        self.iterations, self.finished = run.iteration, run.finished
        root = ffi.new("gm_aj_root *")
        self.root = arrays_of(root) if lib.gm_aj_lend_root(run, root) else None

    @property
    def parts(self):
        """The decisions of each open subproblem."""
        pairs = list(zip(self.node.tolist(), self.label.tolist(), strict=True))
        return [pairs[i:j] for i, j in itertools.pairwise(self.start)]

    def resume(self):
        """(gm_aj_open, arrays it borrows): the open subproblems by their bounds."""
        order = np.argsort(self.lower, kind="stable")
        parts = [self.parts[k] for k in order]
        pairs = np.array([pair for part in parts for pair in part], np.int32).reshape(-1, 2)
        arrays = {
            "start": np.cumsum([0, *map(len, parts)], dtype=np.int64),
            "node": np.ascontiguousarray(pairs[:, 0]),
            "label": np.ascontiguousarray(pairs[:, 1]),
            "lower": self.lower[order],
            "weight": self.weight[order],
        }
        fields = {name: pointer(array) for name, array in arrays.items()}
        is_all = len(parts) == 1 and not parts[0]
        n = 0 if is_all else len(parts)
        return ffi.new("gm_aj_open *", {"n": n, "bound": self.bound, **fields}), arrays


def run_piece(problem, iterations, before=None, slices=None, between=None, **options):
    """Return the State after this many iterations of a run that goes on from another State.
    between(run) is called after slices of so many iterations.
    """
    struct, _ = c_model(problem, Budget())
    with BorrowedLapack() as lapack:
        resume, _arrays = (ffi.NULL, None) if before is None else before.resume()
        known = before is not None and np.isfinite(before.value)
        chosen = {"branch": 1, "fix": 1, "memory": 200, "sdp": 1, "seconds": 1e9, **options}
        chosen.update(resume=resume, init=pointer(before.labels) if known else ffi.NULL)
        if before is not None and before.root is not None:
            chosen["root"] = struct_of(before.root)
        run = lib.gm_aj_new(struct, ffi.new("gm_aj_options *", {"lapack": lapack.struct, **chosen}))
        assert run != ffi.NULL
        try:
            while not run.finished and run.iteration < iterations:
                left = iterations - run.iteration
                check(lib.gm_aj_step(run, min(left, slices or left), 1e9))
                lapack.lend()
                if between and not run.finished:
                    between(run)
            return State(run)
        finally:
            lib.gm_aj_free(run)


class Found(Exception):
    """The State that was looked for."""


def first_with_root(problem, **options):
    """Return the first State of a run that has a semidefinite root to lend."""

    def look(run):
        state = State(run)
        if state.root is not None:
            raise Found(state)

    try:
        run_piece(problem, 10**6, slices=20, between=look, **options)
    except Found as found:
        return found.args[0]
    raise AssertionError("no semidefinite root branches")


def check_state(state, every):
    """Assert that a State claims nothing false of a problem whose Matchings these are."""
    assert state.bound <= every.best + every.error
    assert state.value >= every.best - every.error
    assert state.weight.sum() <= 1 + 1e-9 and (state.weight >= 0).all()
    open_best = np.inf
    for pairs, lower in zip(state.parts, state.lower, strict=True):
        inside = every.inside(pairs)
        least = every.costs[inside].min(initial=np.inf)
        assert lower <= max(least, state.value) + every.error
        open_best = min(open_best, least)
    # what is better than the best one is open, or one of the same cost is
    assert min(open_best, state.value) <= every.best + every.error


def solve_in_pieces(problem, rng, first=30, growth=1.4, **options):
    """Return (the last State, how many pieces, how many of them went on below the root), each
    checked by exhaustive search.
    """
    every, state, n, deep, limit = Matchings(problem), None, 0, 0, float(first)
    while state is None or not state.finished:
        before = state
        state = run_piece(problem, int(rng.integers(1, limit + 1)), before, **options)
        check_state(state, every)
        n, limit = n + 1, limit * growth
        deep += before is not None and len(before.parts) > 0 and any(map(len, before.parts))
    assert state.value <= every.best + every.error
    return state, n, deep


def divide(run):
    """The State of what a run gives away, None if it has nothing to give."""
    check(lib.gm_aj_branch_now(run))
    before, parent = State(run), ffi.new("gm_aj_root *")
    n = lib.gm_aj_drop(run, parent)
    before.root = arrays_of(parent) if parent.n else None
    after = State(run)
    kept = set(map(frozenset, after.parts))
    order = [k for k, part in enumerate(before.parts) if frozenset(part) not in kept]
    assert len(order) == n == len(before.parts) - len(after.parts)
    if n == 0:
        return None
    parts = [before.parts[k] for k in order]
    before.start = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    pairs = np.array([pair for part in parts for pair in part], np.int32).reshape(-1, 2)
    before.node, before.label = pairs[:, 0].copy(), pairs[:, 1].copy()
    before.lower, before.weight = before.lower[order], before.weight[order]
    return before


def solve_divided(problem, rng, first=30, growth=1.4, **options):
    """Return how often a run gave subproblems away, until nothing is open in any; all together are
    checked by exhaustive search after each run.
    """
    every, limit, given = Matchings(problem), float(first), []
    waiting, bounds, best, labels, n_given = [None], [], np.inf, None, 0

    def between(run):
        if labels is not None:
            lib.gm_aj_offer(run, pointer(labels))
        if rng.random() < 0.5:
            given.append(divide(run))

    while waiting:
        piece = waiting.pop(int(rng.integers(len(waiting))))
        iterations, limit = int(rng.integers(1, limit + 1)), limit * growth
        state = run_piece(problem, iterations, piece, slices=5, between=between, **options)
        if state.value < best:
            best, labels = state.value, state.labels
        waiting += [one for one in given if one]
        n_given += sum(one is not None for one in given)
        given.clear()
        if state.finished:
            bounds.append(state.bound)
        else:
            waiting.append(state)
        parts = [part for one in waiting for part in (one.parts if one else [[]])]
        open_best = [every.costs[every.inside(part)].min(initial=np.inf) for part in parts]
        assert min([best, *open_best]) <= every.best + every.error
    assert best <= every.best + every.error and min(bounds) <= every.best + every.error
    return n_given
