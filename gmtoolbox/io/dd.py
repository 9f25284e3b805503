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
Repeated edges add up, with a warning.
"""

from gmtoolbox.io import multi_dd
from gmtoolbox.io.dd_section import (
    SUFFIXES,
    is_multi,
    problem_name,
    read_section,
    said_in_comments,
    section_lines,
)
from gmtoolbox.io.files import Allowance, first_bytes, read_bytes
from gmtoolbox.io.formats import EVERYTHING, MULTI, reader, writer


def holds_many(path):
    """Return whether the first line of content is `gm`."""
    return is_multi(first_bytes(path))


@reader(*SUFFIXES, preference=1)
@reader(*SUFFIXES, holds=MULTI, recognise=holds_many, preference=1)
def read(path):
    """Return the problem of a .dd file, plain or compressed with gzip or xz; a MultiProblem if the
    first line of content is `gm`.
    """
    allowance = Allowance(path)
    text = read_bytes(path, allowance)
    if is_multi(text):
        return multi_dd.read_text(path, text, allowance)
    return read_section(path, text, 0, len(text) - 1, problem_name(path), allowance)


@writer(*SUFFIXES, keeps=EVERYTHING)
def dd_bytes(problem):
    """The text of a dd file; reading it back gives every number exactly."""
    lines = section_lines(problem)
    lines += [f"c gmtoolbox {name} {value}" for name, value in said_in_comments(problem)]
    return ("\n".join(lines) + "\n").encode()
