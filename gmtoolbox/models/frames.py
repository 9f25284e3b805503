"""Many point sets in the plane or in space that show the same points: matches of every two.

Two sets that differ too much to be matched by the patterns of their neighbours can often be matched
through a third one. Of the direct matches and those by the best detours the largest set that
survives growth (patterns.py) is kept.
"""

from itertools import combinations

import gmtoolbox.models.geometry as geo
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.models.guided import LEAST, TOLERANCE, UNARY, join_candidates
from gmtoolbox.models.patterns import grow, pattern_matches

DETOURS = 3  # third sets that are tried for a pair
SUSPECT = 0.9  # of the usual number of matches, below which detours are tried
REPEATS = 2


def matches_of_frames(points):
    """Return {(g, h): (m, 2) matches} of every two sets."""
    found = {
        (g, h): pattern_matches(points[g], points[h])
        for g, h in combinations(range(len(points)), 2)
    }
    for _ in range(REPEATS if len(points) > 2 else 0):
        size = np.zeros((len(points), len(points)))
        for (g, h), matches in found.items():
            size[g, h] = size[h, g] = len(matches) / min(len(points[g]), len(points[h]))
        usual = np.median([size[pair] for pair in found])
        better = {}
        for g, h in found:
            if size[g, h] >= SUSPECT * usual:
                continue
            by_detour = np.minimum(size[g], size[:, h])
            by_detour[[g, h]] = 0
            for k in np.argsort(-by_detour, kind="stable")[:DETOURS]:
                if by_detour[k] <= size[g, h]:
                    break
                matches = compose(matches_between(found, g, k), matches_between(found, k, h))
                if len(matches) < LEAST:
                    continue
                grown = grow(points[g], points[h], matches)
                if len(grown) > len(better.get((g, h), found[g, h])):
                    better[g, h] = grown
        if not better:
            break
        found.update(better)
    return found


def matches_between(found, g, h):
    """Return the matches from set g to set h."""
    return found[g, h] if g < h else found[h, g][:, ::-1]


def compose(first, second):
    """Return (m, 2) matches i -> s for which i -> a is in the first and a -> s in the second."""
    label = dict(second.tolist())
    pairs = [(i, label[a]) for i, a in first.tolist() if a in label]
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def frame_problem(P, Q, matches, unlike=None):
    """Return the partial Problem of two sets with these reliable matches, or None if too few agree.

    Costs as in from_points with geometry="local"; unlike: (n1, n2) distances of other features,
    which count as those of descriptors.
    """
    distance = np.ones(len(P) * len(Q)) if unlike is None else np.ravel(unlike)
    every = np.divmod(np.arange(len(P) * len(Q)), len(Q))
    try:
        left, right, cost, graph, pairs = join_candidates(
            P, Q, *every, distance, 1.0, matches, geometry="motion",
            tolerance=geo.check_tolerance(TOLERANCE), edges=("edges", "knn"), unary=UNARY,
            unmatched=0.0,
        )  # fmt: skip
    except InputError:
        return None
    return Problem(
        (len(P), len(Q)), left, right, cost, *pairs, points1=P, points2=Q, neighbours1=graph
    )
