"""The text that `solve` prints of its answers: one in pairs of name and value, several as a
table.
"""

import math
from typing import NamedTuple

from gmtoolbox.core.quality import accuracy
from gmtoolbox.core.terminal import columns, fit_table, fold, paint_status, pairs, shorten
from gmtoolbox.core.text import (
    RESULT_HEADINGS,
    gap_text,
    number,
    number_below,
    pad_left,
    pad_right,
    percent,
    printable,
    result_row,
    seconds_text,
    width_on_screen,
)

MOST_PAIRS = 10  # that are listed of a matching


class AnswerText(NamedTuple):
    """One result as text."""

    row: tuple  # of the table
    pairs: list  # (name, value), if it is the only one
    matches: list  # lines: the matches that are listed
    labels: list  # lines: all labels, if they are asked for
    status: str


def answer_of(problem, name, result, given, file):
    """Return the Answer of a Result."""
    truth = problem.ground_truth
    correct = None if truth is None else accuracy(result.labels, truth)
    labels = []
    if given.labels:
        found = " ".join(map(str, result.labels.tolist()))
        labels = [fold(f"{problem.name} {name} labels (0-based): {found}", "  ", "")]
    n1, n2 = problem.shape
    facts = [
        ("problem", f"{problem.name or file}, {n1} x {n2} nodes, {kind_of(problem)}"),
        ("method", name + ran(result)),
        *figures(result),
        ("accuracy", None if correct is None or math.isnan(correct) else percent(correct)),
        ("matched", f"{int((result.labels >= 0).sum())} of {n1} left nodes"),
    ]
    matches = matches_of(problem, result, given.confidence)
    row = result_row(problem.name, name, result, correct)
    return AnswerText(row, facts, matches, labels, result.status)


def kind_of(problem):
    """Return which matchings a problem allows."""
    return "complete matchings" if problem.complete else "partial matchings allowed"


def ran(result):
    """Return ' (ran aj)' if a method has chosen another one."""
    chosen = result.options.get("run")
    return f" (ran {chosen})" if chosen not in (None, "choose", result.method) else ""


def figures(result):
    """Return the (name, value) that all kinds of result have."""
    return [
        ("status", result.status),
        ("value", number(result.value, 10)),
        ("bound", number(result.bound, 10) if math.isfinite(result.bound) else None),
        ("gap", gap_text(result.gap) if math.isfinite(result.gap) else None),
        ("time", seconds_text(result.time)),
        ("iterations", str(result.n_iter)),
    ]


def matches_of(problem, result, is_with_confidence):
    """Return lines with the first matches, by the names of their nodes; if the confidence was asked
    for, the least sure ones, with the least cost of changing them.
    """
    names1, names2 = (
        range(n) if names is None else names
        for names, n in zip((problem.nodes1, problem.nodes2), problem.shape, strict=True)
    )
    sure = result.confidence.tolist() if is_with_confidence else None
    matched = [i for i, s in enumerate(result.labels.tolist()) if s >= 0]
    if sure is not None:
        matched.sort(key=lambda i: math.inf if math.isnan(sure[i]) else sure[i])
    shown = [(i, int(result.labels[i])) for i in matched[:MOST_PAIRS]]
    named = [(printable(names1[i]), printable(names2[s])) for i, s in shown]
    lines = match_lines(named, [cost_of_change(sure, i) for i, _ in shown], shown)
    left_out = len(matched) - len(shown)
    return lines + ([f"  and {left_out} more (--labels, --json)"] if left_out else [])


def match_lines(shown, remarks, numbers=None):
    """Return 'name -> name  remark' lines that fit the terminal: long names lose their middle;
    where that makes some alike, the numbers of the nodes, if they are given, are in front.
    """
    room = (columns() - len("   ->   ") - max(map(len, remarks), default=0)) // 2
    sides = [[pair[side] for pair in shown] for side in range(2)]
    wide = [max(map(width_on_screen, names), default=0) for names in sides]
    if sum(wide) > 2 * room:
        numbers = numbers or [(None, None)] * len(shown)
        sides = [
            shorten_all(names, [pair[side] for pair in numbers], room)
            for side, names in enumerate(sides)
        ]
        wide = [max(map(width_on_screen, names)) for names in sides]
    return [
        f"  {pad_left(one, wide[0])} -> {pad_right(other, wide[1])}  {remark}".rstrip()
        for one, other, remark in zip(*sides, remarks, strict=True)
    ]


def shorten_all(names, numbers, room):
    """Return the names that fit a room, with their numbers, if known, where some became alike."""
    short = [shorten(name, room) for name in names]
    if len(set(short)) == len(set(names)) or None in numbers:
        return short
    marks = [f"{k}: " for k in numbers]
    return [mark + shorten(name, room - len(mark)) for mark, name in zip(marks, names, strict=True)]


def cost_of_change(sure, i):
    """Return the confidence of the match of node i in words."""
    if sure is None:
        return ""
    if math.isnan(sure[i]):
        return "in every matching"
    return f"changing it costs >= {number_below(sure[i])}"


def print_answers(answers, file, is_kept, is_drawable=True):
    """Print one answer in pairs of name and value, several as a table."""
    if not answers:
        return
    if len(answers) > 1:
        print(fit_table(RESULT_HEADINGS, [one.row for one in answers], texts=2, is_terse=True))
    else:
        print(colour_status(pairs(answers[0].pairs), answers[0].status))
    for one in answers:
        if one.matches and (len(answers) == 1 or "costs" in "".join(one.matches)):
            title = "matching" if len(answers) == 1 else f"{one.row[0]} {one.row[1]}"
            print(f"{printable(title)}:")
            print("\n".join(one.matches))
    for one in answers:
        for line in one.labels:
            print(line)
    if len(answers) == 1:
        steps = [] if is_kept else ["--output FILE keeps the result"]
        steps += ["--json prints all of it"]
        steps += [f"`gmtoolbox plot {file} -o FILE.svg` draws it"] if is_drawable else []
        print("\n" + fold(f"next: {', '.join(steps)}", "      ", ""))


def colour_status(text, status):
    """Return the pairs of an answer with its status in colour."""
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if line.startswith("status:"):
            lines[k] = line.replace(status, paint_status(status))
    return "\n".join(lines)
