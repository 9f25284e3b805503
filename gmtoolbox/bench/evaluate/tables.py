"""Fixed-time evaluation: the study's tables as text, CSV, Markdown and LaTeX.

opt  optimally solved instances (%)          E    average best objective value
gap  average distance of the value to the optimum, or to the best value seen, relative to it
D    average best lower bound                acc  average accuracy corresponding to the best
     objective (%)
sd   with several seeds: standard deviation of the value over them, averaged over the
     instances; opt, E, D and acc are then averages over instances and seeds
---* the method has no solution for at least one instance within the time
"""

import csv
import io
import math
import statistics
from dataclasses import dataclass, field, replace

from gmtoolbox.bench.evaluate.evaluation import is_solved
from gmtoolbox.bench.evaluate.gaps import relative
from gmtoolbox.core import text
from gmtoolbox.core.terminal import columns
from gmtoolbox.core.text import limit_text

FIELDS = ("opt", "E", "D", "acc")
WITH_SEEDS = ("opt", "E", "sd", "D", "acc")
DIGITS = 7  # of E and D on the screen
NO_SOLUTION = "---*"
NO_BOUND = "--"


@dataclass(frozen=True)
class ColumnGroup:
    """A group of columns: some fields of one dataset at one time limit."""

    dataset: str
    limit: float
    fields: tuple = FIELDS

    @property
    def title(self):
        """Dataset and time limit in words."""
        return f"{self.dataset} ({limit_text(self.limit)})"

    @property
    def behind_opt(self):
        """Number of columns that NO_SOLUTION stands in."""
        return len([name for name in self.fields if name != "opt"])


@dataclass(frozen=True)
class Summary:
    """One method on one dataset at one time limit; None if there is no data."""

    opt: float
    E: float
    D: float
    acc: float
    sd: float = None
    gap: float = None


def references_of(evaluation, dataset):
    """Return {instance: optimal cost, or the best one seen at the largest limit}."""
    last = evaluation.limits[-1]
    found = {}
    for problem in evaluation.problems[dataset]:
        seen = (
            cell.value
            for method in evaluation.methods
            for cell in evaluation.cells_of(last, dataset, problem, method)
        )
        found[problem.name] = problem.optimum if problem.optimum is not None else min(seen)
    return found


def summary(evaluation, dataset, limit, method, references=None):
    """Return averages over the instances of a dataset and the seeds, in their own sense."""
    problems = evaluation.problems[dataset]
    found = [evaluation.cells_of(limit, dataset, problem, method) for problem in problems]
    pairs = [(p, c) for p, cells in zip(problems, found, strict=True) for c in cells]
    n_solved = sum(p.optimum is not None and is_solved(c.value, p.optimum) for p, c in pairs)
    opt = 100 * n_solved / len(pairs)
    if not all(math.isfinite(cell.value) for _, cell in pairs):
        return Summary(opt, None, None, None)
    E = mean([p.sign * c.value for p, c in pairs])
    bounds = [p.sign * c.bound for p, c in pairs]
    correct = [c.accuracy for p, c in pairs if p.has_truth]
    known = correct and all(value is not None for value in correct)
    spread = [statistics.stdev(c.value for c in cells) for cells in found if len(cells) > 1]
    return Summary(
        opt,
        E,
        mean(bounds) if all(map(math.isfinite, bounds)) else None,
        100 * mean(correct) if known else None,
        mean(spread) if spread else None,
        mean([relative(c.value, references[p.name]) for p, c in pairs]) if references else None,
    )


def mean(values):
    """The arithmetic mean."""
    return math.fsum(values) / len(values)


def default_groups(evaluation, dataset, limits=None):
    """Return the columns of the study's full table of a dataset: no opt if few optima are known, no
    acc without ground truth.
    """
    problems = evaluation.problems[dataset]
    enough = 2 * sum(problem.optimum is not None for problem in problems) >= len(problems)
    truth = any(problem.has_truth for problem in problems)
    fields = tuple(
        name
        for name in (WITH_SEEDS if evaluation.several_seeds else FIELDS)
        if (name != "opt" or enough) and (name != "acc" or truth)
    )
    return [ColumnGroup(dataset, limit, fields) for limit in limits or evaluation.limits]


def screen_groups(evaluation, dataset, limits=None):
    """Return the columns for people: default_groups with the average gap before E."""
    return [
        replace(group, fields=with_gap(group.fields))
        for group in default_groups(evaluation, dataset, limits)
    ]


def with_gap(fields):
    """Return the fields with gap before E."""
    place = fields.index("E")
    return (*fields[:place], "gap", *fields[place:])


@dataclass
class Table:
    """Printed cells: rows[method] is a list with, per group, either the fields' texts or None for
    '---*' behind opt.
    """

    groups: list
    methods: list
    values: dict  # (method, group number) -> Summary
    decimals: list  # of E and D, per group
    best: dict  # (group number, field) -> the best value, printed bold
    dual: set = field(default_factory=set)  # methods below the line
    is_study: bool = True  # rounded, and bold within the rounding, as in the study's tables

    def mark_lines(self):
        """(method, whether the line between primal methods and the others stands above it)."""
        previous = None
        for method in self.methods:
            yield method, previous is not None and (method in self.dual) != (previous in self.dual)
            previous = method

    def number(self, k, name, value):
        """Return the printed form of a value of group k."""
        if value is None:
            return NO_BOUND
        if name == "gap":
            return text.gap_text(value)
        if name in ("E", "D") and not self.is_study:
            return text.number(value, DIGITS)
        if name in ("opt", "acc") and not self.is_study:
            return text.percent(value / 100).removesuffix(" %")  # '> 99' is not all
        if name == "sd":
            return text.number(value, 2)
        rounded = f"{value:.{self.decimals[k] if name in ('E', 'D') else 0}f}"
        if float(rounded) == 0 and self.decimals[k] == 0:
            return "0"
        return rounded.replace("-0.00", "0.00")

    def is_best(self, k, name, value):
        """Whether a value is the best, or is printed as the best is; in the study's tables: within
        half a unit of the last printed digit of it. Methods do not optimise accuracy.
        """
        best = self.best.get((k, name))
        if not self.is_study and best is not None and value is not None:
            return self.number(k, name, value) == self.number(k, name, best)
        unit = 10.0 ** -(self.decimals[k] if name in ("E", "D") else 0)
        return best is not None and value is not None and abs(value - best) <= 0.5 * unit

    def cells(self, method):
        """(group number, field, text, bold) in order; a method without a solution has one cell
        ('E', '---*') for E to acc.
        """
        for k, group in enumerate(self.groups):
            row = self.values[method, k]
            for name in group.fields:
                if name != "opt" and row.E is None:
                    yield k, "E", NO_SOLUTION, False
                    break
                value = getattr(row, name)
                yield k, name, self.number(k, name, value), self.is_best(k, name, value)


def make_table(evaluation, groups, methods=None, is_study=True):
    """Return the Table of groups of columns.

    methods   default: those that were run on the datasets of the groups
    is_study  whether numbers are rounded and praised as in the study's tables
    """
    methods = list(methods or evaluation.methods_of([group.dataset for group in groups]))
    asking = {group.dataset for group in groups if "gap" in group.fields}
    references = {dataset: references_of(evaluation, dataset) for dataset in asking}
    values = {
        (method, k): summary(evaluation, g.dataset, g.limit, method, references.get(g.dataset))
        for method in methods
        for k, g in enumerate(groups)
    }
    decimals, best = [], {}
    for k, group in enumerate(groups):
        sign = evaluation.problems[group.dataset][0].sign
        column = lambda name, k=k: [
            v for m in methods if (v := getattr(values[m, k], name)) is not None
        ]
        decimals.append(decimals_of(max(map(abs, column("E")), default=0.0)))
        for name, better in (
            ("opt", max),
            ("gap", min),
            ("E", min if sign > 0 else max),
            ("D", max if sign > 0 else min),
        ):
            if name in group.fields and column(name):
                best[k, name] = better(column(name))
        if best.get((k, "opt")) == 0:
            del best[k, "opt"]  # no method solved anything: no best value
    dual = {method for method in methods if evaluation.dual_based(method)}
    return Table(list(groups), methods, values, decimals, best, dual, is_study)


def decimals_of(largest):
    """How many decimals a column has whose largest number is this."""
    if largest >= 10:
        return 0
    return 2 if largest >= 1 else 3


# ---- the forms


def as_text(table):
    """Return aligned columns, * at the best values; groups that do not fit the terminal next to the
    others follow below.
    """
    blocks, here = [], []
    for k in range(len(table.groups)):
        if here and width_of(lines_of(table, [*here, k])) > columns():
            blocks.append(here)
            here = []
        here = [*here, k]
    blocks.append(here)
    return "\n\n".join("\n".join(lines_of(table, block)) for block in blocks)


def width_of(lines):
    """Return the length of the longest line."""
    return max(map(len, lines))


def lines_of(table, groups):
    """Return the lines of a table with some of its groups."""
    headings, rows = ["method"], []
    for k in groups:
        group = table.groups[k]
        cells = [
            [content for number, _, content, _ in table.cells(method) if number == k]
            for method in table.methods
        ]
        widths = [
            max([len(name), *(len(row[j]) + 1 for row in cells if j < len(row))])
            for j, name in enumerate(group.fields)
        ]
        lack = max(len(group.title) - sum(widths) - 2 * (len(widths) - 1), 0)  # for the title above
        headings += [
            " " * (lack + widths[0] - len(group.fields[0]) if lack and not j else 0) + name
            for j, name in enumerate(group.fields)
        ]
    for method in table.methods:
        row = [method]
        for k in groups:
            group = table.groups[k]
            cells = [
                (content, bold) for number, _, content, bold in table.cells(method) if number == k
            ]
            row += [content + ("*" if bold else " ") for content, bold in cells]
            row += [""] * (len(group.fields) - len(cells))
        rows.append(row)
    lines = text.table(headings, rows).splitlines()
    return [group_line([table.groups[k] for k in groups], lines[1]), *lines]


def group_line(groups, ruler):
    """The groups' titles above their columns."""
    widths = [len(part) for part in ruler.split("  ")]
    line, position = " " * widths[0], 1
    for group in groups:
        width = sum(widths[position : position + len(group.fields)]) + 2 * (len(group.fields) - 1)
        line += "  " + text.printable(group.title).center(width)
        position += len(group.fields)
    return line.rstrip()


def as_markdown(table):
    """Return a table of Markdown, the best values bold."""
    headings = [
        f"{name} ({limit_text(group.limit)})" for group in table.groups for name in group.fields
    ]
    lines = ["| " + " | ".join(["method", *headings]) + " |"]
    lines.append("|---" + "|--:" * len(headings) + "|")
    for method, cells in fill_rows(table):
        row = [method, *(f"**{content}**" if bold else content for content, bold in cells)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(lines) + "\n"


def fill_rows(table):
    """Yield (method, [(text, bold)]) with a cell for every field of every group."""
    for method in table.methods:
        cells = {(k, name): (content, bold) for k, name, content, bold in table.cells(method)}
        yield (
            method,
            [
                cells.get((k, name), ("", False))
                for k, group in enumerate(table.groups)
                for name in group.fields
            ],
        )


def as_html(table):
    """Return a table of HTML without links or scripts, the best values bold."""
    groups = "".join(
        f"<th colspan='{len(group.fields)}' scope='colgroup'>{text.markup(group.title)}</th>"
        for group in table.groups
    )
    fields = "".join(
        f"<th scope='col'>{name}</th>" for group in table.groups for name in group.fields
    )
    rows = "".join(
        f"<tr><th scope='row'>{text.markup(method)}</th>"
        + "".join(f"<td>{f'<b>{content}</b>' if bold else content}</td>" for content, bold in cells)
        + "</tr>"
        for method, cells in fill_rows(table)
    )
    return (
        f"<table><thead><tr><th></th>{groups}</tr><tr><th scope='col'>method</th>{fields}</tr>"
        f"</thead><tbody>{rows}</tbody></table>"
    )


def as_csv(evaluation, groups=None):
    """One line per dataset, limit and method, unrounded."""
    groups = groups or [
        group for dataset in evaluation.problems for group in default_groups(evaluation, dataset)
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    fields = (*FIELDS, "sd") if evaluation.several_seeds else FIELDS
    writer.writerow(["dataset", "time_limit", "method", "instances", *fields])
    for group in groups:
        for method in evaluation.methods:
            row = summary(evaluation, group.dataset, group.limit, method)
            numbers = [
                "" if getattr(row, name) is None else repr(getattr(row, name)) for name in fields
            ]
            writer.writerow(
                [
                    text.spreadsheet(group.dataset),
                    f"{group.limit:g}",
                    text.spreadsheet(method),
                    len(evaluation.problems[group.dataset]),
                    *numbers,
                ]
            )
    return out.getvalue()


# ---- LaTeX: the rows as the paper prints them, a document, and a tabular to \input


def latex_rows(table):
    """The body of the study's tables, line by line."""
    bold = lambda name, content: rf"\bfseries{'' if name == 'D' else ' '}{content}"
    return body_rows(table, lambda method: rf"\Salg{{{method}}}", column_type, bold)


def body_rows(table, shown, kind, bold):
    """Lines of a tabular's body; shown(method): its first cell, kind(k): the column type of group
    k, bold(field, content): a cell in bold.
    """
    lines = []
    for method, line in table.mark_lines():
        lines += [r"\midrule"] * line
        cells = [shown(text.latex(method))]
        for k, name, content, best in table.cells(method):
            if content == NO_SOLUTION:
                content = span_columns(table.groups[k].behind_opt, kind(k), content)
            cells.append(bold(name, content) if best else content)
        lines.append(" & ".join(cells) + r" \\")
    return lines


def span_columns(n, kind, content):
    """A cell over n columns."""
    return rf"\multicolumn{{{n}}}{{{kind}}}{{{content}}}"


def tabular(columns, titles, headings, rows):
    """A tabular with two lines of headings."""
    head = [rf"\begin{{tabular}}{{l{columns}}}", r"\toprule", titles + r" \\", headings + r" \\"]
    return "\n".join([*head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"])


def field_names(table):
    """Headings of all columns but the first."""
    fields = [name for group in table.groups for name in group.fields]
    return [rf"\textit{{{name}}}" if name in "ED" else name for name in fields]


def column_type(k):
    """Every other group has a grey background: column types g and c."""
    return "gc"[k % 2]


LATEX = r"""\documentclass[a4paper,landscape]{article}
\usepackage[margin=10mm]{geometry}
\usepackage{array}
\IfFileExists{booktabs.sty}
  {\usepackage{booktabs}\setlength\aboverulesep{0pt}\setlength\belowrulesep{0pt}}
  {\let\toprule\hline\let\midrule\hline\let\bottomrule\hline}
\IfFileExists{colortbl.sty}
  {\usepackage{colortbl}\newcolumntype{g}{>{\columncolor[gray]{.93}}c}}{\newcolumntype{g}{c}}
\newcommand\Salg[1]{\textsf{#1}}
\newcommand\Sdata[1]{\textsf{#1}}
\setlength\tabcolsep{3pt}
\renewcommand\arraystretch{1.15}
\pagestyle{empty}
\begin{document}\centering\small\sffamily
%s
\end{document}
"""
CAPTION = r"""
\smallskip
\textbf{opt:} optimally solved instances (\%);\quad \textbf{E:} average best objective value;\quad
\textbf{D:} average best lower bound;\quad \textbf{acc:} average accuracy corresponding to
best objective (\%);\quad
\textbf{---*:} no solution for at least one instance"""


def as_latex(tables):
    """A document with one table per page, ready for pdflatex."""
    return LATEX % "\n\\clearpage\n".join(latex_tabular(table) + CAPTION for table in tables)


def short_limit(limit):
    """Return a time limit as the study prints it: without a space."""
    return limit_text(limit).replace(" s", "s")


def latex_tabular(table):
    """The tabular of a table as the paper prints it."""
    columns, titles = "", []
    for k, group in enumerate(table.groups):
        n, kind = len(group.fields), column_type(k)
        columns += f"*{{{n}}}{{{kind}}}"
        dataset = rf"\Sdata{{{text.latex(group.dataset)}}}\,({short_limit(group.limit)})"
        titles.append(span_columns(n, kind, dataset))
    titles, names = ("& " + " & ".join(cells) for cells in (titles, field_names(table)))
    return tabular(columns, titles, names, latex_rows(table))


# ---- a tabular for papers: only commands that every LaTeX has

RULES = "".join(rf"\providecommand{{\{name}rule}}{{\hline}}" for name in ("top", "mid", "bottom"))


def as_tabular(tables):
    """Return the tabulars alone, to be \\input; rules are those of booktabs if that is loaded."""
    return "\n\n".join([RULES, *map(plain_tabular, tables)]) + "\n"


def plain_tabular(table):
    """The tabular of a table without commands of our own."""
    columns, titles = "", [""]
    for group in table.groups:
        n = len(group.fields)
        columns += "r" * n
        dataset = f"{text.latex(group.dataset)} ({short_limit(group.limit)})"
        titles.append(span_columns(n, "c", dataset))
    bold = lambda _, content: rf"\textbf{{{content}}}"
    rows = body_rows(table, str, lambda _: "c", bold)
    names = ["method", *field_names(table)]
    return tabular(columns, " & ".join(titles), " & ".join(names), rows)
