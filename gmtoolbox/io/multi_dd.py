"""dd files of many graphs: a line `gm <g> <h>` and an ordinary dd section for every pair g < h.

    gm 0 1
    p <n1> <n2> <#a> <#e>
    a ...
    e ...
    gm 0 2
    ...

0-based, costs, minimised, partial: the format of libmgm. Comments may stand anywhere. Further
fields are written in comments of ours at the very end, so that other readers lose nothing:

    c gmtoolbox multi sense max
    c gmtoolbox multi truth <tracks of all nodes, graph by graph>
    c gmtoolbox multi names <JSON list of the graphs' names>
    c gmtoolbox multi points <g> <dimensions> <coordinates>    of graph g
    c gmtoolbox multi pair <g> <h> <field> <value>             as in the file of one problem
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem, same_arrays
from gmtoolbox.core.tracks import split_by_graph
from gmtoolbox.io.dd import (
    BOM,
    MARK,
    SUFFIXES,
    comment_value,
    is_multi,
    node_comments_of,
    points_from_text,
    problem_name,
    read_section,
    section_lines,
    show_line,
)
from gmtoolbox.io.files import (
    Allowance,
    first_bytes,
    names_from_text,
    names_to_text,
    read_bytes,
    read_json,
)
from gmtoolbox.io.formats import EVERYTHING, MULTI, reader, writer

OURS = b"c gmtoolbox multi "
MOST_GRAPHS = 10_000


def holds_many(path):
    """Return True if the first line of content is `gm`."""
    return is_multi(first_bytes(path))


@reader(*SUFFIXES, holds=MULTI, recognise=holds_many, preference=1)
def read(path):
    """Return the MultiProblem of a dd file of many graphs."""
    allowance = Allowance(path)
    text = read_bytes(path, allowance)
    heads = list(find_heads(path, text))
    ends = [begin for _, _, begin, _ in heads[1:]] + [len(text) - 1]
    lines = {}
    for pair, line, _, _ in heads:
        if pair in lines:
            raise FileFormatError(
                path, f"pair {pair[0]} {pair[1]} was given in line {lines[pair]} already", line
            )
        lines[pair] = line
    d = max(h for _, h in lines) + 1
    missing = [pair for pair in combinations(range(d), 2) if pair not in lines]
    if missing:
        raise FileFormatError(
            path,
            f"the file names {d} graphs, but has no section 'gm {missing[0][0]} {missing[0][1]}'"
            f" ({len(missing)} of {d * (d - 1) // 2} pairs are missing; its last section begins"
            " here); is it cut off?",
            heads[-1][1],
        )
    pairs, sizes = {}, [None] * d
    for (pair, line, _, body), end in zip(heads, ends, strict=True):
        pairs[pair], shape = read_pair(path, text, pair, line, body, end, allowance)
        for graph, n in zip(pair, shape, strict=True):
            if sizes[graph] not in (None, n):
                raise FileFormatError(
                    path, f"graph {graph} has {n} nodes here and {sizes[graph]} before", line
                )
            sizes[graph] = n
    pairs, fields = read_comments(path, bytes(text[heads[-1][3] :]), pairs, sizes)
    fields = {**beside(path, sizes), **fields}
    try:
        return MultiProblem(pairs, sizes=tuple(sizes), name=problem_name(path), **fields)
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


def beside(path, sizes):
    """Return truth and points of the .json next to the file, if it has them: tracks, points."""
    side = Path(path).with_name(f"{problem_name(path)}.json")
    facts = read_json(side) if side.is_file() else {}
    if facts.get("nodes") != list(sizes):
        return {}
    return {
        field: facts[name]
        for name, field in (("tracks", "truth"), ("points", "points"))
        if facts.get(name) is not None
    }


def find_heads(path, text):
    """Yield (pair, line number, start of its line, start of the section) of every `gm` line."""
    at, line, counted = text.find(MARK), 1, 0
    while at >= 0:
        start = text.rfind(b"\n", 0, at) + 1
        first = start + len(BOM) if start == 0 and bytes(text[:3]) == BOM else start
        if not bytes(text[first:at]).strip():  # else it is within a comment
            line += text.count(b"\n", counted, start)
            counted = start
            end = text.find(b"\n", at)
            end = len(text) - 1 if end < 0 else end
            yield (
                head_pair(path, bytes(text[first:end]), line),
                line,
                start,
                min(end + 1, len(text) - 1),
            )
        at = text.find(MARK, at + len(MARK))


def head_pair(path, text, line):
    """(g, h) of a `gm` line."""
    words = text.split()
    if words[0] != MARK or len(words) != 3 or not all(word.isdigit() for word in words[1:]):
        raise FileFormatError(path, f"must be 'gm <g> <h>', got {show_line(text)}", line)
    g, h = (int(word[:20]) for word in words[1:])
    if not g < h < MOST_GRAPHS:
        raise FileFormatError(path, f"must be 'gm <g> <h>' with g < h < {MOST_GRAPHS}", line)
    return g, h


def read_pair(path, text, pair, line, begin, end, allowance):
    """(Problem or None, shape) of the section of one pair."""
    first = next(
        (words for part in bytes(text[begin : min(end, begin + 65536)]).split(b"\n")
         if (words := part.split()) and not words[0].startswith(b"c")), []
    )  # fmt: skip
    if first[:1] == [b"p"] and first[3:] == [b"0", b"0"] and all(w.isdigit() for w in first[1:3]):
        return None, (int(first[1]), int(first[2]))  # nothing of this pair may be matched
    name = f"{problem_name(path)} {pair[0]} {pair[1]}"
    problem = read_section(path, text, begin, end, name, allowance, lines_before=line)
    return problem, problem.shape


# ---- our comments


def read_comments(path, tail, pairs, sizes):
    """(pairs, other fields of the MultiProblem) with the fields of our comments at the end."""
    fields, changes, points = {}, {pair: {} for pair in pairs}, [None] * len(sizes)
    for line in tail.split(b"\n"):
        if not line.startswith(OURS):
            continue
        key, _, value = line[len(OURS) :].decode("utf-8", "replace").strip().partition(" ")
        try:
            if key == "pair":
                pair, field, known = pair_comment(value, sizes)
                changes[pair].update({} if known is None else {field: known})
            elif key == "points":
                graph, _, numbers = value.partition(" ")
                points[int(graph)] = points_from_text(numbers, sizes[int(graph)])
            elif key == "offset":  # of all pairs, in files of 0.1
                changes[next(pair for pair, p in pairs.items() if p)]["offset"] = float(value)
            else:
                fields.update(graphs_comment(key, value, sizes))
        except (ValueError, LookupError, OverflowError, StopIteration) as error:
            raise FileFormatError(path, f"comment '{OURS.decode()}{key}': {error}") from error
    if all(own is not None for own in points):
        fields["points"] = points
    if "sense" in fields:
        changes = {pair: {**own, "sense": fields["sense"]} for pair, own in changes.items()}
    return {pair: p and replace(p, **changes[pair]) for pair, p in pairs.items()}, fields


def graphs_comment(key, text, sizes):
    """{field: value} of a comment about all graphs; {} for a field that is not known here."""
    if key == "sense":
        return {key: text}
    if key == "names":
        return {key: names_from_text(key, text, len(sizes))}
    if key == "truth":
        flat = np.array(text.split(), dtype=np.int64)
        if len(flat) != sum(sizes):
            raise ValueError(f"must be {sum(sizes)} tracks, got {len(flat)}")
        return {key: split_by_graph(flat, sizes)}
    return {}


def pair_comment(text, sizes):
    """(pair, field, value) of a comment about one pair; the value is None if not known here."""
    g, h, rest = text.split(" ", 2)
    pair = int(g), int(h)
    field, _, value = rest.partition(" ")
    return pair, field, comment_value(field, value.strip(), tuple(sizes[graph] for graph in pair))


def multi_comments_of(multi):
    """Return the fields of our comments about many graphs."""
    if multi.sense == "max":
        yield "sense max"
    if multi.truth is not None:
        yield f"truth {' '.join(map(str, np.concatenate(multi.truth).tolist()))}"
    if multi.names is not None:
        yield f"names {names_to_text(multi.names)}"
    if not same_arrays(multi.points, replace(multi, points=None).points):  # those of the pairs
        for g, own in enumerate(multi.points):
            numbers = map(repr, own.ravel().tolist())
            yield " ".join(["points", str(g), str(own.shape[1]), *numbers])
    for (g, h), problem in multi.pairs.items():
        if problem is not None and problem.offset:
            yield f"pair {g} {h} offset {problem.offset!r}"
        for field, value in node_comments_of(problem) if problem is not None else ():
            yield f"pair {g} {h} {field} {value}"


@writer(*SUFFIXES, holds=MULTI, keeps=EVERYTHING)
def multi_dd_bytes(multi):
    """The text of a multi dd file; reading it back gives every number exactly."""
    lines = []
    for (g, h), problem in multi.pairs.items():
        lines.append(f"gm {g} {h}")
        if problem is None:
            lines.append(f"p {multi.sizes[g]} {multi.sizes[h]} 0 0")
        else:
            lines += section_lines(problem)
    lines += [OURS.decode() + text for text in multi_comments_of(multi)]
    return ("\n".join(lines) + "\n").encode()
