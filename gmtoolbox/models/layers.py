"""Problems from two multiplex networks: several graphs on the same nodes."""

from gmtoolbox.core.checks import DESCRIBING, PLACES, check_rest
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.layers import Layers
from gmtoolbox.core.lazy import np
from gmtoolbox.core.products import Products
from gmtoolbox.core.values import as_list, as_numbers, check_sense
from gmtoolbox.models.graphs import (
    WEIGHT,
    check_kinds,
    check_weight,
    is_networkx,
    join_pairs,
    of_edges,
    read_weights,
)
from gmtoolbox.models.koopmans_beckmann import diagonal_products, loops


def from_layers(
    layers1,
    layers2,
    *,
    importance=None,
    weight=WEIGHT,
    directed=None,
    node_match=None,
    similarity=None,
    seeds=None,
    sense="max",
    complete=True,
    **rest,
):
    r"""Match two networks that have several layers on the same nodes (multiplex networks).

    Layer :math:`k` of the first network is compared with layer :math:`k` of the second, and the
    common edges of all layers are maximised:

    .. math:: \sum_k w_k \sum_{ij} A^k_{ij} B^k_{\pi(i)\pi(j)} + \sum_i S_{i\pi(i)}

    Parameters
    ----------
    layers1, layers2 : lists of networkx graphs, adjacency matrices or DataFrames
        As many of the one as of the other. Nodes of networkx graphs are known by name: one that a
        layer does not have has no edges there. Matrices of a side have one size.
    importance : sequence of float, optional
        The weight :math:`w_k` of each layer; default: 1.
    weight, directed : str or None, bool
        As of from_graphs, for each layer.
    node_match, similarity, seeds : optional
        As of from_graphs; attributes of nodes are those of the first layer.
    sense, complete : "max" or "min", bool
        As of the Problem.
    **rest
        Further fields of the Problem: name, ground_truth.

    Returns
    -------
    Problem
        Its edges are Layers: the sum of the products of each layer's matrices, sparse if these are.

    Raises
    ------
    InputError
        Naming the layer and the fault.

    Examples
    --------
    >>> import gmtoolbox as gm, networkx as nx
    >>> friends, work = nx.path_graph(4), nx.star_graph(3)
    >>> p = gm.models.from_layers([friends, work], [friends, work])
    >>> r = gm.gm_solve(p)
    >>> r.value, r.labels.tolist()
    (12.0, [0, 1, 2, 3])
    """
    check_rest(from_layers, rest, *DESCRIBING, *PLACES)
    sides = [check_layers(f"layers{k}", side) for k, side in ((1, layers1), (2, layers2))]
    n_layers = len(sides[0])
    if len(sides[1]) != n_layers:
        raise InputError(
            f"layers1 and layers2 must have one length, got {n_layers} and {len(sides[1])}"
        )
    if importance is None:
        importance = np.ones(n_layers)
    importance = as_numbers("importance", importance)
    if importance.shape != (n_layers,) or not np.all(np.isfinite(importance)):
        raise InputError(f"importance must hold a finite number for each of {n_layers} layers")
    pairs, kinds = [], list(zip(*sides, strict=True))
    for k, (G, H) in enumerate(kinds):
        try:
            check_weight(G, H, weight)
            check_kinds(G, H, directed)
            both = ("G1", G), ("G2", H)
            pairs.append([read_weights(*named, weight, directed) for named in both])
        except InputError as error:
            raise InputError(f"layer {k}: {error}") from error
    (_, names1), (_, names2) = pairs[0]
    check_sizes(pairs)
    sign = check_sense(sense)
    terms, unary = [], None
    for ((A, _), (B, _)), share in zip(pairs, importance, strict=True):
        terms.append(Products(sign * share * A, B))
        if loops(A, B):
            own = sign * share * diagonal_products(A, B)
            unary = own if unary is None else unary + own
    fields = {"nodes1": names1, "nodes2": names2, "sense": sense, "complete": complete}
    for k, side in enumerate(zip(*pairs, strict=True), start=1):
        fields[f"neighbours{k}"] = join_pairs(sum(abs(M) for M, _ in side))
    limits = {"node_match": node_match, "similarity": similarity, "seeds": seeds}
    limits["names"] = names1, names2
    return of_edges(Layers(tuple(terms)), unary, *kinds[0], limits, {**fields, **rest})


def check_layers(name, layers):
    """Return the layers of a side as a list; graphs of networkx with the nodes of all of them, in
    one order.
    """
    layers = as_list(name, layers)
    if not layers:
        raise InputError(f"{name} must hold at least one layer")
    are_graphs = [is_networkx(layer) for layer in layers]
    if not any(are_graphs):
        return layers
    if not all(are_graphs):
        raise InputError(f"{name} must hold graphs or matrices, not both")
    nodes = dict.fromkeys(node for layer in layers for node in layer.nodes)
    found = []
    for layer in layers:
        whole = layer.__class__()
        whole.add_nodes_from((node, layer.nodes.get(node, {})) for node in nodes)
        whole.add_edges_from(layer.edges(data=True))
        found.append(whole)
    return found


def check_sizes(pairs):
    """Raise InputError unless the matrices of each side have one size, and tables one order."""
    for side, first in zip(("layers1", "layers2"), pairs[0], strict=True):
        for k, pair in enumerate(pairs):
            other = pair[0 if side == "layers1" else 1]
            if other[0].shape != first[0].shape or other[1] != first[1]:
                raise InputError(
                    f"{side} must have the same nodes in all layers, but layer {k} has"
                    f" {other[0].shape[0]} nodes and layer 0 {first[0].shape[0]}"
                    f"{'' if other[0].shape != first[0].shape else ', or others'}"
                )
