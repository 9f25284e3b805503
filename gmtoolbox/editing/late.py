"""Edit paths that need no table of costs, for graphs whose tables take too long."""

from gmtoolbox.core.lazy import np


def plain_labels(model):
    """Return lists of labels that hold the roots: no others, and all in the order of degrees."""
    sides = [
        np.argsort(-np.bincount([*graph.tail, *graph.head], minlength=len(graph)), kind="stable")
        for graph in (model.first.graph, model.second.graph)
    ]
    few, many = (np.full(len(model.first), -1) for _ in range(2))
    if model.root_pair is not None:
        sides = [nodes[nodes != root] for nodes, root in zip(sides, model.root_pair, strict=True)]
        few[model.root_pair[0]] = many[model.root_pair[0]] = model.root_pair[1]
    n = min(map(len, sides))
    many[sides[0][:n]] = sides[1][:n]
    return few, many
