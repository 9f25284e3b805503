"""Tensors whose gradients go through sm and rrwm: with torch if it is installed."""

import numpy as np
import pytest
from compat.pygmtools.test_classic import affinity

import gmtoolbox as gm
from gmtoolbox.compat import pygmtools as pygm

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("solve", [pygm.sm, pygm.rrwm])
@pytest.mark.parametrize("n, m", [(3, 3), (2, 4), (4, 2)])
def test_torch_agrees_with_its_own_differences(solve, n, m):
    torch.manual_seed(n)
    K = torch.rand(2, n * m, n * m, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda K: solve(K, n, m, max_iter=5), (K,), atol=1e-6)


@pytest.mark.parametrize("solve", [pygm.sm, pygm.rrwm])
def test_the_answer_is_the_same_with_and_without_a_gradient(solve):
    K = torch.tensor(affinity(np.random.default_rng(0), 4, 5)[0], dtype=torch.float32)
    with_gradient = solve(K.clone().requires_grad_(), 4, 5)
    assert with_gradient.requires_grad and with_gradient.dtype == torch.float32
    assert torch.equal(with_gradient.detach(), solve(K, 4, 5))


def test_descent_along_the_gradient_finds_a_wanted_matching():
    torch.manual_seed(0)
    K, wanted = torch.zeros(9, 9, dtype=torch.double), torch.eye(3, dtype=torch.double)[[2, 0, 1]]
    logits = (K + 0.1 * torch.rand(9, 9, dtype=torch.double)).requires_grad_()
    first = -(pygm.rrwm(logits.exp(), 3, 3) * wanted).sum()
    for _ in range(40):
        loss = -(pygm.rrwm(logits.exp(), 3, 3, beta=5) * wanted).sum()
        (gradient,) = torch.autograd.grad(loss, logits)
        logits = (logits - 2 * gradient).detach().requires_grad_()
    assert loss < first - 0.3
    assert torch.equal(pygm.hungarian(pygm.rrwm(logits.exp(), 3, 3)), wanted)


def test_refused():
    K = torch.rand(4, 4, requires_grad=True)
    with pytest.raises(gm.InputError, match=r"negative entries if it requires a gradient"):
        pygm.sm(K - 1, 2, 2)
    with pytest.raises(gm.InputError, match="must not require a gradient"):
        pygm.ipfp(K, 2, 2)
