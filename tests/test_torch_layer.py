"""The torch layer: with torch where it is installed, else with a stand-in for what it calls."""

import importlib
import sys
import types

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm


class StandInTensor:
    """An array with the methods of a tensor that the layer calls."""

    def __init__(self, array, dtype="float32", device="a device"):
        self.array, self.dtype, self.device = np.asarray(array, np.float32), dtype, device

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.array


class StandInFunction:
    """torch.autograd.Function: apply keeps the context, so that a test can go backward."""

    @classmethod
    def apply(cls, *arguments):
        cls.context = types.SimpleNamespace()
        return cls.forward(cls.context, *arguments)


def stand_in():
    torch = types.ModuleType("torch")
    torch.autograd = types.SimpleNamespace(Function=StandInFunction)
    torch.as_tensor = lambda array, dtype, device: StandInTensor(array, dtype, device)
    return torch


@pytest.fixture
def layer(monkeypatch):
    """The module on the stand-in, whatever is installed."""
    monkeypatch.setitem(sys.modules, "torch", stand_in())
    monkeypatch.delitem(sys.modules, "gmtoolbox.torch_layer", raising=False)
    yield importlib.import_module("gmtoolbox.torch_layer")
    sys.modules.pop("gmtoolbox.torch_layer", None)


@pytest.fixture(scope="module")
def problems():
    rng = np.random.default_rng(0)
    return [random_problem(rng, 4, 5, complete=bool(k % 2), integer=True) for k in range(5)]


def joined(problems, name):
    return np.concatenate([getattr(p, name) for p in problems])


def test_forward_solves_and_backward_is_blackbox_gradient(layer, problems):
    cost, edge_cost = (StandInTensor(joined(problems, name)) for name in ("cost", "edge_cost"))
    blank = [p.changed(cost=np.zeros(p.n_candidates)) for p in problems]
    x = layer.matching(cost, edge_cost, blank, 2.0, method="fm", patience=50, n_jobs=2)
    results = gm.gm_solve_many(problems, "fm", patience=50)
    answers = zip(problems, results, strict=True)
    expected = [problem.candidates.indicator(result.labels) for problem, result in answers]
    assert np.array_equal(x.array, np.concatenate(expected))
    assert (x.dtype, x.device) == (cost.dtype, cost.device)
    grad = np.random.default_rng(1).integers(-2, 3, len(x.array))
    back = layer.Matching.backward(layer.Matching.context, StandInTensor(grad))
    parts = np.split(grad, np.cumsum([p.n_candidates for p in problems])[:-1])
    wanted = gm.blackbox_gradient(problems, results, parts, 2.0)
    assert np.allclose(back[0].array, np.concatenate([g.cost for g in wanted]))
    assert np.allclose(back[1].array, np.concatenate([g.edge_cost for g in wanted]))
    assert back[2:] == (None, None, None) and np.any(back[0].array)


def test_lengths_are_checked(layer, problems):
    cost, edge_cost = joined(problems, "cost"), joined(problems, "edge_cost")
    with pytest.raises(gm.InputError, match="cost must have .* entries, as all problems together"):
        layer.matching(StandInTensor(cost[:-1]), StandInTensor(edge_cost), problems, 1.0)
    with pytest.raises(gm.InputError, match="edge_cost must have"):
        layer.matching(StandInTensor(cost), StandInTensor(edge_cost[1:]), problems, 1.0)


def test_torch_itself(problems):
    """Costs are weights times features; a step against the gradient lowers the loss."""
    torch = pytest.importorskip("torch")
    from gmtoolbox.torch_layer import matching

    cost = torch.tensor(joined(problems, "cost"), requires_grad=True)
    edge_cost = torch.tensor(joined(problems, "edge_cost"), requires_grad=True)
    truth = torch.zeros_like(cost)
    for _ in range(60):
        x = matching(cost, edge_cost, problems, 5.0, method="fm", patience=50)
        loss = (x * (1 - truth) + (1 - x) * truth).sum()
        if loss.item() == sum(min(p.shape) for p in problems if p.complete):
            break  # nothing matched but what must be
        loss.backward()
        with torch.no_grad():
            for given in (cost, edge_cost):
                given -= 2.0 * given.grad
                given.grad = None
    else:
        pytest.fail(f"the loss stays at {loss.item()}")


def test_a_network_learns_what_the_costs_are_made_of():
    """Two linear layers, trained by torch's own optimiser until all matchings are right."""
    torch = pytest.importorskip("torch")
    from gmtoolbox.torch_layer import matching  # imports torch

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    problems = [random_problem(rng, 5, 5, complete=True) for _ in range(8)]
    features = torch.randn(sum(p.n_candidates for p in problems), 4)
    pair_features = torch.randn(sum(len(p.a) for p in problems), 3)
    truth = matching(features @ torch.randn(4), pair_features @ torch.randn(3), problems, 1.0)
    assert truth.dtype == torch.float32 and not truth.requires_grad and truth.sum() == 40
    unaries, pairs = torch.nn.Linear(4, 1, bias=False), torch.nn.Linear(3, 1, bias=False)
    optimiser = torch.optim.Adam([*unaries.parameters(), *pairs.parameters()], lr=0.1)
    for _ in range(200):
        x = matching(unaries(features)[:, 0], pairs(pair_features)[:, 0], problems, 10.0, n_jobs=2)
        loss = (x * (1 - truth) + (1 - x) * truth).sum()
        if loss == 0:
            break
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss == 0
