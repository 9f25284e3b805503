"""Graph edit distance as a matching problem.

An edit path turns G1 into G2 by substituting, deleting and inserting nodes and edges. Which nodes
are substituted by which is a partial matching, and the rest follows from it, so that the cheapest
path is the matching of least cost

    offset   = sum ndel(i) + sum nins(s) + sum edel(e) + sum eins(f)
    c_is     = nsub(i, s) - ndel(i) - nins(s) + g(loops of i, loops of s)
    c_is,jt  = g(E1(i, j), E2(s, t))                           undirected, also for (i, t), (j, s)
             = g(E1(i, j), E2(s, t)) + g(E1(j, i), E2(t, s))   directed
    g(A, B)  = cheapest way to turn the edges A into the edges B - sum edel(A) - sum eins(B) <= 0

E(i, j) are the edges from i to j, more than one in a multigraph. Node substitutions are not capped
by deletion plus insertion: they can pay if edges survive. One that costs inf is not a candidate.
"""

from dataclasses import dataclass, replace
from math import frexp, fsum, isfinite, ldexp, ulp

from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.lazy import np, optimize
from gmtoolbox.core.once import once
from gmtoolbox.core.result import rounding_error
from gmtoolbox.core.values import Lifted
from gmtoolbox.models import edit_bounds
from gmtoolbox.models.attributed import shared_labels
from gmtoolbox.models.edit_costs import EditCosts, NumberedGraph, cost_functions, pair_of_graphs
from gmtoolbox.models.edit_tables import adjacency, as_table, matching_problem, paid_for
from gmtoolbox.models.koopmans_beckmann import from_koopmans_beckmann

MANY_PAIRS = 300_000  # pairs of edges from which two matrices stand for them, if they can
MANY_ALIKE = 10_000  # of sparse graphs with hardly a label: regular graphs and trees of 70 nodes
ALIKE = 0.95  # of the pairs of nodes are the cheapest in these
SPARSE = 6.0  # mean degree of these; ego networks are proven sooner on all pairs of edges


def from_edit_costs(
    G1,
    G2,
    *,
    node_match=None,
    edge_match=None,
    node_subst_cost=None,
    node_del_cost=None,
    node_ins_cost=None,
    edge_subst_cost=None,
    edge_del_cost=None,
    edge_ins_cost=None,
    roots=None,
    costs="unit",
):
    """The Problem whose cheapest matching is the cheapest edit path from G1 to G2.

    Parameters
    ----------
    G1, G2 : networkx graphs of one kind, RDKit molecules, adjacency matrices, or (matrix, labels)
        Directed or undirected, with self loops and parallel edges. Labels of matrices and molecules
        are compared by default; attributes of networkx graphs are not, as in networkx.
    node_match, edge_match : callable, optional
        Whether two attribute dicts are equal; if not, the substitution costs a relabelling.
    node_subst_cost, edge_subst_cost : callable, optional
        Cost of a substitution, from two attribute dicts, instead of a match function. inf forbids
        the substitution of a node.
    node_del_cost, node_ins_cost, edge_del_cost, edge_ins_cost : callable, optional
        Cost of a deletion or insertion, from one attribute dict.
    roots : pair (node of G1, node of G2), optional
        These two must be matched.
    costs : str or four numbers, default "unit"
        The costs not given above: (node, node relabelled, edge, edge relabelled), or the name of a
        cost model (docs/cost-models.md): unit or constant, unlabelled, chem1, chem2; letter-low,
        letter-med, letter-high, fingerprint, cmu, grec1, grec2, protein, which read attributes and
        are refused if a graph does not have them.

    Returns
    -------
    Problem
        Partial, minimised. An unmatched left node is deleted, an unmatched right node inserted.
        Functions are called once per distinct pair of attribute dicts.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> p = gm.models.from_edit_costs(nx.cycle_graph(4), nx.path_graph(5))
    >>> p
    <Problem 4x5, 20 candidates, 32 edges, partial, min>
    >>> gm.gm_solve(p).value
    3.0
    """
    functions = EditCosts(costs=costs, **cost_functions(locals()))
    model = EditModel.of(functions, G1, G2, roots)
    if model.whole is None:
        distance = model.path(np.full(len(model.first), -1))[2]
        raise InputError(
            "G1 and G2 have no two nodes that may be matched, so there is no matching problem: the"
            f" edit distance is {distance:g} (graph_edit_distance returns it, too)"
        )
    names = dict(nodes1=model.first.graph.nodes, nodes2=model.second.graph.nodes)
    return model.fix_roots(replace(model.whole, **names)).problem


def from_molecules(M1, M2, *, costs="unit", roots=None):
    """The edit distance of two RDKit molecules: element and charge label the atoms, the bond type
    labels the bonds. If one of them is a SMARTS pattern, its queries decide which atoms and bonds
    are the same.

    Anything with RDKit's GetAtoms and GetBonds will do: RDKit itself is not imported.

    Parameters
    ----------
    M1, M2 : RDKit molecules
    costs, roots
        As in from_edit_costs; roots are indices of atoms.

    Returns
    -------
    Problem
        See from_edit_costs.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> from rdkit.Chem import MolFromSmiles as mol  # doctest: +SKIP
    >>> gm.gm_solve(gm.models.from_molecules(mol("CCO"), mol("CCN"))).value  # doctest: +SKIP
    1.0
    """
    for name, molecule in (("M1", M1), ("M2", M2)):
        if not (hasattr(molecule, "GetAtoms") and hasattr(molecule, "GetBonds")):
            raise InputError(f"{name} must be an RDKit molecule, got {type(molecule).__name__}")
    return from_edit_costs(M1, M2, costs=costs, roots=roots)


# ---- the model


@dataclass
class EditModel:
    """Two numbered graphs, the Problem of their edit distance, and the way back to an edit path."""

    costs: EditCosts
    first: NumberedGraph
    second: NumberedGraph
    roots: tuple = None
    complete: bool = False  # every node of G1 must be substituted

    @classmethod
    def of(cls, costs, G1, G2, roots=None, **rest):
        """The model of two graphs in any form."""
        return cls(costs, *pair_of_graphs(costs, G1, G2), roots, **rest)

    @once
    def labelled(self):
        """Whether nodes and edges are compared by their labels without functions, and by which
        if the graphs name them.
        """
        return shared_labels(self.first.graph, self.second.graph)

    @once
    def has_pattern(self):
        """Whether labels are compared by the queries of a SMARTS pattern."""
        return self.first.graph.is_pattern or self.second.graph.is_pattern

    @once
    def offset(self):
        """Cost of deleting all of G1 and inserting all of G2."""
        return float(self.first.total(self.costs, "del") + self.second.total(self.costs, "ins"))

    @property
    def moved(self):
        """Return the sum of the terms in the offset and in the costs that cancel."""
        return self.offset

    def cost_error(self, cost):
        """By how much two sums of one cost may differ: that of a path's steps, and the one that
        subtracts the savings of a matching from the offset.
        """
        # Deletions and insertions enter twice, once in the offset. A matching's sum has no more
        # terms than G1 has nodes and edges, made of three costs and a loop's saving each. If
        # pairs are fixed, their costs are added up once more.
        if self.sums_are_exact:
            return 0.0
        n_terms = sum(len(graph.node) + len(graph.edge) for graph in (self.first, self.second))
        above = max(cost - (self.offset - self.moved), 0.0)
        error = rounding_error(2 * n_terms + 8, above + 2.0 * self.moved)
        return error + rounding_error(4, max(cost, self.offset))

    @once
    def sums_are_exact(self):
        """Whether all costs are multiples of a power of two, so small that no sum is rounded."""
        # sums of integers below 2^52 are exact, and so are those of multiples of a power of two
        terms = sum(len(graph.node) + len(graph.edge) for graph in (self.first, self.second))
        most = 2.0 * (1 + terms) * self.offset
        unit = max(ldexp(1.0, frexp(most)[1] - 52), ulp(0.0))
        return all(not isfinite(c) or (c / unit).is_integer() for c in self.step_costs)

    @once
    def root_pair(self):
        """Positions of the roots, or None."""
        if self.roots is None:
            return None
        try:
            u, v = self.roots
        except (TypeError, ValueError):
            raise InputError(f"roots must be a pair of nodes, got {self.roots!r}") from None
        found = []
        for name, node, graph in (("G1", u, self.first.graph), ("G2", v, self.second.graph)):
            if node not in graph.position:
                raise InputError(f"roots must be a node of {name}, got {node!r}")
            found.append(graph.position[node])
        return tuple(found)

    def substitution(self, i, s):
        """Cost to turn node i into node s."""
        first, second = self.first, self.second
        names = (first.graph.nodes[i], second.graph.nodes[s])
        return self.costs.substitute("node", first.node[i], second.node[s], self.labelled, names)

    def edge_substitution(self, e, f):
        """Cost to turn edge e into edge f."""
        first, second = self.first, self.second
        names = (first.graph.edges[e], second.graph.edges[f])
        return self.costs.substitute("edge", first.edge[e], second.edge[f], self.labelled, names)

    def gain(self, A, B):
        """g of two bundles, with one edge each mostly."""
        key = "gain", A, B, self.labelled
        found = self.costs.known.get(key)
        if found is None:
            found = self.turn(self.first.example[A], self.second.example[B])[0]
            self.costs.known[key] = found
        return found

    @once
    def paid_alone(self):
        """Return the costs of deleting each edge of G1 and of inserting each edge of G2."""
        return self.first.edge_costs(self.costs, "del"), self.second.edge_costs(self.costs, "ins")

    def turn(self, edges1, edges2):
        """(g, pairs to substitute): the cheapest way to turn edges1 into edges2. A substitution as
        expensive as deletion plus insertion counts as a substitution.
        """
        known = self.paid_alone
        if len(edges1) == len(edges2) == 1:
            [e], [f] = edges1, edges2
            cost, delete, insert = self.edge_substitution(e, f), known[0][e], known[1][f]
            saved = min(cost - delete - insert, 0.0)
            return saved, [(e, f)] if saved < 0 or cost == delete + insert else []
        delete, insert = [known[0][e] for e in edges1], [known[1][f] for f in edges2]
        saved = [
            [
                min(self.edge_substitution(e, f) - delete[k] - insert[m], 0.0)
                for m, f in enumerate(edges2)
            ]
            for k, e in enumerate(edges1)
        ]
        rows, columns = optimize.linear_sum_assignment(saved)
        pairs = [
            (edges1[k], edges2[m])
            for k, m in zip(rows, columns, strict=True)
            if saved[k][m] < 0
            or self.edge_substitution(edges1[k], edges2[m]) == delete[k] + insert[m]
        ]
        return sum(saved[k][m] for k, m in zip(rows, columns, strict=True)), pairs

    @once
    def unary(self):
        """(n1, n2): c_is without loops."""
        first, second, costs = self.first, self.second, self.costs
        (_, inverse1), (_, inverse2) = first.distinct["node"], second.distinct["node"]
        ours, theirs, labelled = first.first_nodes, second.first_nodes, self.labelled
        rows = [
            costs.substitute_each("node", a, theirs, labelled, name) for a, name in ours.items()
        ]
        unary = as_table(rows, ours, theirs)[inverse1][:, inverse2]
        delete, insert = self.saved_by_nodes
        unary -= np.array(delete)[:, None]
        unary -= np.array(insert)
        return unary

    @property
    def saved_by_nodes(self):
        """Return (n1,) and (n2,) the savings of a node that is substituted."""
        return self.first.node_costs(self.costs, "del"), self.second.node_costs(self.costs, "ins")

    @once
    def gains(self):
        """(different bundles of G1, of G2): g of the edges."""
        distinct = [graph.distinct["bundle"][0] for graph in (self.first, self.second)]
        bundles = [
            list(map(graph.example.__getitem__, numbers))
            for graph, numbers in zip((self.first, self.second), distinct, strict=True)
        ]
        if any(len(edges) > 1 for listed in bundles for edges in listed):
            rows = [[self.gain(A, B) for B in distinct[1]] for A in distinct[0]]
            return as_table(rows, *distinct)
        return self.gains_of_edges(*([edge for (edge,) in listed] for listed in bundles))

    def gains_of_edges(self, edges1, edges2):
        """Return g of single edges with different numbers."""
        first, second, labelled = self.first, self.second, self.labelled
        theirs = {second.edge[f]: second.graph.edges[f] for f in edges2}
        name_of, ask = first.graph.edges, self.costs.substitute_each
        rows = [ask("edge", first.edge[e], theirs, labelled, name_of[e]) for e in edges1]
        saved = as_table(rows, edges1, edges2)
        delete, insert = self.paid_alone
        saved -= np.array([delete[e] for e in edges1], float)[:, None]
        saved -= np.array([insert[f] for f in edges2], float)
        return np.minimum(saved, 0.0)

    @once
    def pairwise(self):
        """(places of edges in G1, places in G2): g of the edges that are there."""
        (_, inverse1), (_, inverse2) = (g.distinct["bundle"] for g in (self.first, self.second))
        return self.gains[inverse1][:, inverse2]

    @once
    def loops(self):
        """(n1, n2): g of the self loops, or 0."""
        first, second = self.first.loops, self.second.loops
        if not (any(first) and any(second)):
            return 0.0
        return np.array([[self.gain(A, B) if A and B else 0.0 for B in second] for A in first])

    @once
    def histogram_bound(self):
        """Return a lower bound by the labels of nodes, edges and loops."""
        return edit_bounds.histogram_bound(self)

    @once
    def branch_bound(self):
        """Return (a lower bound, labels) by an assignment of nodes with their edges."""
        return edit_bounds.branch_bound(self)

    @once
    def step_costs(self):
        """The different costs that the tables and the offset are made of."""
        _ = self.unary, self.gains, self.loops  # computes every cost
        first, second, known, labelled = self.first, self.second, self.costs.known, self.labelled
        found = {*first.node_costs(self.costs, "del"), *first.edge_costs(self.costs, "del")}
        found.update(second.node_costs(self.costs, "ins"), second.edge_costs(self.costs, "ins"))
        for kind, ours, theirs in (
            ("node", first.node, second.node),
            ("edge", first.edge, second.edge),
        ):
            theirs = set(theirs)  # a pair without a known cost is in no table
            found.update(known.get((kind, a, b, labelled), 0.0) for a in set(ours) for b in theirs)
        return found

    @once
    def whole(self):
        """Return the Problem without roots; None if no two nodes may be matched."""
        first, second = self.first, self.second
        offset = self.offset  # asks for every deletion and insertion: all that follows is known
        if len(first) == 0 or len(second) == 0:
            return None
        gain = self.pairwise
        if first.directed:
            s, t = second.tail, second.head
        else:  # either end of an edge may go to either end of the other
            s = np.concatenate([second.tail, second.head])
            t = np.concatenate([second.head, second.tail])
            gain = np.concatenate([gain, gain], axis=1)
        e, f = np.nonzero(gain)
        ends = (first.tail[e], s[f], first.head[e], t[f])
        return matching_problem(self.unary + self.loops, ends, gain[e, f], offset, self.complete)

    @once
    def common_gain(self):
        """Return the saving of an edge that becomes another one, if it is constant; else None."""
        gains = self.gains
        return float(gains[0, 0]) if gains.size and np.all(gains == gains[0, 0]) else None

    @once
    def by_products(self):
        """A Problem without roots that has the same optimum, by two adjacency matrices, which take
        no memory for each pair of edges:

            sum c_is,jt x_is x_jt = g sum A_ij B_st x_is x_jt    (g / 2 if undirected)

        If no pair of nodes costs more than 0, a cheapest path substitutes every node of the smaller
        graph, and only those matchings count. None if no two nodes may be matched.
        """
        return self.multiply(len(self.first), len(self.second))

    def multiply(self, n1, n2):
        """Return by_products of both graphs with isolated nodes up to n1 and n2 nodes, at no cost;
        such nodes are allowed only if no pair of nodes costs more than 0.
        """
        A, B = (adjacency(graph, n) for graph, n in ((self.first, n1), (self.second, n2)))
        gain = self.common_gain if self.first.directed else 0.5 * self.common_gain
        unary, offset = self.unary + self.loops, self.offset
        complete = self.complete or not np.any(unary > 0.0)
        if not np.any(np.isfinite(unary)):
            return None
        if complete and np.all(unary == unary[0, 0]):
            offset, unary = offset + min(unary.shape) * float(unary[0, 0]), None
        else:
            unary = np.pad(unary, [(0, n - m) for n, m in zip((n1, n2), unary.shape, strict=True)])
        return from_koopmans_beckmann(gain * A, B, unary, complete=complete, offset=offset)

    @property
    def has_many_edges(self):
        """Return whether two matrices stand for many pairs of edges, which save the same."""
        pairs = len(self.first.tail) * len(self.second.tail)
        if pairs <= min(MANY_ALIKE, MANY_PAIRS) or self.common_gain is None:
            return False
        is_sparse = all(2 * len(g.tail) <= SPARSE * len(g) for g in (self.first, self.second))
        if pairs > MANY_PAIRS or not is_sparse:
            return pairs > MANY_PAIRS
        unary = self.unary + self.loops
        return bool(np.mean(unary == unary.min()) >= ALIKE)

    def fix_roots(self, problem):
        """The problem of the other nodes once the roots are matched, with its lift."""
        if self.root_pair is None:
            return Lifted(problem)
        if not isfinite(self.unary[self.root_pair]):
            raise InfeasibleError("the roots may not be matched: their substitution costs inf")
        return problem.fix([self.root_pair])

    @once
    def lifted(self):
        """Return the Problem that decides the distance, with its lift; None if there is nothing to
        decide.
        """
        problem = self.by_products if self.has_many_edges else self.whole
        if problem is None:
            if self.root_pair is not None:
                raise InfeasibleError("the roots may not be matched: their substitution costs inf")
            return None
        return self.fix_roots(problem)

    def path(self, labels):
        """(node_path, edge_path, cost) of a matching, in networkx's form."""
        first, second, costs = self.first, self.second, self.costs
        delete, insert = first.node_costs(costs, "del"), second.node_costs(costs, "ins")
        matched = {i: s for i, s in enumerate(np.asarray(labels).tolist()) if s >= 0}
        taken = set(matched.values())
        nodes = [(i, matched.get(i)) for i in range(len(first))]
        nodes += [(None, s) for s in range(len(second)) if s not in taken]
        paid = [paid_for(i, s, delete, insert, self.substitution) for i, s in nodes]
        delete, insert = first.edge_costs(costs, "del"), second.edge_costs(costs, "ins")
        edges, inserted = [], {f: None for f in range(len(insert))}
        for (i, j), edges1 in first.members.items():
            s, t = matched.get(i), matched.get(j)
            if not second.directed and None not in (s, t) and s > t:
                s, t = t, s
            edges2 = second.members.get((s, t), ())
            turned = dict(self.turn(edges1, edges2)[1]) if edges2 else {}
            edges += [(e, turned.get(e)) for e in edges1]
        for _, f in edges:
            inserted.pop(f, None)
        edges += [(None, f) for f in inserted]
        paid += [paid_for(e, f, delete, insert, self.edge_substitution) for e, f in edges]
        name = lambda names, k: None if k is None else names[k]
        one, two = first.graph, second.graph
        return (
            [(name(one.nodes, i), name(two.nodes, s)) for i, s in nodes],
            [(name(one.edges, e), name(two.edges, f)) for e, f in edges],
            fsum(paid),
        )


class MatrixModel(EditModel):
    """An EditModel without roots that is solved on two adjacency matrices of one size. The smaller
    graph gets isolated nodes; no pair of nodes may cost more than 0.
    """

    @once
    def lifted(self):
        n1, n2 = len(self.first), len(self.second)
        n = max(n1, n2)
        return Lifted(
            self.multiply(n, n),
            lambda labels: np.where(labels[:n1] < n2, labels[:n1], -1),
        )
