"""Edit distances on disk, each found by a hash of its model.

JSON lines: a header, then [i, j, value, bound, proven, key] for each pair. The key is a hash of all
costs between the two graphs and of the settings: graphs, attributes and cost functions may change,
and graphs may be added, moved or left out; a distance answers for the same question only. i and j
are the places of the graphs when it was computed, for people.
"""

import json
import math
import os
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError, warn
from gmtoolbox.core.fingerprint import hash_of, numbers_hash
from gmtoolbox.core.text import count_noun
from gmtoolbox.engine.own_code import code_of
from gmtoolbox.engine.registry import get_solver

FORMAT = "gmtoolbox edit distances"
VERSION = 2  # 1 had no keys of pairs


def settings_hash(upper_bound, time_limit, method, seed):
    """Return the hash of everything but the graphs that a distance depends on."""
    limits = [None if limit is None else float(limit).hex() for limit in (upper_bound, time_limit)]
    return hash_of(limits, get_solver(method).name, code_of(method), seed)


def pair_hash(model, settings):
    """Return the hash of an EditModel and of settings_hash: the identity of a distance."""
    first, second = model.first, model.second
    tables = ()
    if len(first) and len(second):
        tables = [numbers_hash(part) for part in (model.unary, model.pairwise, model.loops)]
    ends = [graph.tolist() for one in (first, second) for graph in (one.tail, one.head)]
    sizes = (len(first), len(second), bool(first.directed))
    return hash_of(settings, sizes, float(model.offset).hex(), tables, ends)


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
                " an older version wrote them without the costs they belong to. They are kept and"
                " computed again",
                UserWarning,
            )

    def read(self):
        """Read the distances of a file, and cut off a line that was torn by a kill."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        keyless = False
        for number, line in enumerate(whole.splitlines() or [b""], 1):
            try:
                record = json.loads(line)
            except ValueError:
                raise FileFormatError(self.path, "no JSON on this line", number) from None
            if number == 1:
                if not isinstance(record, dict) or record.get("format") != FORMAT:
                    raise FileFormatError(self.path, "holds no edit distances", 1)
                keyless = record.get("version") == 1
                continue
            try:
                if keyless and len(record) == 5:
                    self.unverified += 1
                    continue
                _, _, value, bound, sure, key = record
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
