"""Every tutorial runs as it is printed, in a folder of its own, and leaves its pictures."""

import doctest
import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tutorial(page, tmp_path, monkeypatch, own_registry):
    if "skimage" in page.read_text():
        pytest.importorskip("skimage")
    pytest.importorskip("networkx")
    shutil.copytree(ROOT / "matfiles", tmp_path / "matfiles")
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried and not failed
    if page.stem == "frames":
        assert os.path.getsize(tmp_path / "tracks.svg") > 10_000
    if "picture.save" in page.read_text():
        assert os.path.getsize(tmp_path / "matching.svg") > 10_000
