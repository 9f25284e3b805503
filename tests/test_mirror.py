"""The tests mirror the code: every module and every C file has a test file of its name.

gmtoolbox/io/dd.py is tested in tests/io/test_dd.py, cext/src/moves/qpbo.c in
tests/cext/moves/test_qpbo.py; leading underscores do not count. Import paths of 0.1 that are one
line each are tested together in test_import_paths.py.
"""

import ast
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
    package, cext = ROOT / "gmtoolbox", ROOT / "cext" / "src"
    for path in sorted(package.rglob("*.py")):
        if path.name != "__init__.py" and not is_import_path(path):
            place = path.relative_to(package)
            yield path, TESTS / place.parent / f"test_{place.stem.strip('_')}.py"
    for path in sorted(cext.rglob("*.c")):
        place = path.relative_to(cext)
        yield path, TESTS / "cext" / place.parent / f"test_{place.stem}.py"


@pytest.mark.parametrize(
    "source, test", [pytest.param(*pair, id=str(pair[0].relative_to(ROOT))) for pair in sources()]
)
def test_has_a_test_file_of_its_name(source, test):
    assert test.is_file(), f"{source.relative_to(ROOT)} wants {test.relative_to(ROOT)}"
    assert any(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for node in ast.walk(ast.parse(test.read_text()))
    ), f"{test.relative_to(ROOT)} tests nothing"
