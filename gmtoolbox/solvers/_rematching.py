"""Rematching: the nodes of a matching that keep the least of their edges are matched again.

A good matching of two sparse graphs may have whole parts wrong: two groups of friends exchanged, a
branch at another fork. No swap of two labels mends that, but such parts keep fewer of their edges
than the others. All other nodes are taken for correct: they are fixed as seeds are, and the links
to them show which of the remaining nodes belong together, in a problem that is several times
smaller. A start from neighbourhoods that agree costs a few hundredths of a second there.
"""

from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.solvers._factors import QapFactors
from gmtoolbox.solvers._neighbours import affords_neighbours, neighbour_point
from gmtoolbox.solvers._starts import best_assignment

# Chosen on clustered graphs of benchmarks/bench_constraints.py, random seeds 9000, 9003, 9009
SHARES = (0.1, 0.2, 0.3, 0.5)  # of the nodes that are matched again
NOISE = 0.01  # of the scores that choose them: no two rounds are alike
LEAST_NODES = 8
TIME_SHARE = 0.1  # of the remaining time for the neighbourhoods of a round, at most


class Rematches:
    """Rounds of matching the worst nodes of a Portfolio's best matching again.

    Parameters
    ----------
    state : Portfolio
    memory : float
        Gigabytes that tables may take.
    """

    def __init__(self, state, memory):
        self.state, self.memory = state, memory
        self.generator, self.rounds = state.budget.generator(), 0

    def improve(self, has_ended):
        """Run rounds until no share of the nodes gives a better matching, or has_ended(); return
        whether any did.
        """
        state, vain, first = self.state, 0, self.state.cost
        while vain < len(SHARES) and not has_ended():
            before, share = state.cost, SHARES[self.rounds % len(SHARES)]
            self.rounds += 1
            labels = self.rematch(share)
            if labels is not None and state.problem.total_cost(labels) < before:
                state.offer(labels, f"{share:.0%} of the nodes matched again")
            vain = 0 if state.cost < before else vain + 1
        return state.cost < first

    def rematch(self, share):
        """Return the labels after this share of the nodes, those that keep least, is matched again;
        None if there is no time.
        """
        state, labels = self.state, self.state.labels
        scores = score_nodes(state.factors, labels)
        scores += self.generator.normal(0.0, NOISE, len(scores))
        chosen = np.argsort(scores, kind="stable")[: max(int(share * len(labels)), LEAST_NODES)]
        stays = labels >= 0
        stays[chosen] = False
        if not stays.any():
            return None
        lifted = state.problem.fix(np.column_stack([np.flatnonzero(stays), labels[stays]]))
        factors = QapFactors(lifted.problem)
        seconds = TIME_SHARE * state.budget.remaining()
        if not affords_neighbours(factors, seconds, self.memory):
            return None
        point = neighbour_point(factors, state.budget, state.budget.elapsed() + seconds)
        found = best_assignment(factors, point)
        is_whole = not state.problem.complete or np.all(found >= 0)
        return lifted.lift(found) if is_whole else None


def score_nodes(factors, labels):
    """Return for each left node the part of its edges and its neighbours' that the matching keeps:
    sums over the node and its neighbours of the kept weights and of the largest weights that could
    be.
    """
    A, B = (abs(sparse.csr_array(M)) for M in (factors.A, factors.B))
    nodes = np.flatnonzero(labels >= 0)
    kept, most = np.zeros((2, len(labels)))
    gradient = factors.gradient_at(labels)
    kept[nodes] = np.maximum(-np.asarray(gradient[nodes, labels[nodes]]).ravel(), 0.0)
    lengths = [np.sqrt((M * M).sum(axis=1)) for M in (A, B)]
    most[nodes] = lengths[0][nodes] * lengths[1][labels[nodes]]
    linked = A.astype(bool).astype(float)
    return (kept + linked @ kept) / np.maximum(most + linked @ most, np.finfo(float).tiny)
