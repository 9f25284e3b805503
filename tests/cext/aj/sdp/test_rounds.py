"""aj/rounds: the same answer, bound and number of units for any number of threads."""

import numpy as np
import pytest
from aj_pieces import State, divide, run_piece
from repetition import times

import gmtoolbox as gm
from gmtoolbox.core._ffi import check, lib
from gmtoolbox.engine import crew


def hard_problem(n, seed):
    """Random flows and distances: the hardest kind for its size."""
    rng = np.random.default_rng(seed)
    flow, distance = (np.triu(rng.integers(0, 99, (n, n)), 1).astype(float) for _ in range(2))
    left, right = (x.ravel() for x in np.indices((n, n)))
    a, b = np.nonzero(np.triu((left[:, None] != left) & (right[:, None] != right), 1))
    cost = (flow + flow.T)[left[a], left[b]] * (distance + distance.T)[right[a], right[b]]
    return gm.Problem((n, n), left, right, np.zeros(n * n), a, b, cost, complete=True)


@pytest.fixture
def rounds(monkeypatch):
    """How many rounds the threads were asked for."""
    asked = []
    run_pieces = crew.Crew.run_pieces

    def counted(self, run):
        if self.n_pieces(run) > 0:
            asked.append(self.n_pieces(run))
        run_pieces(self, run)

    monkeypatch.setattr(crew.Crew, "run_pieces", counted)
    return asked


def told(r):
    return r.value, r.bound, r.n_iter, r.status, r.labels.tolist()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_any_number_of_threads_gives_the_same(rounds):
    problem = hard_problem(14, 1)
    for units in (4000, 8001):
        alone = gm.gm_solve(problem, "aj", sdp="at once", maxiter=units)
        assert alone.n_iter <= units
        for n_jobs in (2, 5):
            many = gm.gm_solve(problem, "aj", sdp="at once", maxiter=units, n_jobs=n_jobs)
            assert told(many) == told(alone)
    assert len(rounds) > 4


def give_and_solve(problem, wait):
    """(states, given, values, bounds): of a run that gives half away after `wait` looks below its
    root, and of one that searches the given part.
    """
    given, states = [], []

    def look(run):
        if given:
            return
        check(lib.gm_aj_branch_now(run))
        state = State(run)
        if state.root is not None:
            states.append(state)
        if len(states) > wait and (part := divide(run)) is not None:
            given.append(part)

    rest = run_piece(problem, 10**9, slices=20, between=look, sdp=2)
    solved = [rest, *(run_piece(problem, 10**9, part) for part in given)]
    return states, given, [one.value for one in solved], [one.bound for one in solved]


@pytest.mark.long
def test_half_of_the_children_is_given_away_also_those_whose_search_has_begun():
    problem = hard_problem(14, 0)
    states, given, values, bounds = give_and_solve(problem, 3)
    assert 2 * len(given[0].parts) >= len(states[-1].parts) - 2
    assert min(values) == min(bounds) == gm.gm_solve(problem, "aj").value


@pytest.mark.long
@pytest.mark.timeout(900)
def test_what_is_given_away_in_rounds_is_not_lost():
    n_given = 0
    for seed in range(times(10)):
        problem, rng = hard_problem(14, 100 + seed), np.random.default_rng(seed)
        _, given, values, bounds = give_and_solve(problem, int(rng.integers(0, 20)))
        n_given += len(given)
        assert min(values) == min(bounds) == gm.gm_solve(problem, "aj").value
    assert n_given


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_threads_prove_the_same(rounds):
    for seed in range(4):
        problem = hard_problem(15, seed)
        alone = gm.gm_solve(problem, "aj")
        many = gm.gm_solve(problem, n_jobs=2)
        assert alone.status == many.status == "optimal"
        assert told(many) == told(alone)
    assert rounds
