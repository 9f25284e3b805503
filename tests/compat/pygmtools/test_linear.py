"""hungarian against enumeration, sinkhorn against plain divisions."""

import doctest
from itertools import permutations

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.compat import pygmtools as pygm
from gmtoolbox.compat.pygmtools import linear


def enumerate_best(s, u=None, v=None):
    """Largest sum of scores, free nodes included, over all matchings."""
    n, m = s.shape
    places = [*range(m), *([-1] * n if u is not None or n > m else [])]
    best = -np.inf
    for labels in set(permutations(places, n)):
        pairs = [(i, j) for i, j in enumerate(labels) if j >= 0]
        if u is None and len(pairs) < min(n, m):
            continue
        total = sum(s[i, j] for i, j in pairs)
        if u is not None:
            total += sum(u[i] for i in range(n) if labels[i] < 0)
            total += sum(v[j] for j in range(m) if j not in labels)
        best = max(best, total)
    return best


@pytest.mark.parametrize("seed", range(6))
def test_hungarian_is_the_best_of_every_block(seed):
    rng = np.random.default_rng(seed)
    s, u, v = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 3)), rng.normal(size=(3, 4))
    n1, n2 = rng.integers(1, 4, 3), rng.integers(1, 5, 3)
    for free in ((), (u, v)):
        X = pygm.hungarian(s, n1, n2, *free)
        assert X.shape == s.shape and set(np.unique(X)) <= {0.0, 1.0}
        for b, (n, m) in enumerate(zip(n1, n2, strict=True)):
            block = X[b, :n, :m]
            assert X[b].sum() == block.sum() and block.sum(0).max() <= 1 and block.sum(1).max() <= 1
            total = (s[b, :n, :m] * block).sum()
            ends = (u[b, :n], v[b, :m]) if free else ()
            if free:
                total += (ends[0] * (1 - block.sum(1))).sum() + (ends[1] * (1 - block.sum(0))).sum()
            assert np.isclose(total, enumerate_best(s[b, :n, :m], *ends))


def plain(s, tau, max_iter, u=None, v=None, dummies=0):
    """exp(s / tau) with rows (then columns, ...) divided by their sums; s is wide."""
    n, m = s.shape
    S = np.zeros((n + dummies + 1, m + 1))
    S[:n, :m], S[n:-1, :m] = np.exp(s / tau), np.exp(-100.0)
    if u is not None:
        S[:n, m], S[-1, :m] = np.exp(u / tau), np.exp(v / tau)
    for k in range(max_iter):
        if k % 2 == 0:
            S[:-1] /= S[:-1].sum(1, keepdims=True)
        else:
            S[:, :-1] /= S[:, :-1].sum(0, keepdims=True)
    return S[:n, :m]


@pytest.mark.parametrize("seed", range(6))
def test_sinkhorn_divides(seed):
    rng = np.random.default_rng(seed)
    s, u, v = rng.normal(size=(3, 3, 5)), rng.normal(size=(3, 3)), rng.normal(size=(3, 5))
    n1, n2 = np.array([3, 2, 3]), np.array([5, 4, 2])
    for free in (False, True):
        for dummy in (False, True):
            ends = (u, v) if free else (None, None)
            X = pygm.sinkhorn(s, n1, n2, *ends, dummy_row=dummy, max_iter=7, tau=0.5)
            for b, (n, m) in enumerate(zip(n1, n2, strict=True)):
                block, a, c = s[b, :n, :m], u[b, :n], v[b, :m]
                if n > m:
                    block, a, c = block.T, c, a
                more = {"u": a, "v": c} if free else {}
                found = plain(block, 0.5, 7, dummies=abs(m - n) * dummy, **more)
                assert np.allclose(X[b, :n, :m], found.T if n > m else found)
                assert X[b, n:].sum() == 0 and X[b, :, m:].sum() == 0


def test_sinkhorn_keeps_kind_and_shape():
    x = pygm.sinkhorn(np.arange(4, dtype=np.float32).reshape(2, 2))
    assert x.dtype == np.float32 and x.shape == (2, 2) and np.allclose(x.sum(0), 1)
    same = pygm.sinkhorn(np.arange(4).reshape(2, 2), batched_operation=True)
    assert np.allclose(same, x)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda s: pygm.sinkhorn(s, tau=0), "tau must be positive"),
        (lambda s: pygm.sinkhorn(s, max_iter=-1), "max_iter must be"),
        (lambda s: pygm.sinkhorn(s, batched_operation=1), "batched_operation must be"),
        (lambda s: pygm.sinkhorn(s, unmatch1=np.zeros(2)), "must be given together"),
        (lambda s: pygm.hungarian(s, unmatch1=s[0], unmatch2=s), "unmatch2 must have a number"),
        (lambda s: pygm.hungarian(s, nproc=0), "nproc must be"),
        (lambda s: pygm.hungarian(s, backend="jittor"), "backend must be 'numpy'"),
        (lambda s: pygm.hungarian(s, 3), "n1 must be in 1..2"),
    ],
)
def test_refused(call, message):
    with pytest.raises(gm.InputError, match=message):
        call(np.zeros((2, 2)))


def test_examples():
    assert doctest.testmod(linear) == (0, 6)


def test_tensors_with_gradients():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    s, weight = rng.normal(size=(2, 2, 3, 4))
    given = torch.tensor(s, requires_grad=True)
    X = pygm.sinkhorn(given, torch.tensor([3, 2]), dummy_row=True, backend="pytorch")
    (X * torch.tensor(weight)).sum().backward()
    moved = s.copy()
    moved[0, 1, 2] += 1e-6
    plain, other = (pygm.sinkhorn(x, np.array([3, 2]), dummy_row=True) for x in (s, moved))
    assert np.allclose(X.detach().numpy(), plain)
    assert np.isclose(((other - plain) * weight).sum() / 1e-6, given.grad[0, 1, 2], atol=1e-4)
    assert torch.equal(pygm.hungarian(given), torch.tensor(pygm.hungarian(s)))
