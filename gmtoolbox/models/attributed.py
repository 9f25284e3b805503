"""Graphs with attributes in one form: networkx graphs, adjacency matrices with labels, molecules,
and those of other packages (foreign.py).

The edit-distance models ask a graph for four lists only: its nodes, its edges, and the attribute
dict of each. Everything that knows another form of graph is in these two files.
"""

import sys
from dataclasses import dataclass, field, replace

from gmtoolbox.core.errors import GraphWarning, InputError, type_name, warn
from gmtoolbox.core.graph import Graph
from gmtoolbox.core.lazy import np, sparse
from gmtoolbox.core.values import as_array, as_reals
from gmtoolbox.models.attribute_numbers import EXACT
from gmtoolbox.models.foreign import is_path, read_foreign

CACHE_KEY = "gmtoolbox.graph"
MOST_KEPT = 1000  # nodes and edges of networkx graphs that are stored: solving others takes longer
NAN = object()  # stands for all NaN, which are not equal to themselves


@dataclass
class AttributedGraph:
    """Nodes and edges under their own names, with one attribute dict each.

    nodes, node_data   names, and their attributes
    edges, edge_data   tuples (u, v) or (u, v, key) as the user's graph lists them, and attributes
    tail, head         positions in `nodes` of each edge's two ends
    directed           whether (u, v) differs from (v, u)
    labelled           attributes are labels: they are compared unless a function is given
    label_names        (of nodes, of edges): the attributes that are labels; None: all of them
    symmetric          a symmetric matrix: together with a directed graph it is directed, too
    parts              (atoms, bonds) of a molecule; None of other graphs
    is_pattern         a molecule with queries instead of labels (SMARTS)
    """

    nodes: list
    node_data: list
    edges: list
    tail: list
    head: list
    edge_data: list
    directed: bool
    labelled: bool = False
    label_names: tuple = None
    symmetric: bool = False
    parts: tuple = None
    is_pattern: bool = False
    position: dict = field(default_factory=dict)

    def __post_init__(self):
        if not self.position:
            self.position = {node: k for k, node in enumerate(self.nodes)}

    def __len__(self):
        return len(self.nodes)

    def __getstate__(self):
        """Return the pickled fields: atoms and bonds of RDKit cannot be, and only queries look at
        them.
        """
        state = dict(self.__dict__)
        if state["parts"] is not None and not state["is_pattern"]:
            state["parts"] = ()
        return state


def as_attributed(name, graph):
    """Whatever the edit-distance functions take, as an AttributedGraph; `name` is for messages."""
    if hasattr(graph, "__networkx_cache__"):
        return from_networkx(graph)
    if isinstance(graph, AttributedGraph):
        return graph
    if isinstance(graph, Graph):
        return from_graph(graph)
    foreign = read_foreign(name, graph)
    if is_path(graph):
        return from_graph(foreign)  # with the labels that the file has, as load_graphs gives it
    if foreign is not None:
        return replace(from_graph(foreign), labelled=False, label_names=None)
    if hasattr(graph, "is_multigraph") and hasattr(graph, "nodes"):
        return from_networkx(graph)
    if hasattr(graph, "GetAtoms") and hasattr(graph, "GetBonds"):
        return from_molecule(graph)
    if isinstance(graph, tuple) and len(graph) == 2:
        return from_adjacency(name, *graph)
    if sparse.issparse(graph) or isinstance(graph, (np.ndarray, list)):
        return from_adjacency(name, graph)
    raise InputError(
        f"{name} must be a networkx graph, a graph of igraph, rustworkx, NetworKit or PyTorch"
        " Geometric, an RDKit molecule, an adjacency matrix, a pair (matrix, labels) or a list of"
        f" edges, got {type(graph).__name__}"
    )


def from_graph(graph):
    """A Graph, as load_graphs returns it."""
    return AttributedGraph(
        nodes=graph.nodes,
        node_data=graph.node_data,
        edges=graph.edges,
        tail=[graph.position[u] for u, _ in graph.edges],
        head=[graph.position[v] for _, v in graph.edges],
        edge_data=graph.edge_data,
        directed=graph.directed,
        labelled=True,
        label_names=(graph.node_label, graph.edge_label),
        position=graph.position,
    )


def cache_of(graph):
    """Return the cache of a networkx graph; an empty dict if it has none that is cleared on every
    change. Views have none: they change with another graph.
    """
    is_own = type(getattr(graph, "_adj", None)) is dict
    is_asked = getattr(networkx_config(), "cache_converted_graphs", False)
    cache = getattr(graph, "__networkx_cache__", None)
    return cache if is_own and is_asked and type(cache) is dict else {}


def networkx_config():
    """Return the configuration of networkx, None without."""
    return getattr(sys.modules.get("networkx"), "config", None)


def from_networkx(graph):
    """A networkx graph of any kind; edges are named as `list(graph.edges)` does.

    A small graph is read once, until nodes or edges change. The attribute dicts are those of the
    graph itself, so that other values in them are seen.
    """
    cache = cache_of(graph)
    made = cache.get(CACHE_KEY)
    if made is None:
        made = read_networkx(graph)
        if len(made.nodes) + len(made.edges) <= MOST_KEPT:
            cache[CACHE_KEY] = made
    return made


def read_networkx(graph):
    """Return the AttributedGraph of a networkx graph."""
    node_data = dict(graph.nodes(data=True))
    nodes = list(node_data)
    position = dict(zip(nodes, range(len(nodes)), strict=True))
    directed = graph.is_directed()
    list_edges = list_keyed_edges if graph.is_multigraph() else list_single_edges
    edges, tail, head, edge_data = list_edges(graph, position, directed)
    return AttributedGraph(
        nodes=nodes,
        node_data=list(node_data.values()),
        edges=edges,
        tail=tail,
        head=head,
        edge_data=edge_data,
        directed=directed,
        position=position,
    )


def list_keyed_edges(graph, position, directed):
    """Return (edges, tail, head, data) of a networkx graph that may have parallel edges."""
    listed = list(iter(graph.edges(keys=True, data=True)))  # list(view) counts the edges first
    tail, head = ([position[edge[k]] for edge in listed] for k in (0, 1))
    return [edge[:-1] for edge in listed], tail, head, [edge[-1] for edge in listed]


def list_single_edges(graph, position, directed):
    """Return (edges, tail, head, data) of a networkx graph without parallel edges: quicker than its
    view, in the same order.
    """
    edges, tail, head, data = [], [], [], []
    for u, near in graph.adjacency():
        i = position[u]
        for v, own in near.items():
            j = position[v]
            if directed or i <= j:
                edges.append((u, v))
                tail.append(i)
                head.append(j)
                data.append(own)
    return edges, tail, head, data


def from_molecule(molecule):
    """An RDKit Mol, or anything with its GetAtoms and GetBonds: element, charge and kind of bond
    are the labels. Queries, as SMARTS has them, stand in the data as "query"; see compare_label.
    """
    atoms, bonds = parts_of(molecule)
    names = {}  # of kinds of bonds: RDKit takes long to write them
    queries = [[part if has_query(part) else None for part in parts] for parts in (atoms, bonds)]
    tail = [bond.GetBeginAtomIdx() for bond in bonds]
    head = [bond.GetEndAtomIdx() for bond in bonds]
    return AttributedGraph(
        nodes=list(range(len(atoms))),
        node_data=[
            {"symbol": atom.GetSymbol(), "charge": atom.GetFormalCharge()}
            if query is None
            else {"query": query}
            for atom, query in zip(atoms, queries[0], strict=True)
        ],
        edges=list(zip(tail, head, strict=True)),
        tail=tail,
        head=head,
        edge_data=[
            {"bond": name_of(bond.GetBondType(), names)} if query is None else {"query": query}
            for bond, query in zip(bonds, queries[1], strict=True)
        ],
        directed=False,
        labelled=True,
        parts=(atoms, bonds),
        is_pattern=any(query is not None for parts in queries for query in parts),
    )


def parts_of(molecule):
    """Return (atoms, bonds) of a molecule as lists; by number, since RDKit's iterators are slow."""
    if not (hasattr(molecule, "GetAtomWithIdx") and hasattr(molecule, "GetBondWithIdx")):
        return list(molecule.GetAtoms()), list(molecule.GetBonds())
    atom, bond = molecule.GetAtomWithIdx, molecule.GetBondWithIdx
    n_atoms, n_bonds = molecule.GetNumAtoms(), molecule.GetNumBonds()
    return list(map(atom, range(n_atoms))), list(map(bond, range(n_bonds)))


def name_of(kind, names):
    """Return the text of a kind of bond; `names` are those known so far."""
    if kind not in names:
        names[kind] = str(kind)
    return names[kind]


def has_query(part):
    """Return whether an atom or bond is a query; InputError for one that cannot be asked."""
    if not hasattr(part, "HasQuery") or not part.HasQuery():
        return False
    if "RecursiveStructure" in part.DescribeQuery():
        raise InputError("a SMARTS pattern must not hold recursive queries, $(...)")
    return True


def ready_for_queries(graphs, name):
    """Return the graphs; with a SMARTS pattern, a molecule has its parts in its data. name(k) is
    for messages.
    """
    patterns = [k for k, graph in enumerate(graphs) if graph.is_pattern]
    if not patterns:
        return graphs
    if len(patterns) > 1 or len(graphs) > 2:
        raise InputError(
            f"{name(patterns[-1])} is a SMARTS pattern: one can be compared with one molecule only"
        )
    return [
        graph if graph.is_pattern else with_parts(graph, name(k)) for k, graph in enumerate(graphs)
    ]


def with_parts(graph, name):
    """Return a molecule whose data hold its atoms and bonds as "part", for queries to look at."""
    if graph.parts is None:
        raise InputError(f"{name} must be a molecule, since the other graph is a SMARTS pattern")
    node_data, edge_data = (
        [{**label, "part": part} for label, part in zip(data, parts, strict=True)]
        for data, parts in zip((graph.node_data, graph.edge_data), graph.parts, strict=True)
    )
    return replace(graph, node_data=node_data, edge_data=edge_data)


def compare_label(data1, data2, is_equal):
    """Return True if two labels are the same: by the query, if one of them is a query, else by
    is_equal.
    """
    asking, asked = (data1, data2) if "query" in data1 else (data2, data1)
    if "part" not in asked:
        return is_equal
    if "query" not in asking:  # an atom of a pattern without a query of its own
        return all(asked.get(name) == value for name, value in asking.items() if name != "part")
    try:
        return asking["query"].Match(asked["part"])
    except RuntimeError as error:  # several lines, and a stack
        raise InputError(
            "a molecule must be sanitised (Chem.SanitizeMol) before a SMARTS pattern is asked"
        ) from error


class SharedLabels:
    """Return the attributes of two graphs that are compared by default, if one names its own.

    Equal pairs of names are equal objects, since costs are known by them.
    """

    def __init__(self, first, second):
        self.names = tuple(
            (own_names(first, kind), own_names(second, kind)) for kind in ("node", "edge")
        )
        self.hash = hash(self.names)

    def __eq__(self, other):
        return isinstance(other, SharedLabels) and self.names == other.names

    def __hash__(self):
        return self.hash

    def matcher(self, kind, needed_by=None):
        """Return `compare` as a function of two attribute dicts."""
        first, second = self.names[kind == "edge"]
        if first == second and first is not None and len(first) == 1:
            [name] = first
            return lambda data1, data2: same_value(data1.get(name), data2.get(name))
        return lambda data1, data2: self.compare(kind, data1, data2, needed_by)

    def compare(self, kind, data1, data2, needed_by=None):
        """Return whether two nodes or edges have the same label, True if they have none, which
        costs of the name `needed_by` do not allow.
        """
        first, second = self.names[kind == "edge"]
        if first and second and first != second:
            raise InputError(
                f"G1 and G2 must label their {kind}s by the same attribute, got"
                f" {' '.join(first)} and {' '.join(second)}; {kind}_match compares others"
            )
        if first == second and first:
            return all(same_value(data1.get(name), data2.get(name)) for name in first)
        if data1 or data2:
            there = ", ".join(map(str, {**data1, **data2}))
            if needed_by:
                raise InputError(
                    f"costs={needed_by!r} does not fit these graphs: it needs labels of {kind}s,"
                    f" which have {there}"
                )
            warn(
                f"{kind}s are not compared: they have the attributes {there} and no label that"
                f" both graphs share; {kind}_match, {kind}_subst_cost or costs= can compare them",
                GraphWarning,
            )
        return True


def own_names(graph, kind):
    """Return the names of the attributes that label the nodes or edges of a graph; None if it has
    none of them, so that any names fit.
    """
    data = graph.node_data if kind == "node" else graph.edge_data
    if graph.label_names is not None:
        return graph.label_names[kind == "edge"] if data else None
    return tuple(data[0]) if data else None


def same_value(x, y):
    """Return True if two labels are equal; numbers and texts of any type."""
    if x.__class__ is y.__class__ and x.__class__ in EXACT:
        return x == y
    return equal_key(x) == equal_key(y)


def shared_labels(first, second):
    """Return how two graphs are compared by default: False (not at all), True (all attributes), or
    their SharedLabels.
    """
    if not (first.labelled and second.labelled):
        return False
    if first.label_names is None and second.label_names is None:
        return True
    return SharedLabels(first, second)


def from_adjacency(name, matrix, labels=None):
    """A square matrix whose entries other than 0 are edges, the entry being the edge's label; with
    one label per node if they differ. A matrix that is not symmetric is a directed graph.
    """
    matrix = matrix if sparse.issparse(matrix) else as_array(name, matrix)
    if matrix.dtype.kind not in "biufc":
        raise InputError(f"{name} must be a numeric matrix, got {type_name(matrix.dtype)}")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"{name} must be a square matrix, got shape {matrix.shape}")
    if matrix.dtype.kind == "f":
        matrix = as_reals(name, matrix)
    stored = sparse.coo_array(matrix.astype(matrix.dtype.newbyteorder("="), copy=False))
    stored.sum_duplicates()
    if stored.nnz and not np.issubdtype(stored.dtype, np.bool_) and np.isnan(stored.data).any():
        raise InputError(f"{name} must not hold NaN")
    n = matrix.shape[0]
    labels = as_array("labels", [None] * n if labels is None else labels)
    if labels.shape != (n,):
        raise InputError(
            f"{name} must have one label for each of its {n} nodes, got labels of shape"
            f" {labels.shape}"
        )
    entry = {
        (i, j): value
        for i, j, value in zip(
            stored.row.tolist(), stored.col.tolist(), stored.data.tolist(), strict=True
        )
        if value != 0
    }
    directed = any(entry.get((j, i)) != value for (i, j), value in entry.items())
    edges = sorted(pair for pair in entry if directed or pair[0] <= pair[1])
    return AttributedGraph(
        nodes=list(range(n)),
        node_data=[{"label": one_number(label)} for label in labels.tolist()],
        edges=edges,
        tail=[i for i, _ in edges],
        head=[j for _, j in edges],
        edge_data=[{"weight": one_number(entry[edge])} for edge in edges],
        directed=directed,
        labelled=True,
        symmetric=not directed,
    )


def one_number(label):
    """Return a label; numbers that are equal become the same, whatever the type of their matrix."""
    is_whole = isinstance(label, (bool, float)) and float(label).is_integer()
    return int(label) if is_whole else label


def equal_key(value):
    """Return something that is equal, and has the same hash, for attributes that are equal: numbers
    and texts of any type, arrays and lists by their content. NaN is equal to NaN.
    """
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(map(equal_key, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(equal_key, value))
    if isinstance(value, dict):
        return frozenset((name, equal_key(part)) for name, part in value.items())
    if value.__hash__ is None:
        return repr(value)
    return value if value == value else NAN


def as_directed(graph):
    """Every edge of an undirected graph as two arcs."""
    if graph.directed:
        return graph
    both = [k for k in range(len(graph.edges)) if graph.tail[k] != graph.head[k]]
    back = [(edge[1], edge[0], *edge[2:]) for edge in (graph.edges[k] for k in both)]
    return AttributedGraph(
        nodes=graph.nodes,
        node_data=graph.node_data,
        edges=graph.edges + back,
        tail=graph.tail + [graph.head[k] for k in both],
        head=graph.head + [graph.tail[k] for k in both],
        edge_data=graph.edge_data + [graph.edge_data[k] for k in both],
        directed=True,
        labelled=graph.labelled,
        label_names=graph.label_names,
        position=graph.position,
    )
