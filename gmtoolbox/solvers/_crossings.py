"""Crossings of local optima for two sparse graphs.

A local search is soon stuck a few edges below the best matching, and searches from different
starts are stuck at different nodes. The best matching all of whose pairs occur in one of several
matchings is a problem with few candidates and listed edges, which the exact method usually solves
within milliseconds: it takes from each matching the parts in which that one is best, and the result
is never worse than any of them. A round disturbs the best matching or a start, descends by a short
local search, and crosses the result with the best matching and the last few.
"""

from gmtoolbox.core.lazy import np
from gmtoolbox.solvers._components import PartBudget
from gmtoolbox.solvers._restriction import restrict_to

# Chosen on heavy-tailed graphs of 200 to 600 nodes, seeds 1000 to 1016 of
# benchmarks/bench_constraints.py
START_SHARES, BEST_SHARES = (0.0, 0.1, 0.3), (0.3, 0.6, 0.9)  # of the nodes that are disturbed
MOST_DISTURBED = 500  # of that share: in larger graphs, parts are disturbed one after the other
LARGE_SIDE = 1000  # nodes of a graph from which a descent from a start takes long
PATIENCE = 300  # trials of the local search of a round without success
LAST = 4  # local optima that are crossed with the best matching
VAIN_ROUNDS = 40  # in a row, at the end
CROSSING_STEPS = 1000  # of the exact method
CROSSING_SHARE = 0.1  # of the remaining time, at most


class Crossings:
    """Rounds of disturbing, descending and crossing for a Portfolio.

    Parameters
    ----------
    state : Portfolio
    exact : function
        exact(problem, budget, init, steps) -> Outcome
    descend : function
        descend(labels, patience, attempt) -> Outcome of a local search
    """

    def __init__(self, state, exact, descend):
        self.state, self.exact, self.descend = state, exact, descend
        self.generator = state.budget.generator()
        self.recent, self.rounds, self.fit = [], 0, True

    def improve(self, has_ended):
        """Run rounds until VAIN_ROUNDS of them find nothing better, or has_ended(); return whether
        any did. Without starts there are none: parts of matchings that are noise do not fit.
        """
        state, vain, first = self.state, 0, self.state.cost
        while vain < VAIN_ROUNDS and state.starts and self.fit and not has_ended():
            before = state.cost
            self.run_round()
            vain = 0 if state.cost < before else vain + 1
        return state.cost < first

    def run_round(self):
        """Disturb a matching, descend, and cross."""
        state = self.state
        found = self.descend(self.disturb(), PATIENCE, self.rounds)
        self.rounds += 1
        if found.labels is None:
            return
        self.recent = [*self.recent, found.labels][-LAST:]
        labels = self.cross([state.labels, *self.recent])
        if labels is not None and state.problem.total_cost(labels) < state.cost:
            state.offer(labels, f"crossing, round {self.rounds}")

    def disturb(self):
        """Return the labels to descend from: alternately of a start and of the best matching."""
        state, (k, is_best) = self.state, divmod(self.rounds, 2)
        if is_best or len(state.labels) > LARGE_SIDE:
            labels, share = state.labels, BEST_SHARES[k % len(BEST_SHARES)]
        else:
            labels, share = state.starts[k % len(state.starts)], START_SHARES[k % len(START_SHARES)]
        return exchange_labels(state.problem, labels, share, self.generator)

    def cross(self, matchings):
        """Return the best matching of pairs of these, of which the first is the best, or None."""
        state = self.state
        left = np.tile(np.arange(state.problem.shape[0]), len(matchings))
        right = np.concatenate(matchings)
        problem = restrict_to(state.factors, left[right >= 0], right[right >= 0])
        self.fit = problem is not None
        if not self.fit or state.budget.expired():
            return None
        clock = PartBudget(state.budget, CROSSING_SHARE, None)  # bounds of a part stay in it
        return self.exact(problem, clock, matchings[0], CROSSING_STEPS).labels


def exchange_labels(problem, labels, share, generator):
    """Return labels of which this share has changed places, two at a time, if both may."""
    n = len(labels)
    disturbed = int(share * min(n, MOST_DISTURBED))
    i, j = generator.permutation(n)[: disturbed // 2 * 2].reshape(2, -1)
    may = is_allowed(problem, i, labels[j]) & is_allowed(problem, j, labels[i])
    i, j, labels = i[may], j[may], labels.copy()
    labels[i], labels[j] = labels[j], labels[i]
    return labels


def is_allowed(problem, left, right):
    """Return for each pair whether it is a candidate; a node may go without a label."""
    return (right < 0) | (problem.candidates.index(left, np.maximum(right, 0)) >= 0)
