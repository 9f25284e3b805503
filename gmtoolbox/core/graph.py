"""Graph: a graph with attributes, a name and a class, as files of graphs hold them."""

from dataclasses import dataclass, field

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.values import check_flag

# attributes that label nodes and edges, in the words of the collections of the field; the first
# group that some node (edge) has is taken
NODE_LABELS = (("symbol",), ("chem",), ("type",), ("label",), ("element",), ("atom",))
EDGE_LABELS = (("valence",), ("type0", "type1"), ("type",), ("label",), ("bond",), ("bond_type",))


@dataclass(eq=False, repr=False)
class Graph:
    """A graph of a file, in the form that the edit-distance functions take.

    Attributes
    ----------
    nodes : list
        Names of the nodes.
    edges : list of (u, v)
        The two ends of each edge.
    node_data, edge_data : list of dict
        Attributes of each node and edge, empty without.
    directed : bool
        Whether (u, v) differs from (v, u).
    name : str
        The name of the graph in its collection, or of its file.
    graph_class : str, int, float or None
        The class in its collection.
    node_label, edge_label : tuple of str
        The attributes that are compared unless a cost function decides; () compares none.
    info : dict
        Other facts that the file states about the graph.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> water = gm.Graph(["O", "H1", "H2"], [("O", "H1"), ("O", "H2")], name="water")
    >>> water
    <Graph 'water', 3 nodes, 2 edges>
    """

    nodes: list
    edges: list
    node_data: list = None
    edge_data: list = None
    directed: bool = False
    name: str = ""
    graph_class: object = None
    node_label: tuple = ()
    edge_label: tuple = ()
    info: dict = field(default_factory=dict)

    def __post_init__(self):
        self.nodes, self.edges = list(self.nodes), [tuple(edge) for edge in self.edges]
        self.node_data = [{} for _ in self.nodes] if self.node_data is None else self.node_data
        self.edge_data = [{} for _ in self.edges] if self.edge_data is None else self.edge_data
        self.directed = check_flag("directed", self.directed)
        self.node_label, self.edge_label = tuple(self.node_label), tuple(self.edge_label)
        self.position = {node: k for k, node in enumerate(self.nodes)}
        self.check()

    def check(self):
        """InputError if nodes, edges and attributes do not fit together."""
        if len(self.position) != len(self.nodes):
            raise InputError("nodes must have different names")
        for name, parts in (("node", self.nodes), ("edge", self.edges)):
            data = getattr(self, f"{name}_data")
            if len(data) != len(parts):
                raise InputError(
                    f"{name}_data must have one dict for each of {len(parts)} {name}s, got"
                    f" {len(data)}"
                )
        for edge in self.edges:
            if len(edge) != 2 or edge[0] not in self.position or edge[1] not in self.position:
                raise InputError(f"an edge must join two nodes, got {edge!r}")

    def __len__(self):
        return len(self.nodes)

    def __repr__(self):
        own = "" if self.graph_class is None else f", class {self.graph_class!r}"
        kind = "arcs" if self.directed else "edges"
        return f"<Graph {self.name!r}, {len(self.nodes)} nodes, {len(self.edges)} {kind}{own}>"

    def to_networkx(self):
        """Return a networkx graph with the same attributes; name and graph_class are its own.

        Parallel edges make it a multigraph.
        """
        import networkx  # an optional package

        ends = [edge if self.directed else frozenset(edge) for edge in self.edges]
        several = len(set(ends)) < len(ends)
        kind = ("Multi" if several else "") + ("DiGraph" if self.directed else "Graph")
        made = getattr(networkx, kind)(name=self.name, graph_class=self.graph_class)
        made.add_nodes_from(zip(self.nodes, self.node_data, strict=True))
        made.add_edges_from(
            (*edge, data) for edge, data in zip(self.edges, self.edge_data, strict=True)
        )
        return made


def label_among(data, groups):
    """Return the first group of attributes that some dict has one of, or ()."""
    seen = {name for attributes in data for name in attributes}
    return next((group for group in groups if seen.intersection(group)), ())
