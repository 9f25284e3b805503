"""aj/sdp/kept_root: a run that begins with a root of another run proves the same."""

import numpy as np
import pytest
from aj_pieces import State, divide, first_with_root, run_piece
from cext.aj.test_open import hard

import gmtoolbox as gm
from gmtoolbox.core.errors import KernelError


@pytest.fixture(scope="module")
def cut():
    """(problem, a State whose root has branched)."""
    problem = hard(14, np.random.default_rng(1))
    return problem, first_with_root(problem, sdp=2)


@pytest.fixture(scope="module")
def best(cut):
    return gm.gm_solve(cut[0], "aj").value


def changed(state, **arrays):
    """A State with other arrays in its root."""
    other = object.__new__(State)
    other.__dict__.update(state.__dict__, root={**state.root, **arrays})
    return other


@pytest.mark.long
def test_the_root_is_not_made_again(cut, best):
    problem, state = cut
    r = run_piece(problem, 10**6, state, sdp=2)
    assert r.finished and r.value == r.bound == best
    other = object.__new__(State)
    other.__dict__.update(state.__dict__, root=None)
    assert r.iterations < run_piece(problem, 10**6, other, sdp=2).iterations


@pytest.mark.long
def test_matrices_are_hints(cut, best):
    """Random matrices make a weak root, never a wrong proof."""
    problem, state = cut
    rng = np.random.default_rng(0)
    for scale in (1e-3, np.nan):
        noise = {name: scale * rng.normal(size=state.root[name].shape) for name in ("Y", "Z", "Zt")}
        r = run_piece(problem, 10**6, changed(state, **noise), sdp=2)
        assert r.finished and r.value == best and r.bound <= best


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_parent_of_subproblems_that_are_given_away_is_a_root():
    problem = hard(16, np.random.default_rng(1))
    best, given, children = gm.gm_solve(problem, "aj").value, [], []

    def give(run):
        piece = divide(run) if len(children) < 3 else None
        if piece is not None:
            given.append(piece)
            children.extend([piece] * (len(piece.root["chosen"]) > 0))

    ends = [run_piece(problem, 10**6, slices=200, between=give)]
    ends += [run_piece(problem, 10**6, piece) for piece in given]
    assert children and all(end.finished for end in ends)
    assert min(end.value for end in ends) == min(end.bound for end in ends) == best


@pytest.mark.parametrize("kind", ["outside", "twice", "too few", "none left"])
def test_a_root_of_another_problem_is_refused(cut, kind):
    problem, state = cut
    slot, chosen = state.root["slot"], state.root["chosen"]
    slots = {
        "outside": np.where(slot == slot[0], 10**6, slot),
        "twice": np.where(slot == slot[0], slot[1], slot),
        "too few": slot,
        "none left": np.full_like(slot, -1),
    }[kind].astype(np.int32)
    allowed = np.zeros_like(state.root["allowed"]) if kind == "too few" else state.root["allowed"]
    other = changed(state, slot=slots, chosen=chosen, allowed=allowed)
    with pytest.raises(KernelError):
        run_piece(problem, 10**6, other, sdp=2)
