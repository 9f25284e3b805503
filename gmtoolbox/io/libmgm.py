"""Solutions of libmgm (pylibmgm) as JSON: {"energy", "graph orders", "labeling": {"g, h": [...]}}.

The labeling holds for each node of g the node of h, or null. It need not be consistent: then the
tracks do not exist, and synchronise makes some.
"""

import json
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.tracks import (
    canonical,
    connect_groups,
    flat_matches,
    labels_between,
    split_by_graph,
)
from gmtoolbox.io.files import Allowance, read_json, write_bytes


def read_matchings(path):
    """({(g, h): labels}, sizes) of a solution file; -1 = unmatched."""
    record = read_json(path)
    sizes, labeling = record.get("graph orders"), record.get("labeling")
    check_sizes(path, "graph orders", sizes)
    if not isinstance(labeling, dict):
        raise FileFormatError(path, "'labeling' must be an object {'g, h': labels}")
    matchings = {}
    for key, given in labeling.items():
        words = [word.strip() for word in key.split(",")]
        if len(words) != 2 or not all(is_number(word) for word in words):
            raise FileFormatError(path, f"labeling is keyed by 'g, h', got {key!r}")
        g, h = map(int, words)
        if not g < h < len(sizes) or not isinstance(given, list) or len(given) != sizes[g]:
            raise FileFormatError(path, f"labeling {key!r}: must hold a label for each node of {g}")
        labels = [-1 if label is None else label for label in given]
        if not all(type(label) is int and -1 <= label < sizes[h] for label in labels):
            raise FileFormatError(path, f"labeling {key!r}: must be in 0..{sizes[h] - 1} or null")
        matchings[g, h] = np.array(labels, dtype=np.int32)
    return matchings, tuple(sizes)


def check_sizes(path, name, sizes):
    """FileFormatError unless they are a list of numbers of nodes, not more than the file may ask
    for.
    """
    good = isinstance(sizes, list) and all(type(n) is int and 0 <= n < 2**31 for n in sizes)
    if not good:
        raise FileFormatError(path, f"{name!r} must be a list of sizes")
    Allowance(path).take(name, 64 * sum(sizes))


def is_number(word):
    """Whether a word is the number of a graph."""
    return word.isascii() and word.isdigit() and len(word) < 10


def read_solution(path):
    """The tracks of a consistent solution, one int array per graph.

    Raises
    ------
    FileFormatError
        If the matchings disagree around a cycle.
    """
    matchings, sizes = read_matchings(path)
    group = connect_groups(*flat_matches(matchings, sizes), sum(sizes))
    tracks = split_by_graph(canonical(group), sizes)
    for (g, h), labels in matchings.items():
        alone = any(len(np.unique(own)) != len(own) for own in (tracks[g], tracks[h]))
        if alone or not np.array_equal(labels_between(tracks, g, h), labels):
            raise FileFormatError(
                path, f"the matchings are not consistent, see graphs {g} and {h}; read_matchings"
                " and gm.synchronise make them so"
            )  # fmt: skip
    return tracks


def write_solution(result, path):
    """Write a MultiResult as libmgm writes its own."""
    if result.sense != "min":
        raise InputError(f"{path}: libmgm minimises; this result is maximised")
    d = len(result.sizes)
    labeling = {
        f"{g}, {h}": [None if s < 0 else s for s in result.labels(g, h).tolist()]
        for g in range(d)
        for h in range(g + 1, d)
    }
    record = {"energy": result.value, "graph orders": list(result.sizes), "labeling": labeling}
    write_bytes(Path(path), (json.dumps(record, indent=4) + "\n").encode())
