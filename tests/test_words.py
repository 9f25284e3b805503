"""One word, one meaning: names in Python that CONTRIBUTING.md gives one meaning each."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "gmtoolbox"
PLACES = {  # word: where its one meaning is at home
    "work": {"solvers/_swaps.py"},  # an amount
    "finished": {"engine/kernels.py"},  # of a gm_run
    "block": {  # a rectangle of a matrix
        "solvers/ipfp.py",
        "solvers/_starts.py",
        "engine/match_eig.py",
        "core/matrix.py",
    },
}


def names(tree):
    for node in ast.walk(tree):
        for field in ("id", "arg", "attr", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name.lower(), getattr(node, "lineno", 0)


@pytest.mark.parametrize("word", PLACES)
def test_a_word_keeps_to_its_meaning(word):
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if place not in PLACES[word]:
            for name, line in names(ast.parse(path.read_text())):
                assert name != word, f"{place}:{line}: {word!r} means something else (CONTRIBUTING)"


def test_left_is_a_side():
    """A number or a time that remains has another name: a method `left()` would be one."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            function = isinstance(node, ast.FunctionDef) and not node.decorator_list
            method = function and node.name == "left"
            counted = isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == "left"
            assert not method and not counted, f"{path.name}:{node.lineno}"
