"""Every >>> example in docs/ gives the output that is printed there; links lead somewhere, figures
name the script that measured them.
"""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if ">>>" in path.read_text("utf-8")]


@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(
        str(page),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert tried and not failed


EXPLAINING = sorted((ROOT / "docs").glob("*.md"))
RESULTS = sorted((ROOT / "docs" / "results").glob("*.md"))


@pytest.mark.parametrize("page", [*EXPLAINING, *RESULTS], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """To a file, or to results that a script is there to write."""
    scripts = "".join(path.read_text("utf-8") for path in (ROOT / "benchmarks").glob("*.py"))
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target:
            if target.startswith("api/") and not (ROOT / "docs" / "api").is_dir():
                continue  # scripts/site writes these pages
            assert (page.parent / target).exists() or f"docs/{target}" in scripts, (
                f"{page.name} links to {target}"
            )


def test_promises_name_tests_that_exist():
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", (ROOT / "docs" / "testing.md").read_text())
    assert len(named) > 40
    for path, name in named:
        assert f"def {name}(" in (ROOT / "tests" / path).read_text(), f"{path}::{name}"


@pytest.mark.parametrize("page", EXPLAINING, ids=lambda page: page.name)
def test_pages_that_explain_leave_figures_to_the_results(page):
    tables = len(re.findall(r"^\|[-: |]+\|$", page.read_text("utf-8"), re.M))
    assert tables <= 3, f"{page.name} has {tables} tables: figures belong to docs/results"


# bench.md has every option of a program, gallery.md many examples, results.md the five main figures
WHOLE = ("bench.md", "gallery.md", "results.md")
MEASURED = re.compile(
    r"\d (?:CPU |wall )?(?:ms|s|seconds|microseconds|MB|GB|%)(?!\w)"
    r"|\d(?:x(?! \d)|(?: times| %) (?:faster|slower|less|more|above|below|as fast))(?!\w)"
)


def figures(text):
    """What looks measured: times, sizes, shares, and how many times faster."""
    return [found.group() for found in MEASURED.finditer(text)]


@pytest.mark.parametrize(
    "page",
    [page for page in EXPLAINING if page.name not in WHOLE],
    ids=lambda page: page.name,
)
def test_pages_that_explain_an_idea_are_short(page):
    """What was measured stands in docs/results, but for three figures."""
    text = page.read_text("utf-8")
    measured = figures(text)
    assert len(measured) <= 3, f"{page.name} tells {measured}: figures belong to docs/results"
    assert text.count("\n") <= 160, f"{page.name} is long: two ideas?"


def test_figures_are_seen():
    text = "20 ms, 0.6 to 1.4 % above, 14 to 184 times faster, 2.27 CPU s, 30 MB, 82x"
    assert len(figures(text)) == 6
    assert not figures("500 x 1200, 10x10, 0.1s, step 3 stops, four times, 64 MiB, `maxiter` 51")


@pytest.mark.parametrize("page", RESULTS, ids=lambda page: page.name)
def test_results_name_their_script(page):
    scripts = re.findall(r"bench[a-z]*/?[a-z_]*\.py|[a-z_]*_table\.py", page.read_text("utf-8"))
    known = {path.name for path in (ROOT / "benchmarks").glob("*.py")}
    assert {Path(script).name for script in scripts} & known, f"{page.name} names no script"


def test_a_result_is_kept_in_its_place():
    from benchmarks.keep import kept

    page = kept("# x\n", "benchmarks/a.py 1", "| a |\n|---|", "2026-01-01")
    page = kept(page, "benchmarks/b.py", "plain", "2026-01-02")
    again = kept(page, "benchmarks/a.py 1", "| b |\n|---|", "2026-01-03")
    assert "| a |" not in again and again.index("| b |") < again.index("plain")
    assert again.count("<!-- measured") == 2 and "```text\nplain\n```" in again
