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


def use_small_stores(campaign, monkeypatch, n=4):
    """Let stores have n problems, and be asked n times."""
    for name in ("BATCH", "GRAPHS", "CALLS"):
        monkeypatch.setattr(campaign.stores, name, n)


@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize("door", doors())
def test_what_is_called_optimal_is(campaign, door, monkeypatch):
    use_small_stores(campaign, monkeypatch)
    is_short = "checkpoint" in door and not repetition.is_whole  # each writes files
    n = 1 if "store" in door else 2 if is_short else times(30)
    words, wrong = campaign.check_block(door, 1, 0, n)
    assert not wrong and words.total() == n * campaign.stores.answers_of(door)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("door", doors())
def test_what_is_called_optimal_is_a_thousand_times(campaign, door):
    n = 4 if "store" in door else 1000
    words, wrong = campaign.check_block(door, 2, 0, n)
    assert not wrong and words.total() == n * campaign.stores.answers_of(door)


@pytest.mark.long
@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize("door", ["gm_batch(store=)", "gm_batch(store=), many graphs"])
def test_a_store_that_answers_by_name_is_found(campaign, monkeypatch, door):
    def serves(run, key, *_):
        return run.outcome == "ok" and run.key == key

    monkeypatch.setattr("gmtoolbox.bench.store.lookup.serves", serves)
    use_small_stores(campaign, monkeypatch, 6)
    assert campaign.check_block(door, 1, 0, 1)[1]


def test_a_store_that_forgets_costs_is_found(campaign, monkeypatch):
    monkeypatch.setattr("gmtoolbox.editing.pair_store.table_hash", lambda _: "")
    assert campaign.check_block("edit_distances(store=)", 7, 0, 1)[1]


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
