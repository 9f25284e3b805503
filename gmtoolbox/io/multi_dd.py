"""dd files of many graphs: a line `gm <g> <h>` and an ordinary dd section for every pair g < h.

    gm 0 1
    p <n1> <n2> <#a> <#e>
    a ...
    e ...
    gm 0 2
    ...

0-based, costs, minimised, partial: the format of libmgm. Comments may stand anywhere. Written are
`c gmtoolbox` comments at the very end, where readers that know none lose nothing: the sense and the
offset, if they are not min and 0.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.io.dd_section import problem_name, read_section, section_lines, shown
from gmtoolbox.io.declared import read_json
from gmtoolbox.io.files import write_bytes

MARK = b"gm"
BOM = b"\xef\xbb\xbf"
OURS = b"c gmtoolbox multi "  # then "sense max" or "offset <number>"
MOST_GRAPHS = 10_000


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


def read_text(path, text, allowance):
    """MultiProblem from the text of a multi dd file."""
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
    pairs = restored(path, pairs, bytes(text[heads[-1][3] :]))
    return MultiProblem(pairs, sizes=tuple(sizes), name=problem_name(path), **beside(path, sizes))


def beside(path, sizes):
    """Truth and points from the .json beside the file, where it has them: "tracks", "points"."""
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
    """(pair, line number, where its line begins, where the section begins) of every `gm` line."""
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
        raise FileFormatError(path, f"must be 'gm <g> <h>', got {shown(text)}", line)
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


def restored(path, pairs, tail):
    """The pairs with the sense and the offset that our comments at the end tell."""
    facts = {}
    for line in tail.split(b"\n"):
        if line.startswith(OURS):
            key, _, value = line[len(OURS) :].strip().partition(b" ")
            facts[key] = value.strip().decode("ascii", "replace")
    changes = {}
    if b"sense" in facts:
        changes["sense"] = facts[b"sense"]
    try:
        offset = float(facts.get(b"offset", 0.0))
        pairs = {key: p and replace(p, **changes) for key, p in pairs.items()} if changes else pairs
        if offset:
            key = next(key for key, p in pairs.items() if p is not None)
            pairs = {**pairs, key: replace(pairs[key], offset=offset)}
    except (ValueError, StopIteration) as error:
        raise FileFormatError(
            path, f"the comment '{OURS.decode()}...' is wrong: {error}"
        ) from error
    return pairs


def write(multi, path):
    """Write a multi dd file, plain or compressed; reading it back gives every number exactly."""
    if not str(path).lower().removesuffix(".gz").removesuffix(".xz").endswith(".dd"):
        raise InputError(f"{path}: must end in .dd, .dd.gz or .dd.xz")
    lines = []
    for (g, h), problem in multi.pairs.items():
        lines.append(f"gm {g} {h}")
        if problem is None:
            lines.append(f"p {multi.sizes[g]} {multi.sizes[h]} 0 0")
        else:
            lines += section_lines(problem, path)
    if multi.sense == "max":
        lines.append(OURS.decode() + "sense max")
    if multi.offset:
        lines.append(f"{OURS.decode()}offset {multi.offset!r}")
    write_bytes(path, ("\n".join(lines) + "\n").encode())
