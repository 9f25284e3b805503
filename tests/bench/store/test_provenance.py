"""Where figures come from, and whether they can be compared."""

from dataclasses import replace

from sample_store import fill

from gmtoolbox.bench.evaluate.evaluation import evaluate
from gmtoolbox.bench.store.provenance import counted, hardware_warning, mixed_hardware, provenance
from gmtoolbox.bench.store.store import Command, Store


def test_mixed_hardware_is_said():
    with Store() as store:
        fill(store)
        runs = store.runs()
        assert mixed_hardware(runs) == {} and hardware_warning(runs) == ""
        other = [replace(run, cpu="another") if run.method == "quick" else run for run in runs]
    only = [run for run in other if run.dataset == "points"]
    assert mixed_hardware(only) == {"points": ["another", "some processor"]}
    assert "not comparable on points" in hardware_warning(only)
    apart = [replace(run, cpu=run.instance) for run in runs]  # each instance on one machine
    assert mixed_hardware(apart) == {}


def test_facts():
    with Store() as store:
        fill(store)
        store.add_command(Command("2026-01-01T00:00", "h", "bench <x>", [1.0]))
        loaded = store.loaded()
        text = provenance(loaded, evaluate(loaded))
    assert "bench &lt;x&gt;" in text and "<dd>0</dd>" in text and "1s, 10s" in text
    assert counted([0, 1, 2, 3]) == "0 to 3" and counted([1, 5]) == "1, 5"
