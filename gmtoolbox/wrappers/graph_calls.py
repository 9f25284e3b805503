"""The calls from MATLAB about labelled graphs: edit distances, common and contained subgraphs.

A graph is an adjacency matrix with labels of its nodes, if it has any.
"""

import math

import numpy as np

from gmtoolbox.core.errors import InputError
from gmtoolbox.core.values import one_based
from gmtoolbox.editing.distance import graph_edit_distance
from gmtoolbox.editing.matrix import edit_distances as distance_matrix
from gmtoolbox.editing.subgraphs import maximum_common_subgraph
from gmtoolbox.subgraphs.contained import find_subgraphs as embeddings
from gmtoolbox.wrappers.arguments import (
    as_flag,
    as_integer,
    as_number,
    as_store,
    as_text,
    as_vector,
    settings_of,
    verb,
)

RESULT_FIELDS = ("value", "bound", "gap", "status", "time")


def as_costs(name, value):
    """Return the name of edit costs, or four numbers."""
    return value if isinstance(value, str) else as_vector(name, value)


DISTANCE_SETTINGS = {
    "costs": as_costs,
    "upper_bound": as_number,
    "time_limit": as_number,
    "seed": as_integer,
}
MATRIX_SETTINGS = {**DISTANCE_SETTINGS, "n_jobs": as_integer, "store": as_store, "resume": as_flag}
COMMON_SETTINGS = {
    "kind": as_text,
    "connected": as_flag,
    "time_limit": as_number,
    "seed": as_integer,
    "n_jobs": as_integer,
}
FIND_SETTINGS = {"induced": as_flag, "limit": as_integer, "time_limit": as_number}


def settings(request, kinds):
    """Return the checked settings of a request; costs may be an array in addition."""
    given = dict(request.get("settings") or {})
    if "costs" in request:
        given["costs"] = request["costs"]
    return settings_of(given, kinds)


def graph(request, side):
    """Return (matrix, labels or None) of the first or second graph."""
    A, labels = request[f"A{side}"], request.get(f"labels{side}")
    if A.shape[0] != A.shape[1]:
        raise InputError(f"A{side} must be a square matrix, got {A.shape[0]} x {A.shape[1]}")
    if labels is not None and np.size(labels) != A.shape[0]:
        raise InputError(
            f"A{side} must have one label for each node: {A.shape[0]} nodes, {np.size(labels)}"
            " labels"
        )
    return A, None if labels is None else np.ravel(labels)


@verb
def edit_distance(request, report):
    """Answer the edit distance of two graphs."""
    first, second = graph(request, 1), graph(request, 2)
    r = graph_edit_distance(first, second, **settings(request, DISTANCE_SETTINGS))
    return {
        "distance": math.nan if r.distance is None else r.distance,
        "labels": labels_of(r.mapping.items(), first[0].shape[0]),
        **{name: getattr(r, name) for name in RESULT_FIELDS},
    }


@verb
def edit_distances(request, report):
    """Answer the edit distances of all pairs of graphs."""
    graphs = [graph(request, k) for k in range(1, as_integer("d", request["d"]) + 1)]
    if len({labels is None for _, labels in graphs}) > 1:
        raise InputError("either all graphs have labels or none")
    given = settings(request, MATRIX_SETTINGS)
    found = distance_matrix(graphs, **given)
    return {
        "distances": found.values,
        "bounds": found.bounds,
        "proven": found.proven,
        "time": found.time,
    }


@verb
def common_subgraph(request, report):
    """Answer the largest common subgraph of two graphs."""
    first, second = graph(request, 1), graph(request, 2)
    r = maximum_common_subgraph(first, second, **settings(request, COMMON_SETTINGS))
    return {
        "labels": labels_of(r.nodes, first[0].shape[0]),
        "size": r.value,
        **{name: getattr(r, name) for name in RESULT_FIELDS},
    }


@verb
def find_subgraphs(request, report):
    """Answer the places of a pattern in a graph, one in a row."""
    pattern, target = graph(request, 1), graph(request, 2)
    given = settings(request, FIND_SETTINGS)
    n = pattern[0].shape[0]
    if n == 0:
        raise InputError("A1, the pattern, must have a node")
    found = [labels_of(place.items(), n) for place in embeddings(pattern, target, **given)]
    return {"places": np.array(found, dtype=float).reshape(-1, n)}


def labels_of(pairs, n):
    """Return for each of n nodes the node that it becomes, from 1, 0 for none."""
    labels = np.full(n, -1)
    for i, s in pairs:
        if i is not None and s is not None:
            labels[i] = s
    return one_based(labels)
