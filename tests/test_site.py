"""The documentation site: what its pages are made of, and what finds its dead links. The site
itself is built by scripts/site, which .ci/run calls.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "extensions"))

import check_links  # noqa: E402
import generated_pages  # noqa: E402
import related  # noqa: E402
import results_chart  # noqa: E402

INCLUDED = ["CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"]
PAGES = [*DOCS.glob("*.md"), *(DOCS / "tutorials").glob("*.md"), *(ROOT / n for n in INCLUDED)]
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))

api_pages = cache(generated_pages.api_pages)


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.name)
def test_a_page_says_what_the_reader_gets(page):
    text = re.sub(r"\A---\n.*?\n---\n", "", page.read_text(encoding="utf-8"), flags=re.S)
    lines = [line for line in text.split("\n") if line.strip()]
    if lines[0].startswith("```{include}"):
        return  # the file it includes is looked at
    assert lines[0].startswith("# ")
    opening = lines[1].strip("*")
    assert opening[0].isupper() and opening.endswith((".", ":", ",")), f"{page.name}: no first line"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_says_whom_it_is_for_and_has_a_picture(example):
    tree = ast.parse(example.read_text(encoding="utf-8"))
    title, line, empty, first = ast.get_docstring(tree).split("\n")[:4]
    assert len(title) == len(line) and empty == "" and first.startswith("*For ")
    assert "picture" in {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, tmp_path):
    if "skimage" in example.read_text(encoding="utf-8"):
        pytest.importorskip("skimage")
    command = [sys.executable, example]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("method", generated_pages.ours(), ids=lambda method: method.name)
def test_every_method_has_a_page(method):
    known = method.name in generated_pages.PAGES or method.family in generated_pages.FAMILIES
    assert known, f"add {method.family!r} to FAMILIES of docs/extensions/generated_pages.py"
    page = generated_pages.method_page(method)
    assert page.startswith(f"# {method.name}\n\n*Idea, options and measured behaviour of ")
    assert ".. math::" in page and "## Options" in page
    for option in method.options:
        assert f"| `{option.name}` | {option.type.__name__} | `{option.default!r}` |" in page
    for target in re.findall(r"\]\(\.\./([^)]*)\)", page):
        is_made = (DOCS / target).parent.name == "api" and not (DOCS / "api").is_dir()
        assert (DOCS / target).is_file() or is_made  # scripts/site writes the pages of the API


def test_every_public_name_has_a_page():
    import gmtoolbox as gm

    pages = api_pages()
    for name in gm.__all__:
        value = getattr(gm, name)
        if callable(value) and name not in gm._ALIASES:
            assert f"gmtoolbox.{name}" in pages and f"({'gmtoolbox.' + name}.md)" in pages["index"]


def test_related_names_are_public_names():
    pages = api_pages()
    for name in " ".join(related.GROUPS).split():
        assert f"gmtoolbox.{name}" in pages, f"{name} of related.py has no page"
    alone = [name for name, page in pages.items() if "**See also:**" not in page]
    assert alone == ["index"], "add these names to a group of related.py"
    page = pages["gmtoolbox.models.from_points"]
    assert "(gmtoolbox.models.from_matches.md)" in page and "../tutorials/points" in page


def test_every_option_is_on_the_page_of_options():
    page = generated_pages.options_page()
    for method in generated_pages.ours():
        for option in method.options:
            assert f"\n## {option.name}\n" in page and f"[{method.name}]({method.name}.md)" in page


def test_examples_on_pages_end_without_an_empty_line():
    class App:
        class config:
            extensions = ()

    fence = "```"
    source = [f"{fence}python\n>>> 1 + 1\n2\n\n{fence}\n\n{fence}text\na\n\n{fence}\n"]
    generated_pages.fill_in(App, "page", source)
    assert source == [f"{fence}python\n>>> 1 + 1\n2\n{fence}\n\n{fence}text\na\n\n{fence}\n"]


def test_docstrings_are_plain_text():
    lines = ["|x| and a*b, `a*b`, **bold**", ">>> a * b", "**options : dict"]
    generated_pages.plain_prose(None, "function", "f", None, None, lines)
    assert lines == [r"\|x\| and a\*b, `a*b`, **bold**", ">>> a * b", "**options : dict"]
    formula = [".. math::", "", r"    \left| a * b \right|", "", "with |a|"]
    generated_pages.plain_prose(None, "function", "f", None, None, formula)
    assert formula[2:] == [r"    \left| a * b \right|", "", r"with \|a\|"]


def test_pages_that_nobody_lists_are_in_the_guide(tmp_path, monkeypatch):
    monkeypatch.setattr(generated_pages, "DOCS", tmp_path)
    guide = "# Guide\n\n```{toctree}\nknown\n```\n\n```{toctree}\n<!-- other pages -->\n```\n"
    for name, text in {
        "guide": guide,
        "known": "# K",
        "index": "```{toctree}\nguide\n```",
        "new": "# N",
    }.items():
        (tmp_path / f"{name}.md").write_text(text)

    class App:
        class config:
            extensions = ()

    source = [guide]
    generated_pages.fill_in(App, "guide", source)
    assert "```{toctree}\nnew\n```" in source[0]


def test_results_that_are_not_there_yet_are_no_links():
    text = "[figures](results/exact.md), [others](results/no-such.md#x)"
    link = r"\[([^]]+)\]\((results/[^)#]+\.md)[^)]*\)"
    told = re.sub(link, generated_pages.measured_or_not, text)
    assert told == "[figures](results/exact.md), others: not measured yet"


def site(folder, **pages):
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<html><body>{body}</body></html>")
    return {(str(page), link) for page, link, _ in check_links.dead_links(folder.resolve())}


def test_dead_links_are_found(tmp_path):
    (tmp_path / "picture.png").write_bytes(b"")
    good = (
        '<h1 id="top">x</h1><a href="b.html#there">b</a><img src="picture.png">'
        '<a href="https://example.org">e</a>'
    )
    assert site(tmp_path, a=good, b='<p id="there">') == set()
    assert site(tmp_path, a=good, b='<p id="gone">') == {("a.html", "b.html#there")}
    assert site(tmp_path, a='<a href="c.html">', b="") == {("a.html", "c.html")}
    assert site(tmp_path, a='<img src="no.png">', b="") == {("a.html", "no.png")}
    assert check_links.main(tmp_path) == 1


def test_parts_from_other_hosts_are_found(tmp_path):
    script = '<script src="https://example.org/x.js"></script>'
    assert site(tmp_path, a=script) == {("a.html", "https://example.org/x.js")}


def test_the_chart_shows_the_results():
    """Every bar is drawn, with the time of its column; a factor of 1.5 is noise."""
    chart = (DOCS / "time-for-the-same-answer.svg").read_text("utf-8")
    bars = re.findall(r'width="(\S+)" height="15".*?<text[^>]*>(.*) ([\d.]+) (m?s)<', chart)
    assert all(float(width) > 0 for width, *_ in bars)
    shown = [(name, float(time) / (1e3 if unit == "ms" else 1)) for _, name, time, unit in bars]
    wanted = [
        pair
        for _, ours, name, theirs in results_chart.comparisons()
        for pair in (("gmtoolbox", ours), (name, theirs))
    ]
    for (name, time), (wanted_name, wanted_time) in zip(shown, wanted, strict=True):
        assert name == wanted_name
        assert 2 / 3 < time / wanted_time < 3 / 2, f"{name}: run {results_chart.__file__} again"
