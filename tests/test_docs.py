"""Every >>> example in docs/ gives the output that is printed there."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if ">>>" in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(
        str(page),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert tried and not failed
