"""Seeded problems in the shape of each of the study's 11 datasets, with a planted ground truth.

    gm.synth.worms(seed=0)             the size of the study
    gm.synth.worms(seed=0, size=20)    smaller: candidates per node and neighbours per node shrink
    last

The problems follow the study's dataset table: |V|, |L|/|V|, density of the cost matrix and of its
diagonal, which costs are zero or non-positive, and whether every node must be matched. The
story is always the same: right points are the left ones, moved, jittered, shuffled and mixed with
others; descriptors are noisy; costs compare descriptors and distances. Costs have six decimals, so
that a file holds them exactly and every machine makes the same.
"""

from dataclasses import dataclass

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.values import check_flag
from gmtoolbox.engine.limits import accept_rng
from gmtoolbox.models.geometry import delaunay_edges, rotation
from gmtoolbox.models.multi import worms_multi as worms_multi  # gm.synth.worms_multi
from gmtoolbox.models.points import from_distances, from_points

__all__ = [
    "caltech_large",
    "caltech_small",
    "car",
    "flow",
    "generate",
    "hotel",
    "house_dense",
    "house_sparse",
    "motor",
    "opengm",
    "pairs",
    "sparse",
    "worms",
    "worms_multi",
]

SIDE = 300.0  # of the square image the points lie in


@dataclass(frozen=True)
class Shape:
    """One row of the study's dataset table, and the settings of the generator."""

    nodes: tuple  # smallest and largest |V|
    ratio: tuple  # smallest and largest |L| / |V|
    diagonal: float  # share of allowed pairs
    complete: bool
    nonpositive: bool
    zero_unary: bool
    degree: float = 0.0  # neighbours per left node; 0: Delaunay, inf: all
    jitter: float = 4.0  # of the right points
    in_order: bool = False  # right points numbered like the left ones


SHAPES = {
    "caltech-large": Shape((80, 160), (0.8, 1.5), 0.181, False, True, True, degree=float("inf")),
    "caltech-small": Shape((20, 80), (0.6, 1.8), 0.268, False, True, True, degree=float("inf")),
    "car": Shape((19, 49), (1, 1), 1.0, True, True, False),
    "flow": Shape((48, 126), (0.95, 1.05), 0.158, False, False, False, degree=14),
    "hotel": Shape((30, 30), (1, 1), 1.0, True, False, False, degree=3.93, jitter=2.0),
    "house-dense": Shape((30, 30), (1, 1), 1.0, True, False, False, degree=3.87, jitter=2.0),
    "house-sparse": Shape((30, 30), (1, 1), 1.0, True, True, True, jitter=3.0, in_order=True),
    "motor": Shape((15, 52), (1, 1), 1.0, True, True, False, jitter=6.0),
    "opengm": Shape((19, 20), (1, 1), 1.0, True, False, False, degree=float("inf")),
    "pairs": Shape((511, 565), (0.97, 1.03), 0.037, False, False, False, degree=7.4, jitter=6.0),
    "worms": Shape((558, 558), (2.35, 2.45), 0.016, False, False, False, degree=7.8, jitter=3.0),
}


@accept_rng
def generate(shape, seed=0, size=None):
    """A Problem in the shape of a dataset of the study.

    Parameters
    ----------
    shape : str
        A name of SHAPES.
    seed : int
        The same seed gives the same problem.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once.
    size : int, optional
        Number of left nodes; default: as of the study.

    Returns
    -------
    Problem

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.synth.generate("worms", seed=0, size=8)
    <Problem 'worms-0' 8x19, 32 candidates, 328 edges, partial, min>
    """
    if shape not in SHAPES:
        raise InputError(f"shape must be one of {' '.join(SHAPES)}, got {shape!r}")
    if size is not None and not (isinstance(size, int) and 4 <= size <= 10_000):
        raise InputError(f"size must be an integer in 4..10000, got {size!r}")
    form = SHAPES[shape]
    rng = np.random.default_rng([seed, sorted(SHAPES).index(shape)])
    n1 = size or int(rng.integers(form.nodes[0], form.nodes[1] + 1))
    n2 = max(round(n1 * rng.uniform(*form.ratio)), 4)
    scene = Scene(rng, n1, n2, form)
    special = {"house-sparse": sparse_house, "caltech-small": caltech, "caltech-large": caltech}
    build = special.get(shape, general)
    return build(scene, form, f"{shape}-{seed}")


def maker(shape):
    """The function gm.synth.<shape>."""

    @accept_rng
    def make(seed=0, size=None):
        return generate(shape, seed, size)

    form = SHAPES[shape]
    make.__name__ = make.__qualname__ = shape.replace("-", "_")
    make.__doc__ = (
        f"A problem in the shape of {shape}: {form.nodes[0]}-{form.nodes[1]} left nodes unless size"
        f" is given, {'complete' if form.complete else 'partial'},"
        f" {'non-positive' if form.nonpositive else 'mixed signs'}."
    )
    return make


caltech_large, caltech_small, car, flow, hotel = map(
    maker, ("caltech-large", "caltech-small", "car", "flow", "hotel")
)
house_dense, house_sparse, motor, opengm, pairs, worms = map(
    maker, ("house-dense", "house-sparse", "motor", "opengm", "pairs", "worms")
)


@accept_rng
def sparse(seed=0, size=1000, candidates=20, hard=False):
    """A large sparse problem: points and their moved images, the closest of which are candidates.

    Pairs of candidates of neighbours (Delaunay) have a negative cost if their distances fit. A
    hard one has blurred descriptors and distances, so that many matchings are nearly as good.

    Parameters
    ----------
    seed : int
        The same seed gives the same problem.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once.
    size : int
        Points on either side.
    candidates : int
        Labels that each node may take.
    hard : bool
        Whether descriptors and distances are blurred.

    Returns
    -------
    Problem
        Partial, no pair cost is positive.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> p = gm.synth.sparse(seed=1, size=60, candidates=5)
    >>> p.shape, p.n_candidates, bool(p.edge_cost.max() < 0)
    ((60, 60), 300, True)
    """
    for name, value, most in (("size", size, 100_000), ("candidates", candidates, size)):
        if not (isinstance(value, int) and 4 <= value <= most):
            raise InputError(f"{name} must be an integer in 4..{most}, got {value!r}")
    hard = check_flag("hard", hard)
    rng = np.random.default_rng([seed, size, candidates, int(hard)])
    noise, jitter, blur = (1.5, 10.0, 22.0) if hard else (0.6, 3.0, 12.0)
    P = rng.uniform(0, SIDE * np.sqrt(size / 100), (size, 2))
    label = rng.permutation(size)  # the correct one of each node
    Q, F = np.empty_like(P), rng.normal(size=(size, 8))
    Q[label] = P + rng.normal(0, jitter, P.shape)
    G = np.empty_like(F)
    G[label] = F + rng.normal(0, noise, F.shape)
    right, unary = [], []
    for i in range(size):  # one row at a time: all of them would not fit into memory
        away = ((Q - P[i]) ** 2).sum(axis=1)
        away[label[i]] = -1.0
        kept = np.sort(np.argpartition(away, candidates - 1)[:candidates])
        right.append(kept)
        unary.append(0.3 * np.linalg.norm(F[i] - G[kept], axis=1) - 1.0)
    right = np.array(right)
    i, j = delaunay_edges(P).T
    apart = Q[right[i]][:, :, None] - Q[right[j]][:, None, :]  # edge, candidate, candidate
    off = np.linalg.norm(apart - (P[i] - P[j])[:, None, None], axis=3) / blur
    fit = np.exp(-0.5 * off**2)
    fit[right[i][:, :, None] == right[j][:, None, :]] = 0.0
    edge, s, t = np.nonzero(fit > 0.02)
    a, b = i[edge] * candidates + s, j[edge] * candidates + t
    return Problem(
        (size, size),
        np.repeat(np.arange(size), candidates),
        right.ravel(),
        np.round(np.concatenate(unary), 6),
        a,
        b,
        -np.round(fit[edge, s, t], 6),
        name=f"sparse-{size}x{candidates}{'-hard' if hard else ''}-{seed}",
    )


class Scene:
    """Two point sets with descriptors, the right label of each left node, and the allowed pairs."""

    def __init__(self, rng, n1, n2, form):
        self.rng = rng
        common = min(n1, n2) if form.complete else max(round(0.85 * min(n1, n2)), 2)
        self.P = rng.uniform(0, SIDE, (n1, 2))
        turned = self.P @ rotation(rng.normal(0, 0.1)).T
        moved = turned * rng.uniform(0.95, 1.05) + rng.normal(0, 10, 2)
        self.Q = rng.uniform(0, SIDE, (n2, 2))
        nodes, labels = rng.permutation(n1)[:common], rng.permutation(n2)[:common]
        if form.in_order:  # costs compare i < j with s < l only, as of landmarks in one order
            nodes, labels = np.sort(nodes), np.sort(labels)
        self.Q[labels] = moved[nodes] + rng.normal(0, form.jitter, (common, 2))
        self.truth = np.full(n1, -1)
        self.truth[nodes] = labels
        F1, F2 = rng.normal(size=(n1, 8)), rng.normal(size=(n2, 8))
        F2[labels] = F1[nodes] + rng.normal(0, 0.6, (common, 8))
        self.unlike = np.linalg.norm(F1[:, None] - F2, axis=2)  # (n1, n2)
        self.candidates = self.list_allowed(min(max(round(form.diagonal * n2), 4), n2))

    def list_allowed(self, k):
        """(n1 k, 2) pairs: the k most similar labels of each node, the correct one among them."""
        order = self.unlike.copy()
        known = np.flatnonzero(self.truth >= 0)
        order[known, self.truth[known]] = -1.0
        right = np.sort(np.argsort(order, axis=1, kind="stable")[:, :k], axis=1)
        return np.column_stack([np.repeat(np.arange(len(right)), k), right.ravel()])

    def left_edges(self, degree):
        """(m, 2) pairs of left nodes: the closest ones, as many as the degree asks for."""
        n = len(self.P)
        if degree == 0:
            return delaunay_edges(self.P)
        i, j = np.triu_indices(n, 1)
        if degree >= n - 1:
            return np.column_stack([i, j])
        by_length = np.argsort(np.linalg.norm(self.P[i] - self.P[j], axis=1), kind="stable")
        closest = by_length[: round(degree * n / 2)]
        return np.column_stack([i, j])[np.sort(closest)]


def sparse_house(scene, form, name):
    """house-sparse: the study's own formula on Delaunay triangulations."""
    problem = from_points(scene.P, scene.Q, width=2500.0, both=False)
    return in_form(scene, form, name, problem)


def caltech(scene, form, name):
    """caltech: how far two assignments disagree about the displacement, cut off at 50 pixels."""
    left, right = scene.candidates.T
    shift = scene.Q[right] - scene.P[left]
    D = np.linalg.norm(shift[:, None] - shift, axis=2) * 0.5
    problem = from_distances(D, scene.candidates, (len(scene.P), len(scene.Q)))
    return in_form(scene, form, name, problem)


def general(scene, form, name):
    """Unaries from descriptors; edges of neighbours from how well lengths and directions agree."""
    rng = scene.rng
    left, right = scene.candidates.T
    unlike = scene.unlike[left, right]
    cost = -np.exp(-0.25 * unlike) if form.nonpositive else 2.0 * unlike - 6.0
    first, second = label_pairs(scene, form)
    across1 = scene.P[left[first]] - scene.P[left[second]]
    across2 = scene.Q[right[first]] - scene.Q[right[second]]
    wrong = np.linalg.norm(across1 - across2, axis=1)
    if form.nonpositive:
        value = -np.exp(-wrong / 40.0)
    else:
        value = np.minimum(wrong / 20.0, 4.0) - 1.0 + rng.normal(0, 0.05, len(wrong))
    return problem_of(scene, form, name, left, right, cost, first, second, value)


def label_pairs(scene, form):
    """Pairs of candidates of neighbouring left nodes that carry a cost."""
    n1, n2 = len(scene.P), len(scene.Q)
    k = len(scene.candidates) // n1
    i, j = scene.left_edges(form.degree).T
    grid = np.arange(k)
    first = (i[:, None, None] * k + grid[:, None] + 0 * grid).ravel()
    second = (j[:, None, None] * k + 0 * grid[:, None] + grid).ravel()
    right = scene.candidates[:, 1]
    kept = right[first] != right[second]
    if form.degree == 0:  # both graphs are triangulations: a cost if both pairs are neighbours
        near = np.zeros((n2, n2), dtype=bool)
        s, t = delaunay_edges(scene.Q).T
        near[s, t] = near[t, s] = True
        kept &= near[right[first], right[second]]
    elif form.complete and form.degree == float("inf"):
        kept &= scene.rng.random(len(kept)) < 0.83  # opengm: three quarters of the matrix
    return first[kept], second[kept]


def in_form(scene, form, name, p):
    """problem_of the candidates and edges of a problem."""
    return problem_of(scene, form, name, p.left, p.right, p.cost, p.a, p.b, p.edge_cost)


def problem_of(scene, form, name, left, right, cost, a, b, edge_cost):
    """The Problem with six decimals, points and truth."""
    edge_cost = np.round(edge_cost, 6)
    kept = edge_cost != 0
    return Problem(
        (len(scene.P), len(scene.Q)),
        left,
        right,
        np.round(cost, 6),
        a[kept],
        b[kept],
        edge_cost[kept],
        complete=form.complete,
        points1=np.round(scene.P, 3),
        points2=np.round(scene.Q, 3),
        ground_truth=scene.truth,
        name=name,
    )
