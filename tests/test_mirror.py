"""The tests mirror the code: every module has a test file of its name, every folder of C files a
folder of tests, every public header tests of what it declares.

gmtoolbox/io/dd.py is tested in tests/io/test_dd.py, cext/src/moves in tests/cext/moves; leading
underscores do not count. Import paths of 0.1 that are one line each are tested together in
test_import_paths.py.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"


def is_import_path(path):
    """Whether a module only hands on another one."""
    body = ast.parse(path.read_text()).body
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


@pytest.mark.parametrize(
    "source, test", [pytest.param(*pair, id=str(pair[0].relative_to(ROOT))) for pair in sources()]
)
def test_has_a_test_file_of_its_name(source, test):
    assert test.is_file(), f"{source.relative_to(ROOT)} wants {test.relative_to(ROOT)}"
    assert any(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for node in ast.walk(ast.parse(test.read_text()))
    ), f"{test.relative_to(ROOT)} tests nothing"


@cache
def text_of(folder, pattern):
    """All files of a folder as one text."""
    return "\n".join(path.read_text() for path in sorted(folder.rglob(pattern)))


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
    text = "\n".join(text_of(folder, "*.py") for folder in (ROOT / "gmtoolbox", TESTS))
    c = text_of(ROOT / "cext" / "src", "*.c")
    for name in re.findall(r"\b(gm_[a-z0-9_]+)\(", header.read_text()):
        kernel = re.fullmatch(r"gm_(\w+)_(new|step|free)", name)
        is_run = kernel and re.search(rf"[\"']{kernel[1]}[\"']", text)
        is_shared = len(re.findall(rf"\b{name}\(", c)) > 1  # by other C files
        assert re.search(rf"\b{name}\b", text) or is_run or is_shared, name
