"""Starts for graphs whose noise hides the truth from spectra: neighbourhoods that agree, the convex
relaxation, sharpened and continued, and chains of it.

Two descents of Frank-Wolfe from different starts end at the same matching if they have found the
structure of the graphs, and have next to no label in common if they have not: then they keep as
much as any two graphs of these sizes have in common, the noise level. A link of a chain takes the
nodes of a matching that keep most of their edges, rewards their pairs and the pairs of their
neighbours in the convex relaxation, and descends from its point. Few of these nodes need be
correct: the next link has more of them, until the graphs are aligned.
"""

from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import dense
from gmtoolbox.solvers._convex import (
    SHARPENING,
    Relaxation,
    agree,
    relaxation_gigabytes,
    start_seconds,
)
from gmtoolbox.solvers._neighbours import affords_neighbours, neighbour_point, neighbour_seconds
from gmtoolbox.solvers.faq import Best, Pairs, descend

# Chosen on correlated random graphs of 500 nodes, degrees 4 to 80, a fifth and a quarter of noise
FIRST_STEPS = 30
# (penalty, steps, sharpened) of each start
STARTS = (
    *((1.0, FIRST_STEPS, False), (1.0, FIRST_STEPS, True), (1.0, 100, False)),
    *((0.3, 100, False), (3.0, 100, False), (1.0, 300, False)),
)
SHARES = (0.1,) * 3 + (0.2,) * 3 + (0.4,) * 3 + (0.8,) * 3  # of the nodes, for each link
WEIGHT, LINK_STEPS, DESCENT_STEPS = 0.03, 30, 60
CLEAR = 1.25  # times the noise level: kept by chance in no case that was seen
TIME_SHARE = 0.6  # of the remaining time
MOST_WORK = 4e12  # steps times n^3 of all starts and links


class Chains:
    """The starts for one Portfolio.

    Parameters
    ----------
    state : Portfolio
    found : list of labels
        The matchings of descents from other starts.
    """

    def __init__(self, state, found):
        self.state, self.factors, self.found = state, state.factors, list(found)
        self.space = Pairs(state.problem, state.factors)
        self.work, self.end = 0.0, state.budget.elapsed() + TIME_SHARE * state.budget.remaining()
        self.level = max(map(self.paid, found))

    def paid(self, labels):
        """Return the cost without the offset."""
        return self.state.problem.total_cost(labels) - self.state.problem.offset

    def affords(self, steps):
        """Return True if time and work are left for this many steps and a descent."""
        budget = self.state.budget
        self.work += steps * float(max(self.factors.shape)) ** 3
        if budget.expired() or self.work > MOST_WORK:
            return False
        return budget.elapsed() + start_seconds(self.factors, steps) <= self.end

    def descend_from(self, point, name):
        """Return the labels of a descent from an (n1, n2) point, or None."""
        best = Best(self.state.problem, self.state.budget)
        x = self.space.of_matrix(point)
        descend(self.space, x, self.state.budget, best, "assignment", DESCENT_STEPS, 1e-4)
        if best.labels is not None:
            self.state.offer(best.labels, name)
        return best.labels

    def is_clear(self, labels):
        """Return True if a matching is above the noise level, or if another start has found it."""
        if self.paid(labels) <= CLEAR * self.level:
            return True
        return any(agree(labels, others) for others in self.found)

    def run(self, memory):
        """Try starts and chains until one of them finds more than noise."""
        factors, budget = self.factors, self.state.budget
        is_late = factors.are_sparse and self.is_slow_to_compare()
        if not is_late and self.match_neighbours(memory):
            return
        if relaxation_gigabytes(factors) > memory:
            return
        relaxation, last = None, None
        for penalty, steps, is_sharpened in STARTS:
            if not self.affords(SHARPENING if is_sharpened else steps):
                return
            if penalty != last:
                relaxation = Relaxation(factors, penalty)
            if not relaxation.advance(steps, budget):
                return
            if is_sharpened and not relaxation.sharpen(budget):
                return
            last = None if is_sharpened else penalty
            is_late = is_late and steps == FIRST_STEPS  # dense: neighbourhoods after two starts
            if not is_late and self.match_neighbours(memory, relaxation.point()):
                return
            name = "sharpened" if is_sharpened else f"{steps} steps"
            labels = self.descend_from(relaxation.point(), f"convex, {name}, + faq")
            if labels is None:
                return
            clear = self.is_clear(labels)
            self.found.append(labels)
            if (clear or steps > FIRST_STEPS) and self.follow(labels):
                return

    def is_slow_to_compare(self):
        """Return True if two comparisons of neighbourhoods take longer than a sharpened start."""
        sharpened = start_seconds(self.factors, FIRST_STEPS + SHARPENING)
        return 2.0 * neighbour_seconds(self.factors) > sharpened

    def match_neighbours(self, memory, hint=None):
        """Start from neighbourhoods that agree, if they can be afforded; return whether more than
        noise is found. hint: a point of the convex relaxation.
        """
        budget = self.state.budget
        if not affords_neighbours(self.factors, self.end - budget.elapsed(), memory):
            return False
        point = neighbour_point(self.factors, budget, self.end, hint).astype(np.float64)
        labels = self.descend_from(point, "neighbours + faq")
        if labels is None:
            return False
        clear = self.is_clear(labels)
        self.found.append(labels)
        return clear

    def follow(self, labels):
        """Run a chain from a matching, up to the first link that gains nothing once it is clear of
        the noise; return whether it is, or nothing more can be afforded.
        """
        relaxation = self.kept_relaxation
        for share in SHARES:
            if not self.affords(LINK_STEPS):
                return True
            relaxation.restart(self.pull(labels, share))
            relaxation.advance(LINK_STEPS, self.state.budget)
            before, labels = self.paid(labels), self.descend_from(relaxation.point(), "chain + faq")
            if labels is None:
                return True
            is_clear = self.is_clear(labels)
            if is_clear and self.paid(labels) >= before:
                return True
        self.found.append(labels)
        return is_clear

    @property
    def kept_relaxation(self):
        """The Relaxation of all links."""
        return self.factors.keep("chains", lambda: Relaxation(self.factors))

    def pull(self, labels, share):
        """Return the rewards of a link, for this share of the nodes: the pairs P of those that
        keep most, and A P B', which counts the common neighbours that each pair has among them.
        """
        factors = self.factors
        nodes = np.flatnonzero(labels >= 0)
        kept = self.kept_weights(labels)
        lengths = [np.sqrt(np.asarray((M * M).sum(axis=1)).ravel()) for M in (factors.A, factors.B)]
        longest = np.maximum(lengths[0][nodes] * lengths[1][labels[nodes]], np.finfo(float).tiny)
        score = kept / longest * np.sqrt(kept)
        top = nodes[np.argsort(-score, kind="stable")[: max(int(share * len(nodes)), 1)]]
        chosen = np.full(len(labels), -1)
        chosen[top] = labels[top]
        common = dense(-factors.gradient_at(chosen))
        common *= WEIGHT / max(common.max(), np.finfo(float).tiny)
        common[top, labels[top]] += WEIGHT
        return common

    def kept_weights(self, labels):
        """Return the weight of the common edges of each matched node."""
        nodes = np.flatnonzero(labels >= 0)
        gradient = self.factors.gradient_at(labels)
        return np.maximum(-np.asarray(gradient[nodes, labels[nodes]]).ravel(), 0.0)


def escape_noise(state, found, memory):
    """Look for structure with Chains, given labels of descents that do not agree; not if edges can
    cost something.
    """
    if state.budget.expired() or not state.problem.edges.nonpositive:
        return
    Chains(state, found).run(memory)
