"""The dd text format: costs, minimised, one line per assignment and per edge.

    c comment                           anywhere, ignored
    p <n1> <n2> <#a> <#e>               prologue
    a <id> <i> <s> <cost>               assignment i -> s; ids are 0 .. #a-1 in any order
    e <id1> <id2> <cost>                the whole cost of a pair of assignments, once
    i0 <i> <x> <y>,  i1 <s> <x> <y>     optional coordinates
    n0 <i> <j>,      n1 <s> <l>         optional neighbours

and, written by gmtoolbox at the very end, so that readers that stop at comments lose nothing:

    c gmtoolbox <field> <value>         sense, complete, offset, ground_truth, nodes1, nodes2, and
                                        points and neighbours that the lines cannot express

Read as written in the paper's supplement; beyond it, `inf` as the cost of an assignment forbids it.
Repeated edges add up, with a warning. The lines are parsed in C (cext/src/io/dd_file.c) and sorted
there as Problem wants it. A file of many graphs has several sections of such lines: multi_dd.py.
"""

import re
import warnings
from pathlib import Path

from gmtoolbox.core._ffi import check, ffi, lib, pointer
from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.io.files import NODE_BYTES, Allowance, names_from_text, names_to_text, read_bytes
from gmtoolbox.io.formats import EVERYTHING, MULTI, format_of, reader, writer

LONGEST_SHOWN = 10_000  # characters of a line that an error message looks at
SUFFIXES = (".dd", ".dd.gz", ".dd.xz")
COMMENT = b"c gmtoolbox "
MARK = b"gm"  # the first word of a file of many graphs
BOM = b"\xef\xbb\xbf"
FIELDS = {
    "p": ("n1", "n2", "#a", "#e"),
    "a": ("id", "i", "s", "cost"),
    "e": ("id1", "id2", "cost"),
    "i0": ("i", "x", "y"),
    "i1": ("s", "x", "y"),
    "n0": ("i", "j"),
    "n1": ("s", "l"),
}


@reader(*SUFFIXES, preference=1)
def read(path):
    """Return the problem of a .dd file, plain or compressed with gzip or xz; a MultiProblem if the
    first line of content is `gm`.
    """
    allowance = Allowance(path)
    text = read_bytes(path, allowance)
    if is_multi(text):
        return format_of(path, MULTI).reader(path)
    return read_section(path, text, 0, len(text) - 1, problem_name(path), allowance)


@writer(*SUFFIXES, keeps=EVERYTHING)
def dd_bytes(problem):
    """The text of a dd file; reading it back gives every number exactly."""
    lines = section_lines(problem)
    lines += [f"c gmtoolbox {name} {value}" for name, value in comments_of(problem)]
    return ("\n".join(lines) + "\n").encode()


def read_section(path, whole, begin, end, name, allowance, lines_before=0):
    """Problem from the bytes begin .. end-1 of a text that goes on or ends with a 0 byte."""
    text = whole if end - begin == len(whole) - 1 else whole[begin : end + 1]
    section = Section(path, text, end - begin, lines_before)
    arrays = section.read(allowance)
    points, neighbours = section.read_optional()
    left, right, cost, *edges = section.in_order(*arrays)
    if np.isposinf(cost.max(initial=0)):
        left, right, cost, *edges = without_forbidden(left, right, cost, *edges)
    try:
        found = dict(
            points1=as_pairs(points[0]), points2=as_pairs(points[1]),
            neighbours1=as_pairs(neighbours[0]), neighbours2=as_pairs(neighbours[1]),
        )  # fmt: skip
        found.update(read_comments(path, text, section.shape))
        return Problem(section.shape, left, right, cost, *edges, name=name, **found)
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


class Section:
    """A text on its way through the C parser (struct gm_dd), which borrows arrays from Python."""

    def __init__(self, path, text, length, lines_before):
        self.path, self.text, self.lines_before = path, text, lines_before
        self.dd = ffi.new("gm_dd *")
        self.borrowed = [ffi.from_buffer("char[]", text)]
        self.dd.text, self.dd.length = self.borrowed[0], length

    @property
    def shape(self):
        """(n1, n2) of the prologue."""
        return self.dd.n1, self.dd.n2

    def array(self, n, dtype):
        """(a new array, the C pointer to it)."""
        array = np.empty(n, dtype)
        self.borrowed.append(pointer(array))
        return array, self.borrowed[-1]

    def call(self, function):
        """Call a function of the parser; raise FileFormatError with its complaint."""
        if function(self.dd) != lib.GM_DD_FINE:
            line = self.dd.line + self.lines_before or None
            raise FileFormatError(self.path, explain(self.dd, self.text), line=line)

    def read(self, allowance):
        """(left, right, cost, a, b, edge_cost) in the order of the file."""
        dd = self.dd
        self.call(lib.gm_dd_open)
        allowance.take(f"n1 = {dd.n1} and n2 = {dd.n2} nodes", NODE_BYTES * (dd.n1 + dd.n2))
        left, dd.left = self.array(dd.n_candidates, np.int32)
        right, dd.right = self.array(dd.n_candidates, np.int32)
        cost, dd.cost = self.array(dd.n_candidates, np.float64)
        a, dd.a = self.array(dd.n_edges, np.int32)
        b, dd.b = self.array(dd.n_edges, np.int32)
        edge_cost, dd.edge_cost = self.array(dd.n_edges, np.float64)
        self.call(lib.gm_dd_read)
        return left, right, cost, a, b, edge_cost

    def read_optional(self):
        """(points, neighbours) of both sides, each a flat array or None."""
        dd, points, neighbours = self.dd, [None, None], [None, None]
        if any((*dd.n_points, *dd.n_neighbours)):
            for side in range(2):
                if dd.n_points[side]:
                    points[side], dd.points[side] = self.array(2 * self.shape[side], np.float64)
                if dd.n_neighbours[side]:
                    size = 2 * dd.n_neighbours[side]
                    neighbours[side], dd.neighbours[side] = self.array(size, np.int32)
            self.call(lib.gm_dd_read_optional)
        return points, neighbours

    def in_order(self, left, right, cost, a, b, edge_cost):
        """The content of read(), sorted as in Problem; repeated edges are added, with a warning."""
        dd = self.dd
        rank, rank_pointer = self.array(dd.n_candidates, np.int32)
        repeated, distinct = ffi.new("int32_t[2]"), ffi.new("int64_t *")
        check(
            lib.gm_sort_candidates(
                *self.shape, dd.n_candidates, dd.left, dd.right, dd.cost, rank_pointer, repeated
            )
        )
        if repeated[0] >= 0:
            lines = (line_of_assignment(self.text, k) + self.lines_before for k in repeated)
            first, second = sorted(lines)
            k = rank[repeated[0]]
            raise FileFormatError(
                self.path,
                f"assignment ({left[k]}, {right[k]}) was given in line {first} already",
                line=second,
            )
        check(
            lib.gm_sort_edges(
                dd.n_candidates, dd.n_edges, rank_pointer, dd.a, dd.b, dd.edge_cost, distinct
            )
        )
        if distinct[0] < dd.n_edges:
            warnings.warn(
                f"{self.path}: {dd.n_edges - distinct[0]} edges are repeated; their costs add up",
                stacklevel=2,
            )
        return left, right, cost, *(ends[: distinct[0]] for ends in (a, b, edge_cost))


def section_lines(problem):
    """The lines of a problem, without comments."""
    problem = problem.explicit()  # n_edges of implied edges is only a bound
    lines = [f"p {problem.shape[0]} {problem.shape[1]} {problem.n_candidates} {problem.n_edges}"]
    candidates = zip(
        problem.left.tolist(), problem.right.tolist(), problem.cost.tolist(), strict=True
    )
    lines += [f"a {k} {i} {s} {cost!r}" for k, (i, s, cost) in enumerate(candidates)]
    edges = zip(problem.a.tolist(), problem.b.tolist(), problem.edge_cost.tolist(), strict=True)
    lines += [f"e {a} {b} {cost!r}" for a, b, cost in edges]
    for side, points in enumerate((problem.points1, problem.points2)):
        if points is not None and points.shape[1] == 2:
            known = np.flatnonzero(np.isfinite(points).all(axis=1)).tolist()
            place = zip(known, points[known].tolist(), strict=True)
            lines += [f"i{side} {i} {x!r} {y!r}" for i, (x, y) in place]
    for side, pairs in enumerate((problem.neighbours1, problem.neighbours2)):
        if pairs is not None:
            lines += [f"n{side} {i} {j}" for i, j in pairs.tolist()]
    return lines


# ---- our comments: the fields that the format itself does not have


def comments_of(problem):
    """Yield (field, text) of every field that differs from the default of dd files."""
    if problem.sense != "min":
        yield "sense", problem.sense
    if problem.complete:
        yield "complete", "true"
    if problem.offset:
        yield "offset", repr(problem.offset)
    yield from node_comments_of(problem)


def node_comments_of(problem):
    """Likewise, of the fields that describe nodes."""
    for field in ("points1", "points2"):
        points = getattr(problem, field)
        if points is not None and not fit_into_lines(points):
            numbers = map(repr, points.ravel().tolist())
            yield field, " ".join([str(points.shape[1]), *numbers])
    for field in ("neighbours1", "neighbours2"):
        pairs = getattr(problem, field)
        if pairs is not None and not len(pairs):
            yield field, "none"
    if problem.ground_truth is not None:
        yield "ground_truth", " ".join(map(str, problem.ground_truth.tolist()))
    for field in ("nodes1", "nodes2"):
        if getattr(problem, field) is not None:
            yield field, names_to_text(getattr(problem, field))


def fit_into_lines(points):
    """Whether lines i0 or i1 can hold points: in the plane, one at least, and of each point both
    coordinates or none.
    """
    if points.shape[1] != 2:
        return False
    known = np.isfinite(points).all(axis=1)
    return bool(known.any()) and bool(np.isnan(points[~known]).all())


def read_comments(path, text, shape):
    """Fields of the Problem from our comments at the end of the text, which ends with a 0 byte."""
    found, end = {}, len(text) - 1
    while end > 0:
        begin = text.rfind(b"\n", 0, end) + 1
        line = bytes(text[begin:end])
        if line.startswith(COMMENT):
            field, _, value = line[len(COMMENT) :].decode("utf-8", "replace").strip().partition(" ")
            try:
                found.setdefault(field, comment_value(field, value.strip(), shape))
            except (ValueError, OverflowError) as error:
                raise FileFormatError(path, f"comment 'c gmtoolbox {field}': {error}") from error
        elif line.strip():
            break
        end = begin - 1
    return {field: value for field, value in found.items() if value is not None}


def comment_value(field, text, shape):
    """The value of one field, None for a field that is not known here."""
    if field == "sense":
        return text
    if field == "complete":
        if text not in ("", "true", "false"):
            raise ValueError(f"must be true or false, got {text[:20]!r}")
        return text != "false"
    if field == "offset":
        return float(text)
    if field in ("points1", "points2"):
        return points_from_text(text, shape[field == "points2"])
    if field in ("neighbours1", "neighbours2"):
        if text != "none":
            raise ValueError(f"must be none, got {text[:20]!r}; others have lines")
        return np.empty((0, 2), np.int32)
    if field == "ground_truth":
        return np.array(text.split(), dtype=np.int64)
    if field in ("nodes1", "nodes2"):
        return names_from_text(field, text, shape[field == "nodes2"])
    return None


def points_from_text(text, n):
    """(n, dimensions) coordinates of a comment: the dimensions, then all numbers."""
    words = text.split()
    if not words or not words[0].isdecimal() or len(words) - 1 != n * int(words[0][:9]):
        raise ValueError(f"must be the dimensions and {n} coordinates of each")
    return np.array(words[1:], dtype=np.float64).reshape(n, int(words[0]))


def problem_name(path):
    """File name without the folder and without the suffix of the format."""
    name = Path(path).name
    known = [suffix for suffix in SUFFIXES if name.lower().endswith(suffix)]
    return name[: -len(known[0])] if known else name


def as_pairs(flat):
    """(n, 2) of a flat array; None as given."""
    return None if flat is None else flat.reshape(-1, 2)


def without_forbidden(left, right, cost, a, b, edge_cost):
    """Without the assignments of infinite cost and their edges."""
    allowed = np.isfinite(cost)
    position = np.cumsum(allowed, dtype=np.int32) - np.int32(1)
    kept = allowed[a] & allowed[b]
    return (
        left[allowed],
        right[allowed],
        cost[allowed],
        position[a[kept]],
        position[b[kept]],
        edge_cost[kept],
    )


# ---- errors: C returns the broken rule and its place, the text has the rest


def explain(dd, text):
    """Return in words the fault of line dd.line."""
    end = min(position for position in (text.find(b"\n", dd.start), len(text) - 1) if position >= 0)
    line = text[dd.start : min(end, dd.start + LONGEST_SHOWN)] if dd.line else b""
    words = line.split()
    kind = words[0].decode("ascii", "backslashreplace")[:20] if words else ""
    fields = FIELDS.get(kind, ())
    name = fields[dd.field - 1] if 0 < dd.field <= len(fields) else ""
    given = ""
    if 0 < dd.field < len(words):
        given = words[dd.field].decode("ascii", "backslashreplace")[:40]
    form = f"{kind} " + " ".join(f"<{field}>" for field in fields)
    size = {"a": f"{dd.n_candidates} assignments", "e": f"{dd.n_edges} edges"}.get(kind, "")
    limit = {
        "id": dd.n_candidates, "id1": dd.n_candidates, "id2": dd.n_candidates,
        "i": dd.n1, "j": dd.n1, "s": dd.n2, "l": dd.n2, "n1": 10**8 + 1, "n2": 10**8 + 1,
    }.get(name, 2**31)  # fmt: skip
    seen = (dd.seen_candidates, "assignments") if dd.field == 3 else (dd.seen_edges, "edges")
    return {
        lib.GM_DD_NO_P: (
            "the first line of content must be the prologue 'p <n1> <n2> <#a> <#e>', got"
            f" {show_line(line)}"
        ),
        lib.GM_DD_SECOND_P: "a second prologue",
        lib.GM_DD_TOO_LARGE: (
            f"the prologue announces {name} = {given}, more than the file has room for; is it cut"
            " off?"
        ),
        lib.GM_DD_TYPE: f"unknown line type {kind!r}; known are c {' '.join(FIELDS)}",
        lib.GM_DD_FEW_FIELDS: f"{name} is missing: '{form}', got {show_line(line)}",
        lib.GM_DD_MANY_FIELDS: f"too many fields: '{form}', got {show_line(line)}",
        lib.GM_DD_NUMBER: (
            f"{name} must be {'a number' if name in ('cost', 'x', 'y') else 'an integer'}, got"
            f" {given!r}"
        ),
        lib.GM_DD_RANGE: f"{name} must be in 0..{limit - 1}, got {given}",
        lib.GM_DD_FINITE: f"{name} must be finite, got {given}",
        lib.GM_DD_REPEATED: f"{name} {given} was given before",
        lib.GM_DD_LOOP: f"an edge must join two different assignments, got {given} twice",
        lib.GM_DD_TOO_MANY: f"more than the {size} that the prologue announces",
        lib.GM_DD_TOO_FEW: (
            f"the prologue announces {name} = {given} {seen[1]}, the file has {seen[0]}; is it cut"
            " off?"
        ),
    }[dd.error]


def show_line(line):
    """A line of the file for a message, shortened."""
    text = line.decode("ascii", "backslashreplace").strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")


def line_of_assignment(text, k):
    """Number of the line that gives assignment k."""
    found = re.search(rb"^[ \t\r]*a[ \t\r]+0*%d[ \t\r]" % k, text, re.MULTILINE)
    return 1 + text.count(b"\n", 0, found.end())


def is_multi(text):
    """Whether the first line of content begins with the word gm."""
    at = len(BOM) if bytes(text[:3]) == BOM else 0
    while at < len(text):
        end = text.find(b"\n", at)
        end = len(text) - 1 if end < 0 else end
        words = bytes(text[at : min(end, at + 4096)]).split(None, 1)
        if words and not words[0].startswith(b"c"):
            return words[0] == MARK
        at = end + 1
    return False
