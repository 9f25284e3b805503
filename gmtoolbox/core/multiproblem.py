"""MultiProblem: many graphs, a Problem for every pair of them.

minimise  sum over g < h of the cost of the matching of g and h

over matchings that agree around every cycle. The same thing: partition all nodes into *tracks* with
at most one node of each graph, every two nodes of a track a candidate of their pair.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.tracks import check_tracks, labels_of_pairs
from gmtoolbox.core.values import (
    as_numbers,
    check_sense,
    check_sizes,
    check_total,
    freeze,
    magnitude,
)


@dataclass(frozen=True, eq=False)
class MultiProblem:
    """d graphs and a Problem for every pair g < h; partial matchings, one sense.

    Parameters
    ----------
    pairs : dict
        ``{(g, h): Problem}`` for all ``0 <= g < h < d``. None stands for a pair of graphs of which
        nothing may be matched. (h, g) is turned around.
    sizes : tuple of int, optional
        Nodes of each graph; needed only for a graph all of whose pairs are None.
    name : str
    names : tuple of str, optional
        A name for each graph.
    truth : d int arrays, optional
        The true track of every node, -1 = none.
    points : d arrays (n_g, dimensions), optional
        Coordinates; default: those of the pairs, if they have them.
    sense : "min" or "max", optional
        The sense of all pairs; needed only if all of them are None and the problem is maximised.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> one = gm.Problem((1, 1), [0], [0], [-1.0])
    >>> m = gm.MultiProblem({(0, 1): one, (0, 2): one, (1, 2): one})
    >>> m
    <MultiProblem 3 graphs of 1 nodes, 3 candidates, 0 edges, min>
    >>> m.energy([[0], [0], [0]])
    -3.0
    """

    pairs: dict
    sizes: tuple = None
    name: str = ""
    names: tuple = None
    truth: tuple = None
    points: tuple = None
    sense: str = None

    def __post_init__(self):
        def put(name, value):
            object.__setattr__(self, name, value)

        if not isinstance(self.pairs, dict) or not self.pairs:
            raise InputError("pairs must be a dict {(g, h): Problem} with at least one pair")
        pairs = {}
        for key, problem in self.pairs.items():
            g, h, problem = check_pair(key, problem)
            if (g, h) in pairs:
                raise InputError(f"pairs has ({g}, {h}) twice")
            pairs[g, h] = problem
        d = max(h for _, h in pairs) + 1
        if self.sizes is not None and len(check_sizes(self.sizes)) != d:
            raise InputError(f"sizes must have one entry per graph, {d}, got {len(self.sizes)}")
        missing = [pair for pair in combinations(range(d), 2) if pair not in pairs]
        if missing:
            raise InputError(
                f"pairs must have all pairs of {d} graphs, {missing[0]} is missing; None says that"
                " nothing of it may be matched"
            )
        put("pairs", {pair: pairs[pair] for pair in combinations(range(d), 2)})
        put("sizes", common_sizes(self.pairs, self.sizes, d))
        put("sense", common_sense(self.pairs, self.sense))
        known = [p for p in self.pairs.values() if p is not None]
        sizes = (magnitude(p.cost) + p.edges.magnitude + abs(p.offset) for p in known)
        check_total("costs", sum(sizes))
        if self.names is not None:
            put("names", tuple(str(name) for name in self.names))
            if len(self.names) != d:
                raise InputError(f"names must have one entry per graph, {d}, got {len(self.names)}")
        if self.truth is not None:
            check_tracks(self.truth, self.sizes)
            put("truth", tuple(freeze(np.array(own, dtype=np.int32)) for own in self.truth))
        put("points", self._all_points())

    def _all_points(self):
        """Return the points of all graphs, from the pairs if none are given; None if some are
        unknown.
        """
        if self.points is None:
            found = [None] * self.d
            for (g, h), p in self.pairs.items():
                if p is not None:
                    found[g] = p.points1 if found[g] is None else found[g]
                    found[h] = p.points2 if found[h] is None else found[h]
            return None if any(own is None for own in found) else tuple(found)
        if len(self.points) != self.d:
            raise InputError(
                f"points must have one array per graph, {self.d}, got {len(self.points)}"
            )
        points = tuple(freeze(as_numbers(f"points[{g}]", own)) for g, own in enumerate(self.points))
        for g, own in enumerate(points):
            if own.ndim != 2 or len(own) != self.sizes[g]:
                raise InputError(
                    f"points[{g}] must have shape ({self.sizes[g]}, dimensions), got {own.shape}"
                )
        return points

    # ---- sizes and comparison

    @property
    def d(self):
        """Number of graphs."""
        return len(self.sizes)

    @property
    def n_nodes(self):
        """Number of nodes of all graphs."""
        return sum(self.sizes)

    @property
    def n_candidates(self):
        """Number of candidates of all pairs."""
        return sum(p.n_candidates for p in self.pairs.values() if p is not None)

    @property
    def n_edges(self):
        """Number of edges of all pairs."""
        return sum(p.n_edges for p in self.pairs.values() if p is not None)

    @property
    def offset(self):
        """Sum of the offsets of all pairs."""
        return float(sum(p.offset for p in self.pairs.values() if p is not None))

    def __getitem__(self, pair):
        """The Problem of a pair g < h, or None."""
        return self.pairs[pair]

    def __eq__(self, other):
        if not isinstance(other, MultiProblem):
            return NotImplemented
        return (
            self.sizes == other.sizes
            and self.sense == other.sense
            and self.pairs == other.pairs
            and self.names == other.names
            and same_arrays(self.truth, other.truth)
            and same_arrays(self.points, other.points)
        )

    __hash__ = None

    def __getstate__(self):
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for arrays in (self.truth, self.points):
            for own in arrays or ():
                own.flags.writeable = False

    def __repr__(self):
        name = f" {self.name!r}" if self.name else ""
        low, high = min(self.sizes), max(self.sizes)
        return (
            f"<MultiProblem{name} {self.d} graphs of {low if low == high else f'{low} to {high}'}"
            f" nodes, {self.n_candidates} candidates, {self.n_edges} edges, {self.sense}>"
        )

    # ---- values

    def check_tracks(self, tracks):
        """tracks as d int32 arrays, numbered by first appearance; InputError if they are none."""
        return check_tracks(tracks, self.sizes)

    def bare_cost(self, tracks):
        """Cost of the tracks without the offset, always minimised."""
        tracks = self.check_tracks(tracks)
        cost = 0.0
        matched = labels_of_pairs(tracks, self.pairs)
        for ((g, h), problem), labels in zip(self.pairs.items(), matched, strict=True):
            if problem is None:
                if np.any(labels >= 0):
                    i = int(np.argmax(labels >= 0))
                    raise InputError(
                        f"tracks join node {i} of graph {g} and node {labels[i]} of graph {h}, but"
                        f" pair ({g}, {h}) has no candidates"
                    )
                continue
            try:
                chosen = problem.candidates.of(labels)
            except InputError as error:
                raise InputError(f"tracks, graphs {g} and {h}: {error}") from error
            cost += problem.cost[chosen].sum() + problem.edges.total_among(chosen)
        return float(cost)

    def total_cost(self, tracks):
        """Cost of the tracks, offset included, always minimised."""
        return self.bare_cost(tracks) + self.offset

    def energy(self, tracks):
        """Value of the tracks in the problem's own sense: the sum of the values of all pairs."""
        return self.signed(self.total_cost(tracks))

    def signed(self, cost):
        """A cost in the problem's own sense."""
        return cost if self.sense == "min" else -cost

    @cached_property
    def tolerance(self):
        """A gap of at most this is closed: the least tolerance of a pair that is not 0."""
        known = [p.tolerance for p in self.pairs.values() if p is not None and p.tolerance > 0]
        return min(known, default=0.0)

    def cost_error(self, tracks):
        """By how much the cost of the tracks may be off, as it is added up here and in kernels."""
        matched = labels_of_pairs(self.check_tracks(tracks), self.pairs)
        return sum(
            problem.cost_error(labels) * len(self.pairs)
            for problem, labels in zip(self.pairs.values(), matched, strict=True)
            if problem is not None
        )

    @cached_property
    def largest_cost(self):
        """The largest absolute cost entry."""
        return max((p.largest_cost for p in self.pairs.values() if p is not None), default=0.0)


# ---- checks


def check_pair(key, problem):
    """(g, h, Problem or None) with g < h."""
    if not (isinstance(key, tuple) and len(key) == 2 and all(hasattr(x, "__index__") for x in key)):
        raise InputError(f"pairs must be keyed by (g, h), got {key!r}")
    g, h = (int(x) for x in key)
    if g == h or min(g, h) < 0:
        raise InputError(f"pairs must be keyed by two different graphs, got ({g}, {h})")
    if problem is None:
        return (g, h, None) if g < h else (h, g, None)
    if not isinstance(problem, Problem):
        raise InputError(f"pairs[{g}, {h}] must be a Problem or None, got {type(problem).__name__}")
    if problem.complete:
        raise InputError(
            f"pairs[{g}, {h}] is complete; tracks are partial matchings, so make it with"
            " complete=False"
        )
    problem = problem.explicit()
    return (g, h, problem) if g < h else (h, g, turn(problem))


def turn(p):
    """The same problem seen from the other side."""
    back = None
    if p.ground_truth is not None:
        back = np.full(p.shape[1], -1, dtype=np.int32)
        known = np.flatnonzero(p.ground_truth >= 0)
        back[p.ground_truth[known]] = known
    return replace(
        p, shape=p.shape[::-1], left=p.right, right=p.left, points1=p.points2, points2=p.points1,
        neighbours1=p.neighbours2, neighbours2=p.neighbours1, ground_truth=back,
        nodes1=p.nodes2, nodes2=p.nodes1,
    )  # fmt: skip


def common_sense(pairs, given):
    """The sense of all pairs; the given one, else "min", if there is none."""
    senses = {p.sense for p in pairs.values() if p is not None}
    if given is not None:
        check_sense(given)
        senses.add(given)
    if len(senses) > 1:
        raise InputError("all pairs must have one sense, got both min and max")
    return senses.pop() if senses else "min"


def common_sizes(pairs, given, d):
    """Nodes of each graph, the same in all its pairs."""
    sizes = [None] * d if given is None else list(check_sizes(given))
    for (g, h), problem in pairs.items():
        for graph, n in zip((g, h), problem.shape if problem is not None else (), strict=False):
            if sizes[graph] is None:
                sizes[graph] = n
            if sizes[graph] != n:
                raise InputError(
                    f"graph {graph} must have one size, got {sizes[graph]} and {n} in pair ({g},"
                    f" {h})"
                )
    if None in sizes:
        raise InputError(
            f"the size of graph {sizes.index(None)} is unknown: all its pairs are None; give sizes="
        )
    return check_sizes(sizes)


def same_arrays(first, second):
    """Whether two sequences of arrays, or None, are equal; NaN equals NaN."""
    if first is None or second is None:
        return first is second
    return all(
        np.array_equal(x, y, equal_nan=np.asarray(x).dtype.kind == "f")
        for x, y in zip(first, second, strict=True)
    )
