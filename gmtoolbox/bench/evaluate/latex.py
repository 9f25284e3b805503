"""The study's tables as LaTeX: the rows as the paper prints them, a document, and a tabular to
\\input.
"""

from gmtoolbox.bench.evaluate.tables import NO_SOLUTION
from gmtoolbox.core import text
from gmtoolbox.core.text import limit_text


def latex_rows(table):
    """The body of the study's tables, line by line."""
    bold = lambda name, content: rf"\bfseries{'' if name == 'D' else ' '}{content}"
    return body_rows(table, lambda method: rf"\Salg{{{method}}}", column_type, bold)


def body_rows(table, shown, kind, bold):
    """Lines of a tabular's body; shown(method): its first cell, kind(k): the column type of group
    k, bold(field, content): a cell in bold.
    """
    lines = []
    for method, line in table.parted():
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
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{columns}}}",
            r"\toprule",
            titles + r" \\",
            headings + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


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
