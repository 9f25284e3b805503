"""gm_methods(problem): every method once, best first, from the kind that is most similar."""

import json

import gmtoolbox as gm
from gmtoolbox.engine.advice import MEASURED, closest


def test_advice_lists_the_methods_best_first():
    problem = gm.synth.car(seed=0, size=12)
    suited = gm.gm_methods(problem)
    assert {m.name for m in suited} == {m.name for m in gm.gm_methods()}
    shown = repr(suited).splitlines()
    assert max(map(len, shown)) <= 80 and "from the best" in shown[2]
    gaps = [float(note.split(" %")[0]) for note in suited.notes if "from the best" in note]
    assert gaps[0] <= min(gaps) + 0.02


def test_kinds_are_chosen_by_completeness_and_size():
    records = json.loads(MEASURED.read_text())
    for complete in (True, False):
        for n_edges in (10, 10_000_000):
            found = closest(records, complete, n_edges)
            assert found["complete"] == complete
    assert closest(records, False, 1)["n_edges"] <= closest(records, False, 10**9)["n_edges"]
