"""Rules by which molecules are compared, and the SMARTS of a common substructure.

The defaults are those of RDKit's FindMCS: atoms are the same if their elements are, and an aromatic
bond is the same as an aromatic, single or double bond.
"""

from dataclasses import dataclass, replace

from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.graph import Graph
from gmtoolbox.core.values import check_flag
from gmtoolbox.models.attributed import AttributedGraph, as_attributed, parts_of

ATOM_RULES = ("element", "strict", "any")
BOND_RULES = ("order", "strict", "any")
MIXED = ({"AROMATIC", "SINGLE"}, {"AROMATIC", "DOUBLE"})  # bonds that have the same order
LABELS = (("symbol", "charge"), ("bond",))  # of a Graph that holds a molecule
BOND_SMARTS = {"SINGLE": "-", "DOUBLE": "=", "TRIPLE": "#", "QUADRUPLE": "$", "AROMATIC": ":"}
ANY_BOND = "~"
ELEMENTS = (  # by atomic number; 0 is a dummy atom
    "* H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se"
    " Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy"
    " Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf"
    " Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
).split()


@dataclass(frozen=True)
class MoleculeRules:
    """Which atoms and bonds of two molecules may be the same; see maximum_common_subgraph."""

    atoms: str = "element"
    bonds: str = "order"
    ring_matches_ring: bool = False
    complete_rings: bool = False

    def __post_init__(self):
        for name, known in (("atoms", ATOM_RULES), ("bonds", BOND_RULES)):
            if getattr(self, name) not in known:
                raise InputError(
                    f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}"
                )
        check_flag("ring_matches_ring", self.ring_matches_ring)
        check_flag("complete_rings", self.complete_rings)

    def node_match(self, one, other):
        """Return True if two atoms may be the same."""
        if self.ring_matches_ring and one["ring"] != other["ring"]:
            return False
        if self.atoms == "any":
            return True
        same = one["symbol"] == other["symbol"]
        return same and (self.atoms == "element" or one["charge"] == other["charge"])

    def edge_match(self, one, other):
        """Return True if two bonds may be the same."""
        if self.ring_matches_ring and one["ring"] != other["ring"]:
            return False
        if self.bonds == "any" or one["bond"] == other["bond"]:
            return True
        return self.bonds == "order" and {one["bond"], other["bond"]} in MIXED


def is_molecule(graph):
    """Return whether a graph is an RDKit molecule without queries, or a Graph of one."""
    if isinstance(graph, Graph):
        return (graph.node_label, graph.edge_label) == LABELS
    if isinstance(graph, AttributedGraph):
        is_whole = graph.parts is not None and not graph.is_pattern
        return is_whole or graph.label_names == LABELS
    if not (hasattr(graph, "GetAtoms") and hasattr(graph, "GetBonds")):
        return False
    parts = (part for listed in parts_of(graph) for part in listed)
    return not any(hasattr(part, "HasQuery") and part.HasQuery() for part in parts)


def compare_by_rules(graphs, names, node_match, edge_match, **given):
    """Return (rules, graphs, node_match, edge_match): molecules compared by the given rules that
    are not None where no function compares them, with their rings if a function or rule may look at
    them; rules is None if a graph is not a molecule, which is an error if a rule is given.
    """
    asked = {name: value for name, value in given.items() if value is not None}
    graphs = [read_once(name, graph) for name, graph in zip(names, graphs, strict=True)]
    if not all(map(is_molecule, graphs)):
        for name in asked:
            raise InputError(f"{name} goes with molecules without queries only")
        return None, graphs, node_match, edge_match
    if asked.get("complete_rings") and asked.setdefault("ring_matches_ring", True) is False:
        raise InputError("complete_rings=True needs ring_matches_ring=True")
    refuse_unused("is not asked if node_match is given", atoms="atoms" in asked and node_match)
    for name in ("bonds", "complete_rings"):
        used = asked.get(name) and edge_match
        refuse_unused("is not asked if edge_match is given", **{name: used})
    rules = MoleculeRules(**asked)
    graphs = [as_attributed(name, graph) for name, graph in zip(names, graphs, strict=True)]
    if node_match or edge_match or rules.ring_matches_ring:
        graphs = [with_rings(graph) for graph in graphs]
    return rules, graphs, node_match or rules.node_match, edge_match or rules.edge_match


def read_once(name, graph):
    """Return the AttributedGraph of an RDKit molecule, any other graph as it is."""
    is_rdkit = hasattr(graph, "GetAtoms") and hasattr(graph, "GetBonds")
    return as_attributed(name, graph) if is_rdkit else graph


def with_rings(graph):
    """Return an AttributedGraph whose data also say which atoms and bonds are in a ring."""
    on_cycle = cycle_edges(len(graph), graph.tail, graph.head)
    ends = zip(graph.tail, graph.head, on_cycle, strict=True)
    in_ring = {node for tail, head, ring in ends if ring for node in (tail, head)}
    return replace(
        graph,
        node_data=[{**data, "ring": k in in_ring} for k, data in enumerate(graph.node_data)],
        edge_data=[
            {**data, "ring": ring} for data, ring in zip(graph.edge_data, on_cycle, strict=True)
        ],
        label_names=None,
    )


def cycle_edges(n, tail, head):
    """Return for each edge of a graph of n nodes whether it lies on a cycle, i.e. is not a bridge
    (Tarjan 1974).
    """
    touching = [[] for _ in range(n)]
    for k, (u, v) in enumerate(zip(tail, head, strict=True)):
        touching[u].append((v, k))
        touching[v].append((u, k))
    entered, low, on_cycle = [-1] * n, [0] * n, [True] * len(tail)
    clock = 0
    for root in range(n):
        if entered[root] >= 0:
            continue
        entered[root] = low[root] = clock = clock + 1
        stack = [(root, -1, iter(touching[root]))]
        while stack:
            u, by, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[u])
                    # nothing below u reaches above u: the edge to u is a bridge
                    on_cycle[by] = low[u] <= entered[parent]
                continue
            v, k = step
            if k == by:
                continue
            if entered[v] >= 0:
                low[u] = min(low[u], entered[v])
                continue
            entered[v] = low[v] = clock = clock + 1
            stack.append((v, k, iter(touching[v])))
    return on_cycle


# ---- SMARTS


def write_smarts(atoms, bonds):
    """Return the SMARTS of a graph.

    Parameters
    ----------
    atoms : {node: text of its atom}
    bonds : {(node, node): text of the bond}

    Parts that are not connected are separated by dots.
    """
    touching = {node: [] for node in atoms}
    for (u, v), text in bonds.items():
        touching[u].append((v, text))
        touching[v].append((u, text))
    tree, closing = spanning_forest(touching)
    return ".".join(write_branch(root, atoms, tree, closing) for root in tree[None])


def spanning_forest(touching):
    """Return (children, closings) of a depth-first search: {node: [(child, bond)]}, in which None
    has the roots as keys of its list; and {node: [(number, bond)]} of the bonds that close rings.
    """
    tree, closing = {None: []}, {node: [] for node in touching}
    place, number = {}, 0
    for root in touching:
        if root in place:
            continue
        tree[None].append(root)
        stack = [(root, None, iter(touching[root]))]
        place[root], tree[root] = len(place), []
        while stack:
            u, before, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                stack.pop()
                continue
            v, text = step
            if v == before:
                continue
            if v not in place:
                place[v], tree[v] = len(place), []
                tree[u].append((v, text))
                stack.append((v, u, iter(touching[v])))
            elif place[v] < place[u]:  # a ring is closed here and opened there
                number += 1
                closing[v].append((number, text))
                closing[u].append((number, text))
    return tree, closing


def write_branch(root, atoms, tree, closing):
    """Return the SMARTS of a tree of the forest: the last child of a node goes on, the others stand
    in parentheses.
    """
    written, stack = [], [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            written.append(node)
            continue
        node, bond = node if isinstance(node, tuple) else (node, "")
        rings = "".join(
            f"{text}{number if number < 10 else f'%{number:02d}'}" for number, text in closing[node]
        )
        written.append(f"{bond}{atoms[node]}{rings}")
        children = tree[node]
        for child, text in reversed(children[-1:]):
            stack.append((child, text))
        for child, text in reversed(children[:-1]):
            stack += [")", (child, text), "("]
    return "".join(written)


def smarts_of(graphs, maps, bonds, rules):
    """Return the SMARTS of a substructure of several molecules.

    maps : for each graph {node of the first: its node}
    bonds : list of lists, the place of the bond in each graph
    """
    nodes = [node for node in graphs[0].nodes if node in maps[0]]
    atoms = {
        node: atom_text(
            [g.node_data[g.position[own[node]]] for g, own in zip(graphs, maps, strict=True)], rules
        )
        for node in nodes
    }
    texts = {
        (
            graphs[0].nodes[graphs[0].tail[places[0]]],
            graphs[0].nodes[graphs[0].head[places[0]]],
        ): bond_text([g.edge_data[k] for g, k in zip(graphs, places, strict=True)], rules)
        for places in bonds
    }
    return write_smarts(atoms, texts)


def atom_text(many, rules):
    """Return the SMARTS of an atom that is all of these at once."""
    numbers = sorted({ELEMENTS.index(data["symbol"]) for data in many})
    text = ",".join(f"#{number}" for number in numbers)
    if rules.atoms == "strict":
        text += f"{many[0]['charge']:+d}" if many[0]["charge"] else "+0"
    if rules.ring_matches_ring:
        text += ";R" if many[0]["ring"] else ";!R"
    return f"[{text}]"


def bond_text(many, rules):
    """Return the SMARTS of a bond that is all of these at once."""
    kinds = sorted({BOND_SMARTS.get(data["bond"], ANY_BOND) for data in many})
    text = ANY_BOND if ANY_BOND in kinds else ",".join(kinds)
    if rules.ring_matches_ring:
        text += ";@" if many[0]["ring"] else ";!@"
    return text
