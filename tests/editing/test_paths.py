"""Many edit paths: costs only fall, and all cheapest matchings are found, each once."""

from itertools import permutations

import numpy as np
import pytest

from gmtoolbox.editing.paths import improving_paths, optimal_matchings
from gmtoolbox.models.edit_costs import EditCosts
from gmtoolbox.models.edits import EditModel

nx = pytest.importorskip("networkx")


def model_of(G, H, costs="unit"):
    return EditModel.of(EditCosts(costs=costs), G, H)


def injections(n1, n2):
    """Every way to give nodes labels or none."""
    for chosen in permutations([*range(n2), *[-1] * n1], n1):
        if len({s for s in chosen if s >= 0}) == sum(s >= 0 for s in chosen):
            yield chosen


@pytest.mark.parametrize("scale", [1.0, 1e-10, 1e-300, 1e10])
@pytest.mark.parametrize("costs", [(1.0, 1.0, 1.0, 1.0), (0.1, 0.7, 0.3, 0.3)])
@pytest.mark.parametrize(
    "G, H", [(nx.path_graph(3), nx.path_graph(3)), (nx.star_graph(2), nx.cycle_graph(3))]
)
def test_all_cheapest_matchings_each_once(G, H, costs, scale):
    model = model_of(G, H, [scale * cost for cost in costs])
    costs = {labels: model.path(np.array(labels))[2] for labels in set(injections(3, 3))}
    best = min(costs.values())
    wanted = sorted(labels for labels, cost in costs.items() if cost <= best + 1e-9 * scale)
    found = [tuple(int(s) for s in labels) for labels in optimal_matchings(model, best)]
    assert len(found) == len(set(found)) and sorted(found) == wanted


def test_costs_only_fall_and_the_last_is_proven():
    results = list(improving_paths(model_of(nx.petersen_graph(), nx.cycle_graph(9)), time_limit=20))
    values = [r.value for r in results]
    assert values == sorted(values, reverse=True) and results[-1].proven


def test_nothing_within_an_upper_bound_that_is_too_low():
    model = model_of(nx.complete_graph(4), nx.empty_graph(4))
    assert list(improving_paths(model, upper_bound=5.0, time_limit=20)) == []
    assert [r.value for r in improving_paths(model, upper_bound=6.0, time_limit=20)][-1] == 6.0


def test_no_time_no_answer():
    assert list(improving_paths(model_of(nx.path_graph(2), nx.path_graph(3)), time_limit=0)) == []
