"""A few problems of every door of benchmarks/campaign.py; thousands of them with --slow."""

import importlib
import sys
from pathlib import Path

import pytest
import repetition
from repetition import times

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def campaign():
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("campaign")
    sys.path.remove(str(FOLDER))


def doors():
    """The names of the doors, read from the files: the package is imported by the tests only."""
    names = []
    for path in sorted((FOLDER / "campaigns").glob("*.py")):
        text = path.read_text("utf-8").partition("\nDOORS = {")[2]
        names += [part.split('"')[1] for part in text.split(": check") if '"' in part]
    return names


@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize("door", doors())
def test_what_is_called_optimal_is(campaign, door, monkeypatch):
    monkeypatch.setattr(campaign.conditions, "BATCH", 3)  # each call starts a process
    monkeypatch.setattr(campaign.conditions, "CALLS", 2)
    is_short = "checkpoint" in door and not repetition.is_whole  # each writes files
    n = 1 if "store" in door else 2 if is_short else times(30)
    words, wrong = campaign.check_block(door, 1, 0, n)
    assert not wrong and words.total() == (6 if "store" in door else n)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("door", doors())
def test_what_is_called_optimal_is_a_thousand_times(campaign, door):
    n = 4 if "store" in door else 1000
    words, wrong = campaign.check_block(door, 2, 0, n)
    assert not wrong and words.total() == (2000 if "store" in door else n)


def test_every_door_is_tested(campaign):
    assert sorted(doors()) == sorted(campaign.DOORS)


def test_a_wrong_claim_is_found(campaign, monkeypatch):
    """The evaluators see a wrong value, a wrong bound and a wrong status."""
    from campaigns import Wrong, matchings

    drawn = next(
        one
        for seed in range(99)
        if (one := matchings.Drawn(campaign.generator("x", 0, seed))).complete is False
        and one.n1 == one.n2 == 3
    )
    problem, table = drawn.problem(), matchings.Table(drawn)
    gm = matchings.gm
    result = gm.gm_solve(problem)
    assert matchings.check_answer(table, result, drawn.offset) == "proven"
    worse = next(row for row in table.labels if table.exact(row)[0] > table.order(1)[0])
    sign = 1 if drawn.sense == "min" else -1
    for change in (
        {"value": result.value + sign},
        {"bound": result.bound + sign},
        {"labels": worse, "value": problem.energy(worse)},
    ):
        for name, value in change.items():
            monkeypatch.setattr(result, name, value)
        with pytest.raises(Wrong):
            matchings.check_answer(table, result, drawn.offset)
        monkeypatch.undo()


@pytest.mark.parametrize("k", [6618, 6630, 15344])
def test_distances_that_differ_by_rounding_are_equal(campaign, k):
    """search(k=): of graphs at one distance, whose sums round differently, the first ones."""
    words, wrong = campaign.check_block("search", 0, k, 1)
    assert not wrong and words.total() == 1
