"""The tests mirror the code: every module has a test file of its name, every folder of C files a
folder of tests, every public header tests of what it declares.

gmtoolbox/io/dd.py is tested in tests/io/test_dd.py, cext/src/moves in tests/cext/moves; leading
underscores do not count. Import paths of 0.1 that are one line each are tested together in
test_import_paths.py.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from parsed import tree_of

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"


def is_import_path(path):
    """Whether a module only hands on another one: a few lines."""
    if path.stat().st_size > 2000:
        return False
    body = tree_of(path).body
    return all(
        isinstance(node, ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in body
    )


def sources():
    package = ROOT / "gmtoolbox"
    for path in sorted(package.rglob("*.py")):
        if path.name != "__init__.py" and not is_import_path(path):
            place = path.relative_to(package)
            yield path, TESTS / place.parent / f"test_{place.stem.strip('_')}.py"


def test_every_module_has_a_test_file_of_its_name():
    missing = [
        f"{source.relative_to(ROOT)} wants {test.relative_to(ROOT)}"
        for source, test in sources()
        if not (test.is_file() and re.search(r"^ *def test_", test.read_text("utf-8"), re.M))
    ]
    assert not missing, "\n".join(missing)


@cache
def words_of(folder, pattern, word):
    """How often the files of a folder contain each match of a regular expression."""
    found = Counter()
    for path in folder.rglob(pattern):
        found.update(re.findall(word, path.read_text("utf-8")))
    return found


def test_every_folder_of_c_has_tests():
    source = ROOT / "cext" / "src"
    folders = {path.parent.relative_to(source) for path in source.rglob("*.c")}
    without = [
        str(place) for place in folders if not list((TESTS / "cext" / place).glob("test_*.py"))
    ]
    assert not without


@pytest.mark.parametrize(
    "header", sorted((ROOT / "cext" / "include" / "gm").glob("*.h")), ids=lambda path: path.stem
)
def test_functions_of_public_headers_are_called(header):
    """By name, or as gm_KERNEL_new, _step and _free of a kernel that is run by its name."""
    python = [(folder, "*.py") for folder in (ROOT / "gmtoolbox", TESTS)]
    named = {name for place in python for name in words_of(*place, r"\b(gm_\w+)\b")}
    quoted = {name for place in python for name in words_of(*place, r"[\"'](\w+)[\"']")}
    calls = words_of(ROOT / "cext" / "src", "*.c", r"\b(gm_\w+)\(")
    for name in re.findall(r"\b(gm_[a-z0-9_]+)\(", header.read_text("utf-8")):
        kernel = re.fullmatch(r"gm_(\w+)_(new|step|free)", name)
        is_run = kernel and kernel[1] in quoted
        is_shared = calls[name] > 1  # by other C files
        assert name in named or is_run or is_shared, name
