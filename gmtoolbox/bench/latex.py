"""The study's tables as LaTeX: the rows as the paper prints them, a document, and a tabular to
\\input.
"""

from gmtoolbox.bench.tables import NO_SOLUTION, limit_text
from gmtoolbox.core import text


def latex_rows(table):
    """The body of the study's tables, line by line."""
    lines, previous = [], None
    for method in table.methods:
        if previous is not None and (method in table.dual) != (previous in table.dual):
            lines.append(r"\midrule")
        previous = method
        cells = [rf"\Salg{{{text.latex(method)}}}"]
        for k, name, content, bold in table.cells(method):
            if content == NO_SOLUTION:
                span = len([field for field in table.groups[k].fields if field != "opt"])
                content = rf"\multicolumn{{{span}}}{{{column_type(k)}}}{{{content}}}"
            gap = "" if name == "D" else " "
            cells.append(rf"\bfseries{gap}{content}" if bold else content)
        lines.append(" & ".join(cells) + r" \\")
    return lines


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


def latex_tabular(table):
    columns = "".join(
        f"*{{{len(group.fields)}}}{{{column_type(k)}}}" for k, group in enumerate(table.groups)
    )
    titles = [
        rf"\multicolumn{{{len(group.fields)}}}{{{column_type(k)}}}"
        rf"{{\Sdata{{{text.latex(group.dataset)}}}\,({limit_text(group.limit)})}}"
        for k, group in enumerate(table.groups)
    ]
    names = [
        rf"\textit{{{name}}}" if name in "ED" else name
        for group in table.groups
        for name in group.fields
    ]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{columns}}}",
            r"\toprule",
            "& " + " & ".join(titles) + r" \\",
            "& " + " & ".join(names) + r" \\",
            r"\midrule",
            *latex_rows(table),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


# ---- a tabular for somebody's paper: only what every LaTeX has

RULES = "".join(rf"\providecommand{{\{name}rule}}{{\hline}}" for name in ("top", "mid", "bottom"))


def as_tabular(tables):
    """The tabulars alone, to be \\input; rules are those of booktabs where that is loaded."""
    return "\n\n".join([RULES, *map(plain_tabular, tables)]) + "\n"


def plain_tabular(table):
    lines, previous = [], None
    for method in table.methods:
        if previous is not None and (method in table.dual) != (previous in table.dual):
            lines.append(r"\midrule")
        previous = method
        cells = [text.latex(method)]
        for k, _, content, bold in table.cells(method):
            if content == NO_SOLUTION:
                span = len([name for name in table.groups[k].fields if name != "opt"])
                content = rf"\multicolumn{{{span}}}{{c}}{{{content}}}"
            cells.append(rf"\textbf{{{content}}}" if bold else content)
        lines.append(" & ".join(cells) + r" \\")
    titles = [
        rf"\multicolumn{{{len(group.fields)}}}{{c}}"
        rf"{{{text.latex(group.dataset)} ({limit_text(group.limit)})}}"
        for group in table.groups
    ]
    names = [
        rf"\textit{{{name}}}" if name in "ED" else name
        for group in table.groups
        for name in group.fields
    ]
    columns = "".join("r" * len(group.fields) for group in table.groups)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{columns}}}",
            r"\toprule",
            " & ".join(["", *titles]) + r" \\",
            " & ".join(["method", *names]) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )
