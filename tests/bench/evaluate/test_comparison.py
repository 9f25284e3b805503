"""Two stores side by side."""

import numpy as np
import pytest
from sample_store import add, fill

from gmtoolbox.bench.evaluate.comparison import BETTER, WORSE, compare, comparison_section
from gmtoolbox.bench.store.store import Run, Store
from gmtoolbox.core.errors import InputError

LABELS = np.arange(6)


def loaded(*changes):
    with Store() as store:
        fill(store)
        for change in changes:
            change(store)
        return store.loaded()


def test_nothing_changes_between_equal_stores():
    found = compare(loaded(), loaded())
    assert found.changes == [] and sum(found.compared.values()) == 18
    assert found.summary.startswith("0 regressions and 0 improvements in 18 pairs")


def worse_value(store):
    for trial in (1, 2):
        add(store, "points", 1, "exact", trial, [(0.4, -90.0, -200.0)], LABELS, [])


def lost_answer(store):
    for trial in (1, 2):
        store.add(Run("points", "points1", "exact", trial, "crash", "killed", time_limit=10.0))


def slower(store):
    for trial in (1, 2):
        add(store, "points", 1, "exact", trial, [(4.0, -100.0, -100.0)], LABELS, [])


@pytest.mark.parametrize(
    "change, what", [(worse_value, "value"), (lost_answer, "answer"), (slower, "time")]
)
def test_each_kind_in_both_directions(change, what):
    (found,) = compare(loaded(change), loaded()).changes
    assert (found.verdict, found.what, found.instance) == (WORSE, what, "points1")
    (back,) = compare(loaded(), loaded(change)).changes
    assert (back.verdict, back.what) == (BETTER, what)
    assert (found.before, found.now) == (back.now, back.before)


def test_different_problems_of_one_name_are_not_compared():
    def problem(letter, value):
        def change(store):
            add(store, "more", 1, "exact", 1, [(0.4, value, -200.0)], LABELS, [], problem=letter)

        return change

    found = compare(loaded(problem("a", -50.0)), loaded(problem("b", -90.0)))
    assert found.changes == [] and sum(found.compared.values()) == 18
    assert "1 instance of one name not compared: different problems" in found.summary
    (change,) = compare(loaded(problem("a", -50.0)), loaded(problem("a", -90.0))).changes
    assert (change.instance, change.what) == ("more1", "value")
    (change,) = compare(loaded(problem("a", -50.0)), loaded(problem("", -90.0))).changes
    assert change.what == "value"  # one of an older version


def test_section_and_refusal():
    stores = loaded(worse_value), loaded()
    text = comparison_section(compare(*stores), "<old>")
    assert "Against &lt;old&gt;" in text and "<td class='loss'>1 worse</td>" in text
    with Store() as empty, pytest.raises(InputError, match="in common"):
        compare(loaded(), empty.loaded())
