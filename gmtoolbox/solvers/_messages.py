"""Start for dense noisy graphs: message passing in the limit of many links.

Let A and B be centred and scaled so that the squares of each row have the sum 1, and P the
probabilities of all pairs. If common links are correlated by CORRELATION, the links of i and s
speak for the pair (i, s) with

    S = c A P B,   P = exp(S), scaled to row and column sums 1,   c = CORRELATION sqrt(n1 n2).

One link decides nothing, but the standard deviation z of S grows by z^2 <- CORRELATION^2 exp(z^2),
without end if CORRELATION^2 > 1 / e: sums over ever larger trees of links. That is true only of
trees: nothing may return to a pair what came from it. A message from (j, t) to (i, s) leaves out
what the link ij brought to j and what the link st brought to t. With many links it differs from
P_jt by a small amount, linear in A_ij and B_st. Summed over all links, with r = c / max(n1, n2),
they are

    C_k+1 = P_k B - r D_k,   D_k+1 = A P_k - r C_k,   S_k = c (A C_k+1 - r (C_k B - P_k-1)).

C and D leave out what returns on one of the sides only. If P was linear in S, S_k would be
U_k(A) P_0 U_k(B), Chebyshev's polynomials of the second kind, which count the walks that never turn
back. Without this correction (that of approximate message passing) ten steps end at noise.
"""

import math

from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import dense
from gmtoolbox.solvers._neighbours import LEAST, probabilities
from gmtoolbox.solvers._starts import best_assignment, centre_of
from gmtoolbox.solvers.faq import Best, Pairs, descend, keeps_points_sparse, sparse_descent

# Chosen on correlated random graphs with a quarter of the edges changed: 1000 nodes of density .16
# and .04, seeds 421 and 451, and 500 of density .16, seed 462; LEVEL_STEPS on 500 nodes, seed 701,
# and 1000, seeds 422 and 521. Checked on 500 nodes, seed 811, and 1000, seeds 821 and 822
CORRELATION = 0.7  # of common links: too large a value is sure of noise, too small a one is slow
MOST = 4.0  # standard deviations that a pair may be above the mean: hubs would decide alone
STEPS, SURE = 24, 0.8  # at most, and the mean of the largest probability of each row at the end
LEAST_LINKS = 30  # of a node: below, one link says too much
STEP_SECONDS, PAIR_SECONDS = 5e-11, 1e-7  # of a step, per n1 n2 (n1 + n2) and per pair
TABLES = 12  # of n1 x n2 numbers in single precision
TIME_SHARE = 0.3  # of the remaining time, at most
DESCENT_STEPS = 60
CLEAR = 1.25  # times the value of the starts before: what noise never adds
LEVEL_STEPS = 8  # of a descent that shows how much noise keeps


def message_gigabytes(factors):
    """Return the approximate memory of the tables."""
    return 4e-9 * TABLES * max(factors.shape) ** 2


def message_seconds(factors):
    """Return the approximate time of all steps."""
    n1, n2 = factors.shape
    return STEPS * n1 * n2 * (STEP_SECONDS * (n1 + n2) + PAIR_SECONDS)


def affords_messages(factors, seconds, memory):
    """Return whether nodes have enough links, edges cost nothing, and memory and time suffice."""
    if not factors.problem.edges.nonpositive or message_gigabytes(factors) > memory:
        return False
    links = min((M != 0).sum() / M.shape[0] for M in (factors.A, factors.B))
    return links >= LEAST_LINKS and message_seconds(factors) <= seconds


def start_messages(state, memory):
    """Offer a Portfolio the matching of this start, improved by Frank-Wolfe, if it can be afforded;
    return whether it is far better than the best one before, which only the truth is. That one is
    improved, too, before they are compared: noise that is improved keeps more than other noise.
    """
    problem, factors, budget, before = state.problem, state.factors, state.budget, state.labels
    paid = lambda labels: problem.total_cost(labels) - problem.offset
    if not affords_messages(factors, TIME_SHARE * budget.remaining(), memory):
        return False
    P = message_point(factors, budget)
    labels = None if P is None else improve_start(state, P, DESCENT_STEPS)
    if labels is None:
        return False
    state.offer(labels, "messages + faq")
    if paid(labels) > CLEAR * paid(before):
        return False
    noise = improve_start(state, before, LEVEL_STEPS)
    return noise is not None and paid(labels) <= CLEAR * paid(noise)


def improve_start(state, start, steps):
    """Return the best labels of a descent from (n1, n2) probabilities or labels; None if the time
    is over.
    """
    factors, budget, best = state.factors, state.budget, Best(state.problem, state.budget)
    is_point = start.ndim == 2
    if keeps_points_sparse(factors):
        labels = best_assignment(factors, start) if is_point else start
        sparse_descent(factors, factors.sparse_costs, labels, budget, best, steps, 1e-4)
    else:
        space = Pairs(state.problem, factors)
        x = space.of_matrix(start.astype(np.float64)) if is_point else space.indicator(start)
        descend(space, x, budget, best, "assignment", steps, 1e-4)
    return best.labels


def message_point(factors, budget):
    """Return the (n1, n2) probabilities of all pairs once most nodes are sure of a label, or after
    STEPS; None if the time is over before.
    """
    messages = Messages(factors)
    for _ in range(STEPS):
        if budget.expired():
            return None
        messages.step()
        if messages.P.max(axis=1).mean() >= SURE:
            break
    return messages.P


class Messages:
    """The steps for the matrices of a problem (-A and B, the symmetric parts) and its costs of
    pairs. P, C, D: see the module; last: P before the last step.
    """

    def __init__(self, factors):
        (self.A, size), (self.B, other) = (centred(M) for M in (-factors.A, factors.B))
        self.rate = CORRELATION * math.sqrt(len(self.A) * len(self.B))
        self.costs = None
        if factors.C is not None:  # the gradient of <A P B, P> is 2 A P B
            costs = self.rate / (2.0 * size * other) * factors.C
            self.costs = np.maximum(-costs, LEAST).astype(np.float32)
        self.C = self.D = self.last = np.zeros(factors.shape, np.float32)
        self.P = self.weigh(self.last.copy())

    def step(self):
        """Do one step."""
        S, last = self.support(self.rate / max(self.P.shape)), self.P
        self.P, self.last = self.weigh(S), last

    def support(self, r):
        """Return A P B without what returns, and update C and D."""
        before = self.C
        self.C, self.D = self.P @ self.B - r * self.D, self.A @ self.P - r * self.C
        S = before @ self.B
        S -= self.last
        S *= -r
        S += self.A @ self.C
        return S

    def weigh(self, S):
        """Return the probabilities for the support S, which is overwritten."""
        S -= S.mean(axis=1, keepdims=True)
        S -= S.mean(axis=0)
        np.minimum(S, MOST * S.std(), out=S)
        S *= self.rate
        if self.costs is not None:
            S += self.costs
        return probabilities(S)


def centred(M):
    """Return (the symmetric part of a matrix, centred and scaled, dense, single precision; the
    scale).
    """
    mean, size = centre_of(M)
    M = dense(M)
    return ((0.5 * (M + M.T) - mean) / size).astype(np.float32), size
