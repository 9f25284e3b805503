"""Every function of the package says in one line what comes out; a method that overrides another
may leave that to it.
"""

import ast
from pathlib import Path

from parsed import tree_of

PACKAGE = Path(__file__).resolve().parents[1] / "gmtoolbox"
FORMS = (
    "core/edges.py",
    "core/factors.py",
    "core/layers.py",
    "core/overlaps.py",
    "core/products.py",
)  # told at the head of core/edges


def trees():
    """(place, syntax tree) of every module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), tree_of(path)


def functions_of(body):
    """The functions of a module or class that have a name of their own."""
    found = (node for node in body if isinstance(node, ast.FunctionDef))
    return [node for node in found if not node.name.startswith("__")]


def is_told_above(cls, name, classes):
    """Whether a base class, or a base of one, has a docstring for this method."""
    for base in cls.bases:
        above = classes.get(getattr(base, "id", None))
        if above is None:
            continue
        told = any(
            node.name == name and ast.get_docstring(node) for node in functions_of(above.body)
        )
        if told or is_told_above(above, name, classes):
            return True
    return False


def test_every_module_and_class_says_what_it_is():
    for place, tree in trees():
        assert ast.get_docstring(tree), f"{place} has no docstring"
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                assert ast.get_docstring(node), f"{place}:{node.lineno}: {node.name}"


def test_every_function_says_what_comes_out():
    classes = {
        node.name: node
        for _, tree in trees()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    for place, tree in trees():
        for node in functions_of(tree.body):
            assert ast.get_docstring(node), f"{place}:{node.lineno}: {node.name}"
        for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            for node in functions_of(cls.body):
                told = ast.get_docstring(node) or is_told_above(cls, node.name, classes)
                where = f"{place}:{node.lineno}: {cls.name}.{node.name}"
                assert told or place in FORMS, where
