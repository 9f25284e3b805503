"""Tables as LaTeX: a document that compiles, and a tabular for any document."""

import re
import shutil
import subprocess

import pytest

from gmtoolbox.bench.evaluate import tables
from gmtoolbox.bench.evaluate.evaluation import Cell, EvaluatedInstance, RunEvaluation


@pytest.fixture
def table():
    """Two methods on one problem, one of them without an answer; names that LaTeX minds."""
    problems = {"d_1": [EvaluatedInstance("a", -10.0, True)]}
    cells = {(1.0, "d_1", "a", "fm:maxiter=3"): [Cell(-10.0, -11.0, 1.0)]}
    evaluation = RunEvaluation(problems, ["fm:maxiter=3", "x_y&z"], [1.0], cells)
    return tables.make_table(evaluation, tables.default_groups(evaluation, "d_1"))


def compiled(folder, document):
    if shutil.which("pdflatex") is None:
        pytest.skip("wants pdflatex")
    (folder / "t.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if "`booktabs.sty' not found" in done.stdout:
        pytest.skip("wants the LaTeX package booktabs")
    assert done.returncode == 0 and (folder / "t.pdf").exists(), done.stdout[-2000:]


def columns(row):
    """How many columns a row of a tabular fills."""
    spans = [re.match(r" ?\\multicolumn\{(\d+)\}", cell) for cell in re.split(r"(?<!\\)&", row)]
    return sum(int(span.group(1)) if span else 1 for span in spans)


def test_document_compiles(table, tmp_path):
    document = tables.as_latex([table, table])
    rows = [line for line in document.splitlines() if line.startswith(r"\Salg")]
    assert [columns(row) for row in rows] == [5] * 4
    compiled(tmp_path, document)


def test_tabular_needs_no_package_and_no_command_of_ours(table):
    text = tables.as_tabular([table])
    assert text.count(r"\begin{tabular}{lrrrr}") == text.count(r"\end{tabular}") == 1
    body = text.split(r"\begin{tabular}")[1]
    used = set(re.findall(r"\\([a-zA-Z]+)", body))
    assert used <= {"toprule", "midrule", "bottomrule", "multicolumn", "textbf", "textit", "end"}
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert [columns(row) for row in rows] == [5, 5, 5, 5]
    assert rows[2] == r"fm:maxiter=3 & \textbf{100} & \textbf{-10} & \textbf{-11} & 100 \\"
    assert rows[3] == r"x\_y\&z & 0 & \multicolumn{3}{c}{---*} \\"


@pytest.mark.parametrize("package", ["", r"\usepackage{booktabs}"])
def test_tabular_is_taken_by_any_document(table, tmp_path, package):
    (tmp_path / "table.tex").write_text(tables.as_tabular([table]))
    document = (
        rf"\documentclass{{article}}{package}\begin{{document}}\input{{table}}\end{{document}}"
    )
    compiled(tmp_path, document)
