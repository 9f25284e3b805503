"""Every method on the study's instances: feasible, and no bound above a known optimum (slow)."""

import json

import numpy as np
import pytest

import gmtoolbox as gm

pytestmark = [pytest.mark.data, pytest.mark.slow, pytest.mark.timeout(3600)]
DATASETS = [
    "house-sparse",
    "house-dense",
    "hotel",
    "car",
    "motor",
    "caltech-small",
    "caltech-large",
    "opengm",
    "qaplib",
    "worms-like",
]
TOLERANCE = 1e-5  # the files print six digits


@pytest.fixture(scope="module")
def instances(data):
    """(problem, best known value or None) of up to eight instances of each dataset."""
    found = []
    for dataset in DATASETS:
        folder = data / dataset
        complete = json.loads((folder / "dataset.json").read_text("utf-8"))["complete"]
        for path in sorted(folder.glob("*.dd.xz"))[:8]:
            facts = json.loads(
                (folder / (path.name.removesuffix(".dd.xz") + ".json")).read_text("utf-8")
            )
            found.append((gm.load(path, complete=complete), facts.get("optimum")))
    return found


@pytest.mark.parametrize("method", [method.name for method in gm.gm_methods()])
def test_feasible_and_never_wrong_about_the_optimum(method, instances):
    for problem, optimum in instances:
        r = gm.gm_solve(problem, method, time_limit=0.25)
        assert r.value == problem.energy(r.labels)
        assert not problem.complete or problem.is_complete_matching(r.labels)
        assert r.bound <= r.value + 1e-9 * abs(r.value)
        if optimum is not None:
            slack = TOLERANCE * max(1.0, abs(optimum))
            assert r.bound <= optimum + slack, (
                f"{problem.name}: bound {r.bound} above the optimum {optimum}"
            )
            assert r.value >= optimum - slack, (
                f"{problem.name}: value {r.value} below the optimum {optimum}"
            )
            assert r.status != "optimal" or np.isclose(r.value, optimum, rtol=TOLERANCE), (
                problem.name
            )
