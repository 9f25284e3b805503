"""An edit path drawn: two graphs on one layout; kept, relabelled, deleted, inserted."""

from gmtoolbox.core.errors import InputError, did_you_mean
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import markup
from gmtoolbox.models.attributed import as_attributed, compare_label, ready_for_queries
from gmtoolbox.plot.canvas import label, picture
from gmtoolbox.plot.layouts import layout
from gmtoolbox.plot.matchings import scale_points
from gmtoolbox.plot.molecules import are_rdkit, bond_lines, place_molecules

LETTERS = "#1a1a1a"  # inside white nodes, on dark pages, too
INSIDE = 2  # letters that fit into a node
COLOUR = {"kept": "#8a8a8a", "relabelled": "#b45a1a", "deleted": "#e00000", "inserted": "#1d74cb"}


def edit_path(G1, G2, result, *, node_label=None, edge_label=None, title=None):
    """Draw both graphs side by side, substituted nodes at the same place. Molecules of RDKit are
    drawn as RDKit depicts them, the second one turned onto the first.

    Parameters
    ----------
    G1, G2 : graphs that the result is of
    result : EditResult
    node_label, edge_label : str, optional
        Attribute that is written in or next to a node, and whose change is a relabelling. Default:
        labels of molecules, matrices and loaded graphs; nothing of networkx graphs.
    title : str, optional
        Drawn above.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> import networkx as nx
    >>> G, H = nx.cycle_graph(5), nx.path_graph(5)
    >>> gm.plot.edit_path(G, H, gm.graph_edit_distance(G, H))[:4]
    '<svg'
    """
    names = ("G1", "G2")
    graphs = [as_attributed(name, graph) for name, graph in zip(names, (G1, G2), strict=True)]
    graphs = ready_for_queries(graphs, names.__getitem__)
    check_attribute("node_label", node_label, [graph.node_data for graph in graphs])
    check_attribute("edge_label", edge_label, [graph.edge_data for graph in graphs])
    same = [
        [Texts(graph.labelled, name, (graph.label_names or (None, None))[k]) for graph in graphs]
        for k, name in enumerate((node_label, edge_label))
    ]
    if are_rdkit((G1, G2)):
        kept = [pair for pair in result.node_path if None not in pair]
        places = place_molecules((G1, G2), kept)
    else:
        places = common_layout(graphs, result.node_path)
    width, height = 720, 380
    body = ""
    for side, graph in enumerate(graphs):
        box = (30 + side * width / 2, 24, width / 2 - 60, height - 84)
        points = scale_together(places, side, box)
        nodes = changes(graph.nodes, result.node_path, side, graphs, same[0])
        edges = changes(graph.edges, result.edge_path, side, graphs, same[1])
        body += draw_graph(graph, points, nodes, edges, same[0][side])
    return picture(width, height, title or "Edit path", body + legend(height), title)


def check_attribute(name, attribute, data):
    """InputError for an attribute that nothing in both graphs has."""
    every = [own for side in data for own in side]
    if attribute is not None and every and not any(attribute in own for own in every):
        known = sorted({str(key) for own in every for key in own})
        raise InputError(f"{name}: no attribute {attribute!r}{did_you_mean(attribute, known)}")


class Texts:
    """The text of an attribute dict in the picture."""

    def __init__(self, labelled, name, label_names=None):
        self.labelled, self.name, self.label_names = labelled, name, label_names

    def of(self, data):
        """The text of one attribute dict, '' for none."""
        if self.name is not None:
            return "" if data.get(self.name) is None else str(data[self.name])
        if not self.labelled:
            return ""
        if "query" in data:
            return data["query"].GetSmarts()
        names = data if self.label_names is None else self.label_names
        named = (data.get(key) for key in names if key != "part")
        return " ".join(str(value) for value in named if value not in (None, 0))


def changes(names, path, side, graphs, texts):
    """Return the kind of edit of each node or edge of one side, in their order."""
    attributes = [
        dict(zip(g.nodes, g.node_data, strict=True)) | dict(zip(g.edges, g.edge_data, strict=True))
        for g in graphs
    ]
    found = {}
    for pair in path:
        if pair[side] is None:
            continue
        if pair[1 - side] is None:
            found[pair[side]] = ("deleted", "inserted")[side]
        else:
            data = [attributes[k][pair[k]] for k in (0, 1)]
            one, two = (texts[k].of(data[k]) for k in (0, 1))
            is_same = compare_label(*data, one == two)
            found[pair[side]] = "kept" if is_same else "relabelled"
    return [found.get(name, "kept") for name in names]


def draw_graph(graph, points, nodes, edges, texts):
    """SVG of one graph."""
    body = ""
    for k, kind in enumerate(edges):
        look = (
            f"stroke='{COLOUR[kind]}' stroke-width='{1.6 if kind == 'kept' else 2.6}' fill='none'"
        )
        look += dashes_of(kind)
        hint = f"<title>{markup(str(graph.edges[k]))}: {kind}</title>"
        start, end = points[graph.tail[k]], points[graph.head[k]]
        if graph.tail[k] == graph.head[k]:
            body += (
                f"<circle class='edge {kind}' cx='{start[0]:.1f}' cy='{start[1] - 11:.1f}' r='7'"
                f" {look}>{hint}</circle>"
            )
        else:
            body += drawn_edge(start, end, graph.edge_data[k].get("bond"), kind, look, hint)
    for k, kind in enumerate(nodes):
        x, y = points[k]
        text = texts.of(graph.node_data[k])
        hint = markup(f"{graph.nodes[k]} {text}: {kind}")
        inside = 0 < len(text) <= INSIDE
        body += (
            f"<circle class='node {kind}' cx='{x:.1f}' cy='{y:.1f}' r='{10 if inside else 5}'"
            f" fill='{'white' if inside else COLOUR[kind]}' stroke='{COLOUR[kind]}'"
            f" stroke-width='{1.2 if kind == 'kept' else 2.2}'{dashes_of(kind)}>"
            f"<title>{hint}</title></circle>"
        )
        if inside:
            body += label(x, y + 4.5, text, "middle", LETTERS)
        elif text:
            body += label(x + 7, y - 6, text)
    return body


def dashes_of(kind):
    """Return the dashes of nodes and edges that one graph only has: colour is not the only sign."""
    return " stroke-dasharray='5 3'" if kind in ("deleted", "inserted") else ""


def drawn_edge(start, end, bond, kind, look, hint):
    """SVG of one edge; a bond has as many lines as its order."""
    body = ""
    for (x1, y1), (x2, y2), is_dashed in bond_lines(start, end, bond):
        dashes = " stroke-dasharray='3 2'" if is_dashed and "dasharray" not in look else ""
        body += f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' {look}{dashes}/>"
    return f"<g class='edge {kind}'>{hint}{body}</g>"


def legend(height):
    """Return SVG that explains the colours."""
    body, x = "", 30
    for kind, colour in COLOUR.items():
        body += (
            f"<circle cx='{x}' cy='{height - 18}' r='6' fill='white' stroke='{colour}'"
            f" stroke-width='2.2'{dashes_of(kind)}/>"
        )
        body += label(x + 10, height - 14, kind)
        x += 110
    return body


# ---- places of the nodes


def common_layout(graphs, node_path):
    """[points of G1, points of G2]: substituted nodes have one place, in one layout of both graphs
    together.
    """
    place, count = [{}, {}], 0
    for pair in node_path:
        for side in (0, 1):
            if pair[side] is not None:
                place[side][pair[side]] = count
        count += 1
    for side, graph in enumerate(graphs):  # find_subgraph names the nodes of the pattern only
        for node in graph.nodes:
            if place[side].setdefault(node, count) == count:
                count += 1
    linked = np.zeros((count, count), bool)
    for side, graph in enumerate(graphs):
        at = [place[side][node] for node in graph.nodes]
        for i, j in zip(graph.tail, graph.head, strict=True):
            linked[at[i], at[j]] = linked[at[j], at[i]] = True
    points = layout(linked)
    return [
        [points[place[side][node]] for node in graph.nodes] for side, graph in enumerate(graphs)
    ]


def scale_together(places, side, box):
    """The points of one side in its box, scaled as both sides are."""
    both = scale_points([*places[0], *places[1]], *box) if places[0] or places[1] else []
    start = 0 if side == 0 else len(places[0])
    return both[start : start + len(places[side])]
