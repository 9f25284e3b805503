"""Problems from two graphs: networkx graphs, adjacency matrices, labelled tables."""

from collections.abc import Hashable, Mapping

from gmtoolbox.core.candidates import pairs_where, values_at
from gmtoolbox.core.checks import DESCRIBING, PLACES, check_rest
from gmtoolbox.core.errors import GuessWarning, InputError, did_you_mean, warn
from gmtoolbox.core.factors import from_factors
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.overlaps import Overlaps
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.products import Products
from gmtoolbox.core.text import show
from gmtoolbox.core.values import as_array, as_list, as_numbers, check_flag, check_sense, dense
from gmtoolbox.models.attributed import as_attributed, equal_key
from gmtoolbox.models.features import incidence
from gmtoolbox.models.foreign import as_networkx
from gmtoolbox.models.koopmans_beckmann import check_square, diagonal_products, loops
from gmtoolbox.models.seeds import check_seeds, mask_beside, seed_problem

WEIGHT = "weight"  # networkx's own name
OVERLAPS = ("product", "min")


def from_graphs(
    G1,
    G2,
    *,
    weight=WEIGHT,
    directed=None,
    node_match=None,
    similarity=None,
    edge_match=None,
    overlap="product",
    seeds=None,
    sense="max",
    complete=True,
    **rest,
):
    r"""Build the problem of two graphs: the weight of their common edges, maximised,

    .. math::

        \sum_{i,j,s,t} A_{ij} B_{st}\, x_{is} x_{jt} + \sum_{i,s} \mathrm{similarity}_{is}\, x_{is},

    or, with overlap="min", the weight that both graphs have: :math:`\min(A_{ij}, B_{st})` instead
    of the product. An undirected edge is two arcs: a common one of weight 1 counts 2, a common arc
    or self loop 1.

    Parameters
    ----------
    G1, G2 : networkx graphs, adjacency matrices (dense or sparse), or square DataFrames
        Also graphs of igraph, rustworkx, NetworKit and PyTorch Geometric, and lists of edges.
        Their nodes are numbered in the graph's own order; names are kept (`mapping` of the answer).
    weight : str or None
        Edge attribute of networkx graphs that holds their weights; None: all are 1. Either all
        edges of a graph have it or none; if no edge of both graphs has the default "weight", all
        weights are 1, while another name must exist.
    directed : bool, optional
        False makes both graphs undirected: of two opposite arcs the heavier one stands for both.
        True: undirected edges are two arcs. Default: as both graphs are.
    node_match : str, list of str, or function, optional
        Which nodes may be matched: equal attribute(s), or a function of the two
        attribute dicts -> bool. Nodes without an attribute that others of their graph have are
        equal to each other in it.
    similarity : matrix, dict, str, list of str, or function, optional
        (n1, n2) similarities of nodes; or soft anchors {(node of G1, node of G2): similarity}, by
        name, 0 for all other pairs; or attribute(s) each of which counts 1 if equal; or
        function(attributes1, attributes2) -> float.
    edge_match : str, list of str, or function, optional
        The same for edges: a common edge counts its weights times 0/1 or times the function's
        value. All pairs of edges are compared.
    overlap : "product" or "min"
        The worth of an edge of weight a that becomes one of weight b: a b, or min(a, b), as
        connectomes are compared. The same for weights 0 and 1. "min" takes no negative weights and
        does not go with `edge_match`.
    seeds : list of (node of G1, node of G2), optional
        Pairs known to be right, by name.
    sense, complete : "max" or "min", bool
        As of the Problem.
    **rest
        Further fields of the Problem: name, ground_truth.

    Returns
    -------
    Problem
        Its edges stay products of the two adjacency matrices, sparse if these are.

    Raises
    ------
    InputError
        If a graph or an argument is invalid; the message names it.

    Examples
    --------
    >>> import gmtoolbox as gm, networkx as nx
    >>> G = nx.path_graph(["a", "b", "c", "d", "e"])
    >>> H = nx.path_graph(["v", "w", "x", "y", "z"])
    >>> p = gm.models.from_graphs(G, H, seeds=[("a", "v")])
    >>> gm.gm_solve(p).mapping
    {'a': 'v', 'b': 'w', 'c': 'x', 'd': 'y', 'e': 'z'}

    Numbers of synapses, of which the smaller one counts for each connection:

    >>> left, right = [[0, 5, 1], [0, 0, 7], [2, 0, 0]], [[0, 3, 0], [4, 0, 1], [8, 0, 0]]
    >>> r = gm.gm_solve(gm.models.from_graphs(left, right, overlap="min"))
    >>> r.labels.tolist(), r.value
    ([1, 2, 0], 11.0)
    """
    check_rest(from_graphs, rest, *DESCRIBING, *PLACES)
    directed = None if directed is None else check_flag("directed", directed)
    G1, G2 = as_networkx("G1", G1), as_networkx("G2", G2)
    check_weight(G1, G2, weight)
    (A, names1), (B, names2) = (
        read_weights(name, graph, weight, directed) for name, graph in (("G1", G1), ("G2", G2))
    )
    check_kinds(G1, G2, directed)
    sign, shape = check_sense(sense), (A.shape[0], B.shape[0])
    named = {
        "nodes1": names1,
        "nodes2": names2,
        "neighbours1": join_pairs(A),
        "neighbours2": join_pairs(B),
    }
    named.update(rest, sense=sense, complete=complete)
    limits = {"node_match": node_match, "similarity": similarity, "seeds": seeds}
    limits["names"] = names1, names2
    if edge_match is None:
        unary = sign * loop_worths(overlap, A, B) if loops(A, B) else None
        return of_edges(edges_between(overlap, A, B, sign), unary, G1, G2, limits, named)
    if overlap != "product":
        raise InputError(f"edge_match does not go with overlap={show(overlap)}")
    # self loops are among the arcs that edge_match judges
    seeds, unary, allowed = restricted_pairs(G1, G2, shape, None, limits, named)
    KQ, ends1, ends2 = edge_affinities(edge_match, G1, G2, weight, directed)
    problem = from_factors(
        sign * unary, KQ, incidence(ends1, shape[0]), incidence(ends2, shape[1]), allowed, **named
    )
    return problem if seeds is None else seed_problem(problem, seeds)


def edges_between(overlap, A, B, sign):
    """Return the edges of the problem, Products or Overlaps."""
    if overlap not in OVERLAPS:
        raise InputError(f"overlap must be one of {', '.join(OVERLAPS)}, got {show(overlap)}")
    if overlap == "product":
        return Products(sign * A, B)
    for name, M in (("G1", A), ("G2", B)):
        if M.min() < 0:
            raise InputError(f"{name} must have no negative weights with overlap='min'")
    return Overlaps(A, B, float(sign))


def loop_worths(overlap, A, B):
    """Return the (n1, n2) worths of mapping a self loop to a self loop."""
    if overlap == "min":
        return np.minimum.outer(A.diagonal(), B.diagonal())
    return diagonal_products(A, B)


def of_edges(edges, unary, G1, G2, limits, named):
    """Return the problem of two graphs with these edges.

    Parameters
    ----------
    edges : Products, Overlaps or Layers
    unary : (n1, n2) costs of pairs, or None
    limits : dict
        node_match, similarity and seeds of from_graphs, and the names of both sides.
    named : dict
        All other fields of the Problem.
    """
    shape = edges.shape
    if unary is None and limits["similarity"] is None and limits["node_match"] is None:
        return of_free_pairs(edges, limits, named)
    seeds, unary, allowed = restricted_pairs(G1, G2, shape, unary, limits, named)
    left, right = pairs_where(allowed)
    problem = Problem(shape, left, right, values_at(unary, left, right), edges=edges, **named)
    return problem if seeds is None else seed_problem(problem, seeds)


def of_free_pairs(edges, limits, named):
    """The problem without unary costs in which only seeds restrict anything: O(entries of A and B),
    whatever the number of pairs.
    """
    shape, seeds, label_of = edges.shape, limits["seeds"], None
    if seeds is not None:
        seeds = seed_indices("seeds", seeds, *limits["names"])
        nodes, labels = check_seeds(seeds, shape)
        label_of = np.full(shape[0], -1)
        label_of[nodes] = labels
    problem = Problem(
        shape, None, None, None, edges=edges.over(FreePairs(shape, label_of)), **named
    )
    return problem if seeds is None else seed_problem(problem, seeds)


def restricted_pairs(G1, G2, shape, unary, limits, named):
    """Return (indices of the seeds or None, costs of all pairs, mask of the allowed ones)."""
    seeds, similarity, node_match = (limits[name] for name in ("seeds", "similarity", "node_match"))
    names, sense = limits["names"], named["sense"]
    unary = np.zeros(shape) if unary is None else unary
    if isinstance(similarity, dict) and not sparse.issparse(similarity):  # one format is both
        similarity = read_anchors(similarity, *names, shape)
    if similarity is not None:
        unary = unary + check_sense(sense) * similarities(similarity, G1, G2, shape)
    allowed = ~np.isposinf(unary)
    if np.any(np.isneginf(unary)):
        raise InputError(f"similarity must not hold {'+' if sense == 'max' else '-'}inf")
    if node_match is not None:
        allowed &= compare_attributes("node_match", node_match, *node_tables(G1, G2)) > 0
    if seeds is not None:
        seeds = seed_indices("seeds", seeds, *names)
        allowed = mask_beside(seeds, allowed)
    if not allowed.any():
        given = [name for name, value in limits.items() if name != "names" and value is not None]
        raise InputError(f"no pair of nodes of G1 and G2 is allowed by {' and '.join(given)}")
    return seeds, unary, allowed


# ---- adjacency


def is_networkx(graph):
    """Whether this is a networkx graph."""
    return hasattr(graph, "adj") and hasattr(graph, "nodes")


def check_weight(G1, G2, weight):
    """InputError or GuessWarning if edges lack the attribute that is to hold their weights."""
    graphs = {name: G for name, G in (("G1", G1), ("G2", G2)) if is_networkx(G)}
    if not graphs:
        if not isinstance(weight, str) or weight != WEIGHT:
            raise InputError(f"weight goes with networkx graphs, got {show(weight)} with matrices")
        return
    if weight is None:
        return
    if not isinstance(weight, Hashable):
        raise InputError(f"weight must name an edge attribute, got {show(weight)}")
    lacking = {}
    for name, graph in graphs.items():
        has = [weight in data for _, _, data in graph.edges(data=True)]
        if any(has) and not all(has):
            raise InputError(
                f"{name}: {has.count(False)} of {len(has)} edges have no attribute {weight!r};"
                " weight=None counts every edge as 1"
            )
        if has:
            lacking[name] = not has[0]
    if weight != WEIGHT and any(lacking.values()):
        name = next(name for name, lacks in lacking.items() if lacks)
        known = sorted({str(key) for *_, data in graphs[name].edges(data=True) for key in data})
        raise InputError(
            f"{name}: no edge has an attribute {weight!r}{did_you_mean(weight, known)};"
            " weight=None counts every edge as 1"
        )
    if len(set(lacking.values())) == 2:
        name = next(name for name, lacks in lacking.items() if lacks)
        warn(
            f"{name} has no edge attribute {weight!r}, which the other graph has: its edges count"
            " as 1; give weight=None to count all edges as 1",
            GuessWarning,
        )


def read_weights(name, graph, weight, directed):
    """(adjacency matrix, names of the nodes or None)."""
    if is_networkx(graph):
        import networkx

        if not len(graph):
            raise InputError(f"{name} has no nodes")
        names = tuple(graph.nodes)
        try:
            matrix = networkx.to_scipy_sparse_array(
                graph, nodelist=names, weight=weight, dtype=float
            )
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{name}: weight must name an edge attribute that holds numbers, got {weight!r}"
            ) from error
        if dense_enough(matrix):
            matrix = matrix.toarray()
    elif hasattr(graph, "columns") and hasattr(graph, "to_numpy"):  # a DataFrame
        if list(graph.columns) != list(graph.index):
            raise InputError(
                f"{name} must have the same nodes in its rows and columns; a table of edges becomes"
                " a graph by networkx.from_pandas_edgelist"
            )
        names, matrix = tuple(graph.columns), graph.to_numpy(dtype=float)
    else:
        names, matrix = None, graph
    try:
        matrix = check_square(name, matrix)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{name} must be a graph, an adjacency matrix or a list of edges, got"
            f" {type(graph).__name__}"
        ) from error
    return make_undirected(matrix) if directed is False else matrix, names


def make_undirected(A):
    """Return the symmetric matrix in which the larger of two opposite entries stands for both; one
    without an opposite stands for itself.
    """
    if sparse.issparse(A):
        both, total = (A != 0).multiply(A.T != 0), A + A.T
        alone = total - total.multiply(both)  # x - x, and x - 0: nothing is rounded
        made = sparse.csr_array(alone + A.maximum(A.T).multiply(both))
        made.eliminate_zeros()
        return made
    return np.where((A != 0) & (A.T != 0), np.maximum(A, A.T), A + A.T)


def dense_enough(matrix):
    """Whether a small matrix is better dense: products are then plain matrix products."""
    return matrix.shape[0] <= 500 or matrix.nnz > 0.1 * matrix.shape[0] ** 2


def check_kinds(G1, G2, directed):
    """Raise InputError if one graph is directed and the other is not."""
    kinds = {graph.is_directed() for graph in (G1, G2) if is_networkx(graph)}
    if len(kinds) == 2 and directed is None:
        raise InputError(
            "G1 and G2 must both be directed or both undirected; directed=False makes them so"
        )


def join_pairs(A):
    """(m, 2) pairs i < j that a matrix joins."""
    i, j = (sparse.coo_array(A).coords if sparse.issparse(A) else np.nonzero(A))[:2]
    kept = i != j
    pairs = np.column_stack([np.minimum(i, j)[kept], np.maximum(i, j)[kept]]).astype(np.int64)
    key = np.unique(pairs[:, 0] * A.shape[0] + pairs[:, 1])
    return np.column_stack(np.divmod(key, A.shape[0])) if len(key) else None


# ---- attributes


def node_tables(G1, G2):
    """The attribute dicts of all nodes, of both graphs."""
    return [as_attributed(name, graph).node_data for name, graph in (("G1", G1), ("G2", G2))]


def similarities(given, G1, G2, shape):
    """(n1, n2) matrix from a matrix, attribute names or a function."""
    if isinstance(given, str) or callable(given) or is_names(given):
        return compare_attributes("similarity", given, *node_tables(G1, G2))
    matrix = as_numbers("similarity", dense(given) if sparse.issparse(given) else given)
    if matrix.shape != shape:
        raise InputError(f"similarity must have shape (n1, n2) = {shape}, got {matrix.shape}")
    if np.isnan(matrix).any():
        raise InputError("similarity must not hold NaN")
    return matrix


def read_anchors(anchors, names1, names2, shape):
    """Return the (n1, n2) matrix of soft anchors {(node of G1, node of G2): similarity}."""
    matrix = np.zeros(shape)
    nodes, labels = seed_indices("similarity", list(anchors), names1, names2).T
    for name, column, n in zip(("G1", "G2"), (nodes, labels), shape, strict=True):
        if len(column) and not 0 <= column.min() <= column.max() < n:
            raise InputError(f"similarity: nodes of {name} must be in 0..{n - 1}")
    matrix[nodes, labels] = as_numbers("similarity", list(anchors.values()))
    return matrix


def is_names(given):
    """Whether this is a list of attribute names."""
    return isinstance(given, (list, tuple)) and all(isinstance(name, str) for name in given)


def compare_attributes(name, rule, data1, data2):
    """Return the matrix of all pairs: the number of equal attributes (all or none for a match), or
    the values of the function.
    """
    if callable(rule):
        table = [[rule(one, other) for other in data2] for one in data1]
        return as_numbers(f"the return value of {name}", table).reshape(len(data1), len(data2))
    if not isinstance(rule, str) and not is_names(rule):
        raise InputError(f"{name} must be an attribute, a list of them or a function, got {rule!r}")
    names = [rule] if isinstance(rule, str) else list(rule)
    total = np.zeros((len(data1), len(data2)))
    for attribute in names:
        for graph, side in (("G1", data1), ("G2", data2)):
            if side and not any(attribute in data for data in side):
                known = sorted({str(key) for data in side for key in data})
                what = "edge" if name == "edge_match" else "node"
                raise InputError(
                    f"{name}: no {what} of {graph} has an attribute {attribute!r}"
                    f"{did_you_mean(attribute, known)}"
                )
        code = {}
        columns = [
            np.array([code.setdefault(equal_key(data.get(attribute)), len(code)) for data in side])
            for side in (data1, data2)
        ]
        total += columns[0][:, None] == columns[1]
    return total if name == "similarity" else (total == len(names)).astype(float)


def edge_affinities(edge_match, G1, G2, weight, directed):
    """Return (KQ, ends1, ends2): arcs of both graphs and the value of each pair, as a product
    of adjacency matrices has them.
    """
    sides = [arcs_of(name, G, weight, directed) for name, G in (("G1", G1), ("G2", G2))]
    (data1, ends1, edge1, value1), (data2, ends2, edge2, value2) = sides
    worth = compare_attributes("edge_match", edge_match, data1, data2)[np.ix_(edge1, edge2)]
    return sparse.csr_array(worth * np.outer(value1, value2)), ends1, ends2


def arcs_of(name, graph, weight, directed):
    """(attribute dicts of the edges, (m, 2) ends of each arc, the edge of each arc, its weight): an
    undirected edge is two arcs, a self loop one.
    """
    is_matrix = not is_networkx(graph)
    graph = as_attributed(name, graph)
    ends = np.column_stack([graph.tail, graph.head]).astype(np.int64).reshape(-1, 2)
    value = np.array([edge_weight(data, weight, is_matrix) for data in graph.edge_data])
    edge = np.arange(len(ends))
    if not graph.directed or directed is False:
        if graph.directed:
            edge = heavier_arcs(ends, value)
        back = edge[ends[edge, 0] != ends[edge, 1]]
        ends = np.concatenate([ends[edge], ends[back, ::-1]])
        edge = np.concatenate([edge, back])
        value = value[edge]
    return graph.edge_data, ends, edge, value


def edge_weight(data, weight, is_matrix):
    """The weight of an edge: 1 without one, as networkx has it; an entry of a matrix."""
    if is_matrix:
        return float(data["weight"])
    return 1.0 if weight is None else float(data.get(weight, 1.0))


def heavier_arcs(ends, value):
    """The arcs that stand for both directions: of i -> j and j -> i those with the larger weight in
    all, the first of equal ones.
    """
    total = {}
    for (i, j), weight in zip(ends.tolist(), value.tolist(), strict=True):
        total[i, j] = total.get((i, j), 0.0) + weight
    place = {pair: k for k, pair in enumerate(total)}
    rank = lambda pair: (-total[pair], place[pair])
    kept = {(i, j) for i, j in total if (j, i) not in total or rank((i, j)) <= rank((j, i))}
    return np.array([k for k, pair in enumerate(ends.tolist()) if tuple(pair) in kept], np.int64)


def seed_indices(argument, seeds, names1, names2):
    """(m, 2) indices of pairs given by name; argument: its name in errors."""
    index = [
        None if names is None else {n: k for k, n in enumerate(names)} for names in (names1, names2)
    ]
    found = []
    seeds = list(seeds.items()) if isinstance(seeds, Mapping) else seeds
    seeds = as_array(argument, seeds) if hasattr(seeds, "dtype") else seeds
    for pair in as_list(argument, seeds):
        if isinstance(pair, (str, bytes)) or len(as_list("a pair", pair)) != 2:
            raise InputError(f"{argument} must hold pairs (node of G1, node of G2), got {pair!r}")
        row = []
        for name, node, known in zip(("G1", "G2"), pair, index, strict=True):
            if known is not None and not (isinstance(node, Hashable) and node in known):
                raise InputError(f"{argument}: {name} has no node {node!r}")
            if known is None and not hasattr(node, "__index__"):
                raise InputError(f"{argument} must hold indices of nodes of {name}, got {node!r}")
            row.append(node if known is None else known[node])
        found.append(row)
    return np.array(found, dtype=np.int64).reshape(-1, 2)
