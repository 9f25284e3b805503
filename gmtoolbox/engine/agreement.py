"""The agreement of tracks with given matchings of many graphs: how many matches they keep.

The search for tracks needs a list of the pairs of nodes that one track may hold (its candidates).
Joining two nodes that no chain of given matches connects keeps no match. If few matches are wrong,
chains connect few nodes, and all connected pairs are listed. If many are wrong, chains connect
almost all nodes, 126 million pairs for 29 graphs of 558 nodes, and only pairs that are connected by
short chains are listed: for the largest k of which there are at most MOST, the chains of at most k
matches. If there are too many for k = 2, the given pairs, and those that the most third graphs
confirm.
"""

from dataclasses import dataclass

from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.tracks import connect_groups, flat_matches
from gmtoolbox.engine.limits import OutOfTime

MOST = 8_000_000  # candidates of all pairs of graphs, about 600 MB in the search
CHUNK = 400_000  # chains that are followed between two looks at the clock


@dataclass(frozen=True)
class Agreement:
    """Given matches, as a model of which `conclude` makes an Answer: tracks are worth the number of
    matches that they keep. first[k] and second[k] are the ends of a match, nodes numbered through
    all graphs.
    """

    first: object
    second: object
    sizes: tuple
    offset = 0.0
    sense = "max"
    tolerance = 1e-9  # of a count; gaps are relative to a match at least (see relative_gap)
    largest_cost = 1.0

    @property
    def n_matches(self):
        """Number of given matches, which no tracks can exceed."""
        return len(self.first)

    def bare_cost(self, tracks):
        """Return minus the number of matches that the tracks keep."""
        return self.cost_of(np.concatenate(tracks))

    def cost_of(self, flat):
        """Return the same of the tracks of all nodes, one graph after the other."""
        return -float(np.count_nonzero(flat[self.first] == flat[self.second]))

    def tracks_around(self):
        """Return the tracks of all nodes that keep the matches of the graph that has the most."""
        base = np.concatenate([[0], np.cumsum(self.sizes)])
        ends = np.stack([self.first, self.second])
        graph = np.searchsorted(base, ends, side="right") - 1
        hub = np.argmax(np.bincount(graph.ravel(), minlength=len(self.sizes)))
        flat = np.arange(base[-1], dtype=np.int32)
        for own, other in ((0, 1), (1, 0)):
            kept = graph[own] == hub
            flat[ends[other, kept]] = ends[own, kept]
        return flat

    def cost_error(self, tracks):
        """Return 0: a count is exact."""
        return 0.0


def agreement_of(given, sizes):
    """Return the Agreement of {(g, h): labels}."""
    return Agreement(*flat_matches(given, sizes), sizes)


def list_agreement(agreement, budget):
    """Return the MultiProblem of an Agreement.

    Raises
    ------
    OutOfTime
        If the budget is over before.
    """
    near, sizes = near_pairs(agreement, budget), agreement.sizes
    base = np.concatenate([[0], np.cumsum(sizes)])
    matched = np.sort(agreement.first + base[-1] * agreement.second)  # first < second
    pairs = {}
    for h in range(1, len(sizes)):
        # rows in the order of nodes, columns as well: sorted as the candidates of a Problem are
        rows = near[base[h] : base[h + 1]].tocoo()
        graph = np.searchsorted(base, rows.col, side="right") - 1
        for g in range(h):
            look(budget)
            own = graph == g
            node, other = rows.col[own], rows.row[own] + base[h]
            cost = -is_in(node + base[-1] * other, matched).astype(float)
            shape = (sizes[g], sizes[h])
            left, right = node - base[g], other - base[h]
            pairs[g, h] = Problem(shape, left, right, cost, sense="max") if len(left) else None
    return MultiProblem(pairs, sizes=sizes, sense="max")


def look(budget):
    """Raise OutOfTime if the budget is over."""
    if budget.cut():
        raise OutOfTime


def is_in(keys, ordered):
    """Return which keys an ordered array has."""
    place = np.searchsorted(ordered, keys)
    return ordered[np.minimum(place, len(ordered) - 1)] == keys


def unite_tracks(agreement, flat):
    """Return the tracks of all nodes after uniting those that matches connect and that have no
    graph in common, most matches first: no list of pairs forbids it, and it keeps more matches.
    """
    n, d = len(flat), len(agreement.sizes)
    has = np.zeros((n, d), dtype=bool)  # a track, a graph
    has[flat, np.repeat(np.arange(d), agreement.sizes)] = True
    joined = flat[agreement.first].astype(np.int64), flat[agreement.second]
    links, number = np.unique(np.minimum(*joined) * n + np.maximum(*joined), return_counts=True)
    track, other = links // n, links % n
    may = track != other
    for begin in range(0, len(links), CHUNK // d + 1):
        some = slice(begin, begin + CHUNK // d + 1)
        may[some] &= ~(has[track[some]] & has[other[some]]).any(axis=1)
    into = np.arange(n)
    for k in sorted(np.flatnonzero(may).tolist(), key=lambda k: -number[k]):
        first, second = root_of(into, track[k]), root_of(into, other[k])
        if first != second and not (has[first] & has[second]).any():
            into[second] = first
            has[first] |= has[second]
    while not np.array_equal(into, into[into]):
        into = into[into]
    return into[flat].astype(np.int32)


def root_of(into, track):
    """Return the track that a track was united into."""
    while into[track] != track:
        track = into[track]
    return track


def near_pairs(agreement, budget):
    """Return the symmetric CSR matrix of the nodes that one track may hold (see above)."""
    n, most = sum(agreement.sizes), 2 * MOST  # both triangles
    ends = (agreement.first, agreement.second)
    look(budget)
    group = connect_groups(*ends, n)
    n_groups = int(group.max(initial=-1)) + 1
    look(budget)
    if np.sum(np.bincount(group, minlength=1).astype(float) ** 2) <= most:
        member = sparse.csr_array((np.ones(n, bool), (np.arange(n), group)), shape=(n, n_groups))
        return follow(member, member.T.tocsr(), budget)
    itself = np.arange(n)
    rows, columns = np.concatenate([*ends, itself]), np.concatenate([*ends[::-1], itself])
    step = sparse.csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(n, n))
    longer = follow(step, step, budget, most)
    if longer is None:
        return most_confirmed(step, budget, most)
    near = step
    while longer is not None and longer.nnz > near.nnz:
        near, longer = longer, follow(longer, step, budget, most)
    return near


def follow(chains, step, budget, most=None):
    """Return chains @ step with sorted rows, made in portions; None as soon as it has more than
    `most` entries.
    """
    look(budget)
    made, n_made = [], 0
    for begin, end in portions(chains, step, budget):
        look(budget)
        made.append(chains[begin:end] @ step)
        made[-1].sort_indices()
        n_made += made[-1].nnz
        if most is not None and n_made > most:
            return None
    return stack(made, step.shape[1], budget)


def portions(chains, step, budget):
    """Yield ranges of rows of chains @ step of about CHUNK multiplications each."""
    starts, work = chains.indptr, np.zeros(chains.shape[0] + 1)
    links = np.diff(step.indptr).astype(float)
    for begin, end in even_ranges(starts):  # the multiplications of each row
        look(budget)
        summed = np.cumsum(links[chains.indices[starts[begin] : starts[end]]])
        summed = np.concatenate([[0.0], summed])
        work[begin + 1 : end + 1] = (
            work[begin] + summed[starts[begin + 1 : end + 1] - starts[begin]]
        )
    yield from even_ranges(work)


def even_ranges(work):
    """Yield ranges of rows with about CHUNK of the increasing sums `work` each."""
    begin, n = 0, len(work) - 1
    while begin < n:
        end = max(int(np.searchsorted(work, work[begin] + CHUNK, side="right")) - 1, begin + 1)
        yield begin, min(end, n)
        begin = end


def stack(portions, n_columns, budget):
    """Return portions of rows as one CSR matrix of ones."""
    lengths = [np.zeros(1, np.int64), *(np.diff(own.indptr) for own in portions)]
    starts = np.cumsum(np.concatenate(lengths))
    columns, at = np.empty(starts[-1], np.int32), 0
    for own in portions:
        look(budget)
        columns[at : at + own.nnz] = own.indices
        at += own.nnz
    ones, starts = np.ones(at, dtype=bool), starts.astype(np.int32)  # one type: nothing is copied
    return sparse.csr_array((ones, columns, starts), shape=(len(starts) - 1, n_columns))


def most_confirmed(step, budget, most):
    """Return the given pairs, and those that at least t third graphs confirm, for the least t of
    which there are at most `most`.
    """
    n_pairs = np.zeros(step.shape[0] + 1, dtype=np.int64)  # by the number of third graphs
    for _, found in confirm_matches(step, budget):
        counted = np.bincount(found.data)
        n_pairs[: len(counted)] += counted
    at_least = np.cumsum(n_pairs[::-1])[::-1]
    t = int(np.argmax(at_least <= max(most - step.nnz, 0)))
    made = []
    for given, found in confirm_matches(step, budget):
        found.data = (found.data >= max(t, 1)).astype(np.int32)
        found.eliminate_zeros()
        made.append((found + given).astype(bool))
        made[-1].sort_indices()
    return stack(made, step.shape[1], budget)


def confirm_matches(step, budget):
    """Yield (given pairs, numbers of third graphs that confirm the others), some rows each."""
    weight = step.astype(np.int32)
    for begin, end in portions(step, step, budget):
        look(budget)
        given = weight[begin:end]
        found = given @ weight
        found -= found.multiply(given)
        found.eliminate_zeros()
        yield given, found
