"""The linear programme behind each dual bound, written down from its definition and solved by
HiGHS.

Nothing here is shared with the solvers: a builder says in a few rows which relaxation a method
ascends, and the value of that is the ceiling of the method's bound.
"""

from itertools import combinations, product

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from gmtoolbox.core.transforms import BIJECTIVE, LEFT_COMPLETE, prepare

HBP_EQUAL_STATES = 200.0  # what hbp charges when two linked labels take the same node


class LinearProgram:
    """min cost'z over 0 <= z <= 1, with rows added one by one; variables are named by keys."""

    def __init__(self, offset=0.0):
        self.offset, self.column, self.cost = offset, {}, []
        # rows: (keys with coefficient 1, keys with coefficient -1, right hand side)
        self.equal, self.at_most = [], []

    def variable(self, key, cost=0.0):
        """The key of a variable, which is made if it is new."""
        if key not in self.column:
            self.column[key] = len(self.cost)
            self.cost.append(cost)
        return key

    def matrix(self, rows):
        """(A, right hand sides) of rows."""
        signed = [
            (r, key, sign)
            for r, (plus, minus, _) in enumerate(rows)
            for sign, keys in ((1, plus), (-1, minus))
            for key in keys
        ]
        terms = [(r, self.column[key], sign) for r, key, sign in signed]
        r, c, x = zip(*terms, strict=True) if terms else ((), (), ())
        A = sparse.csr_array((x, (r, c)), shape=(len(rows), len(self.cost)))
        return A, [row[2] for row in rows]

    def value(self):
        """The optimum."""
        scale = max(map(abs, self.cost), default=0.0) or 1.0
        exactly = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        rows = *self.matrix(self.at_most), *self.matrix(self.equal)
        done = linprog(
            np.array(self.cost) / scale, *rows, bounds=(0, 1), method="highs", options=exactly
        )
        assert done.status == 0, done.message
        return scale * done.fun + self.offset


class Matching(LinearProgram):
    """Linear assignment over the candidates of a problem; the models of both sides build on it.

    Each side (0 left, 1 right) is a graphical model: the states of a node are its candidates and,
    where it need not be matched, ("free", side, node); links join the nodes that an edge joins.
    """

    def __init__(self, problem):
        problem = prepare(problem.as_costs(), (LEFT_COMPLETE,)).problem
        super().__init__(problem.offset)
        self.ends = problem.left.tolist(), problem.right.tolist()
        edges = zip(problem.a.tolist(), problem.b.tolist(), problem.edge_cost.tolist(), strict=True)
        self.edge = {(p, q): cost for p, q, cost in edges if not self.clash(p, q)}
        for p, cost in enumerate(problem.cost.tolist()):
            self.variable(p, cost)
        self.states = [], []
        for side, n in enumerate(problem.shape):
            may_be_free = not problem.complete or (
                side == 1 and problem.shape[0] < problem.shape[1]
            )
            for u in range(n):
                states = [p for p, node in enumerate(self.ends[side]) if node == u]
                states += [self.variable(("free", side, u))] if may_be_free else []
                self.states[side].append(states)
                self.equal.append((states, [], 1.0))

    def clash(self, p, q):
        """Whether no matching has both states."""
        return (
            isinstance(p, int) and isinstance(q, int) and any(end[p] == end[q] for end in self.ends)
        )

    def links(self, side):
        """Pairs of nodes of one side that an edge joins."""
        node = self.ends[side]
        return sorted({tuple(sorted((node[p], node[q]))) for p, q in self.edge})

    def pair(self, side, p, q):
        """The variable of two states of linked nodes. Where there is an edge both sides have the
        same one.
        """
        edge = (p, q) if (p, q) in self.edge else (q, p)
        if edge in self.edge:
            return self.variable(edge, self.edge[edge])
        return self.variable((side, p, q))

    def table(self, side, u, v):
        """{(state of u, state of v): pair variable} without the pairs that clash."""
        return {
            (p, q): self.pair(side, p, q)
            for p, q in product(self.states[side][u], self.states[side][v])
            if not self.clash(p, q)
        }

    def add_tables(self, side, links):
        """Local polytope: the pairs of a link add up to the states of its two nodes."""
        for u, v in links:
            table = self.table(side, u, v)
            for end, node in enumerate((u, v)):
                for state in self.states[side][node]:
                    pairs = [key for states, key in table.items() if states[end] == state]
                    self.equal.append((pairs, [state], 0.0))

    def add_sets(self, side, sets, coupled):
        """Hull of the matchings of each set of nodes; they add up to its states, and to the pairs
        that coupled(p, q) names.
        """
        for nodes in sets:
            states = [self.states[side][u] for u in nodes]
            pairs = {
                (p, q): self.pair(side, p, q)
                for x, y in combinations(states, 2)
                for p, q in product(x, y)
                if coupled(p, q)
            }
            sums = {
                key: [] for key in [*(p for of_node in states for p in of_node), *pairs.values()]
            }
            for chosen in product(*states):
                two = list(combinations(chosen, 2))
                if not any(self.clash(p, q) for p, q in two):
                    whole = self.variable(("set", side, chosen))
                    for key in [*chosen, *(pairs[p, q] for p, q in two if (p, q) in pairs)]:
                        sums[key].append(whole)
            self.equal += [(parts, [key], 0.0) for key, parts in sums.items()]


# ---- one builder per relaxation


def one_sided(problem):
    """Local polytope of the left model, and assignment."""
    lp = Matching(problem)
    lp.add_tables(0, lp.links(0))
    return lp


def with_triplets(problem):
    """The same with a table for every two nodes and the matchings of every three: the most that
    triplets can do.
    """
    lp = Matching(problem)
    nodes = range(len(lp.states[0]))
    lp.add_tables(0, combinations(nodes, 2))
    lp.add_sets(0, combinations(nodes, 3), lambda p, q: not lp.clash(p, q))
    return lp


def symmetrised(problem, size=2):
    """Local polytopes of both models, which have the pairs with an edge in common, and the
    matchings of all connected sets of 3 .. size nodes.
    """
    lp = Matching(problem)
    for side in (0, 1):
        links = lp.links(side)
        lp.add_tables(side, links)
        for n in range(3, size + 1):
            sets = [
                nodes
                for nodes in combinations(range(len(lp.states[side])), n)
                if connected(nodes, links)
            ]
            lp.add_sets(side, sets, lambda p, q: (p, q) in lp.edge or (q, p) in lp.edge)
    return lp


def connected(nodes, links):
    """Whether the links join all these nodes."""
    reached = {nodes[0]}
    for _ in nodes:
        reached |= {w for link in links if reached & set(link) for w in link if w in nodes}
    return reached == set(nodes)


def adams_johnson(problem, lifted):
    """Pairs of a candidate add up to it over each node (=, or <= where only the pairs with an edge
    exist), and to at most it over each label. Full tables: on all links if lifted, else where an
    edge costs more than 0.
    """
    lp = Matching(problem)
    node, label = lp.ends
    positive = {tuple(sorted((node[p], node[q]))) for (p, q), cost in lp.edge.items() if cost > 0}
    by_label = {}
    for u, v in lp.links(0):
        full = lifted or (u, v) in positive
        table = {states: key for states, key in lp.table(0, u, v).items() if full or key in lp.edge}
        for end, at in enumerate((u, v)):
            for p in lp.states[0][at]:
                own = {states[1 - end]: key for states, key in table.items() if states[end] == p}
                (lp.equal if full else lp.at_most).append((list(own.values()), [p], 0.0))
                for q, key in own.items():
                    by_label.setdefault((p, label[q] if isinstance(q, int) else q), []).append(key)
    lp.at_most += [(keys, [p], 0.0) for (p, _), keys in by_label.items()]
    return lp


def hungarian_belief_propagation(problem):
    """Local polytope of the right model of the square extension, and assignment. Two penalties
    replace rules: forbidden pairs cost nothing, and two linked labels at one node pay a price.
    """
    problem = prepare(problem.as_costs(), (BIJECTIVE,)).problem
    n = problem.shape[0]
    lp = LinearProgram(problem.offset)
    unary, pair = np.zeros((n, n)), {}
    unary[problem.right, problem.left] = problem.cost
    for p, q, cost in zip(problem.a, problem.b, problem.edge_cost, strict=True):
        (s, i), (t, j) = sorted(
            ((problem.right[p], problem.left[p]), (problem.right[q], problem.left[q]))
        )
        if s != t and i != j:
            pair.setdefault((s, t), HBP_EQUAL_STATES * np.eye(n))[i, j] += cost
    nodes = range(n)
    for s, i in product(nodes, nodes):
        lp.variable((s, i), unary[s, i])
    for k in nodes:
        lp.equal += [([(k, i) for i in nodes], [], 1.0), ([(s, k) for s in nodes], [], 1.0)]
    for (s, t), cost in pair.items():
        for i, j in product(nodes, nodes):
            lp.variable((s, t, i, j), cost[i, j])
        for i in nodes:
            lp.equal += [
                ([(s, t, i, j) for j in nodes], [(s, i)], 0.0),
                ([(s, t, j, i) for j in nodes], [(t, i)], 0.0),
            ]
    return lp
