"""Edit distances on disk, each found by a hash of its model.

JSON lines: a header, then [i, j, value, bound, proven, key] for each pair. The key is a hash of all
costs between the two graphs and of the settings: graphs, attributes and cost functions may change,
and graphs may be added, moved or left out; a distance answers for the same question only. i and j
are the places of the graphs when it was computed, for people.

A key is made of one hash for each graph, and one for the costs between the different labels of both
graphs, which many pairs share: a million keys take seconds.
"""

import json
import math
import os
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError, warn
from gmtoolbox.core.fingerprint import hash_of, numbers_hash
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import count_noun
from gmtoolbox.engine.own_code import code_of
from gmtoolbox.engine.registry import get_solver
from gmtoolbox.models.attributed import own_names
from gmtoolbox.models.edits import EditModel

FORMAT = "gmtoolbox edit distances"
VERSION = 3  # 1 had no keys of pairs, 2 had others
MARK = "3:"  # begins the keys of this version


def settings_hash(upper_bound, time_limit, method, seed):
    """Return the hash of everything but the graphs that a distance depends on."""
    limits = [None if limit is None else float(limit).hex() for limit in (upper_bound, time_limit)]
    return hash_of(limits, get_solver(method).name, code_of(method), seed)


class PairKeys:
    """The identities of the distances from each row to each column: of the structure, the costs and
    the settings.

    sides     the NumberedGraphs of rows and of columns
    hashes    {index: hash of the graph and of deleting (inserting) it}, of each side
    labels    {index: number of its labels}, of each side
    tables    {(labels of a row, of a column): hash of the costs between them}
    """

    def __init__(self, functions, rows, columns, settings):
        self.functions, self.sides, self.settings = functions, (rows, columns), settings
        self.hashes, self.labels, self.tables = ({}, {}), ({}, {}), {}
        self.numbers = {}  # labels: their number

    def of(self, i, j):
        """Return the key of row i and column j."""
        for side, index in enumerate((i, j)):
            if index not in self.hashes[side]:
                self.look_at(side, index)
        place = self.labels[0][i], self.labels[1][j]
        if place not in self.tables:
            model = EditModel(self.functions, self.sides[0][i], self.sides[1][j])
            self.tables[place] = table_hash(model)
        return MARK + hash_of(
            self.settings, self.hashes[0][i], self.hashes[1][j], self.tables[place]
        )

    def look_at(self, side, index):
        """Note the hash and the labels of a graph."""
        graph, verb = self.sides[side][index], ("del", "ins")[side]
        self.hashes[side][index] = graph_hash(graph, self.functions, verb)
        names = [own_names(graph.graph, kind) for kind in ("node", "edge")]
        numbers = tuple(graph.distinct["node"][0]), tuple(bundles_of(graph))
        labels = (numbers, graph.labelled, graph.graph.label_names, *names)
        self.labels[side][index] = self.numbers.setdefault(labels, len(self.numbers))


def bundles_of(graph):
    """Return the different bundles of a NumberedGraph, those of loops last; 0 for none among
    them.
    """
    return list(dict.fromkeys([*graph.distinct["bundle"][0], *graph.loops]))


def graph_hash(graph, functions, verb):
    """Return the hash of a NumberedGraph, of which labels count by the order in which they appear
    only, and of the costs of deleting (inserting) its parts.
    """
    place = {bundle: k for k, bundle in enumerate(bundles_of(graph))}
    none = place.get(0, -1)
    listed = [
        graph.distinct["node"][1].tolist(),
        graph.tail.tolist(),
        graph.head.tolist(),
        [place[bundle] for bundle in graph.bundle],
        none,
        [place[bundle] for bundle in graph.loops],
    ]
    asked = (graph.node_costs(functions, verb), graph.edge_costs(functions, verb))
    return hash_of(bool(graph.directed), listed, [numbers_hash(part) for part in asked])


def table_hash(model):
    """Return the hash of the costs between the different labels of both graphs of an EditModel."""
    sides = (model.first, model.second)
    places = [list(map(graph.node.index, graph.distinct["node"][0])) for graph in sides]
    nodes = [[model.substitution(i, s) for s in places[1]] for i in places[0]]
    ours, theirs = map(bundles_of, sides)
    gains = [[model.gain(A, B) if A and B else 0.0 for B in theirs] for A in ours]
    return hash_of([numbers_hash(np.array(part, float)) for part in (nodes, gains)])


class PairStore:
    """Distances by their keys: {key: (value, bound, proven)} in `found`.

    A process that ends at any moment leaves whole lines and at most one torn one, which is cut off.
    """

    def __init__(self, path, resume):
        self.path, self.found, self.unverified = Path(path), {}, 0
        if resume and self.path.exists() and self.path.stat().st_size:
            self.read()
            self.file = open(self.path, "a", encoding="ascii")
        else:
            if not self.path.parent.is_dir():
                raise InputError(f"{path}: there is no folder {self.path.parent}")
            self.file = open(self.path, "w", encoding="ascii")
            self.write([{"format": FORMAT, "version": VERSION, "base": 0}])
        if self.unverified:
            warn(
                f"{path}: {count_noun(self.unverified, 'distance')} of this store are unverified:"
                " an older version wrote them under other keys. They are kept and computed again",
                UserWarning,
            )

    def read(self):
        """Read the distances of a file, and cut off a line that was torn by a kill."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines() or [b""], 1):
            try:
                record = json.loads(line)
            except ValueError:
                raise FileFormatError(self.path, "no JSON on this line", number) from None
            if number == 1:
                if not isinstance(record, dict) or record.get("format") != FORMAT:
                    raise FileFormatError(self.path, "holds no edit distances", 1)
                version = record.get("version")
                continue
            try:
                if version == 1 and len(record) == 5:
                    self.unverified += 1
                    continue
                _, _, value, bound, sure, key = record
                if not str(key).startswith(MARK):
                    self.unverified += 1
                    continue
                value = math.inf if value is None else float(value)
                self.found[str(key)] = value, float(bound), bool(sure)
            except (TypeError, ValueError):
                raise FileFormatError(self.path, "no distance on this line", number) from None
        if len(whole) < len(content):  # the torn line
            os.truncate(self.path, len(whole))

    def write(self, records):
        """Add lines, at once."""
        self.file.write("".join(f"{json.dumps(record)}\n" for record in records))
        self.file.flush()

    def add(self, found, key_of):
        """Add distances [(i, j, value, bound, proven)]; key_of(i, j) is the pair's key."""
        self.write(
            [i, j, value if math.isfinite(value) else None, bound, bool(sure), key_of(i, j)]
            for i, j, value, bound, sure in found
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
