"""Every tutorial runs as it is printed, in a folder of its own, and leaves its pictures."""

import doctest
import os
import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from gmtoolbox import changes

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tutorial(page, tmp_path, monkeypatch, own_registry, repeats):
    if "skimage" in page.read_text("utf-8"):
        pytest.importorskip("skimage")
    if "rdkit" in page.read_text("utf-8"):
        pytest.importorskip("rdkit")
    pytest.importorskip("networkx")
    shutil.copytree(ROOT / "matfiles", tmp_path / "matfiles")
    monkeypatch.chdir(tmp_path)
    # r.confidence takes the time that it is given on problems of this size
    less = partial(changes.confidence, seconds=repeats(changes.SECONDS))
    monkeypatch.setattr(changes, "confidence", less)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried and not failed
    pictures = re.findall(r"!\[[^]]*\]\(([\w-]+)\.(?:svg|png)\)", page.read_text("utf-8"))
    assert pictures, f"{page.name} shows no picture"
    for name in pictures:
        assert os.path.getsize(tmp_path / f"{name}.svg") > 3_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tutorials_show_results_and_code_that_fits(page):
    """At most one bare True is printed; lines of code fit their box on the site."""
    text = page.read_text("utf-8")
    assert len(re.findall(r"^True$", text, re.M)) <= 1
    code = "".join(re.findall(r"```python\n(.*?)```", text, re.S))
    assert max(map(len, code.splitlines())) <= 100
