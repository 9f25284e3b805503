"""Syntax trees of source files, made once for all tests that read the code."""

import ast
from functools import cache


@cache
def tree_of(path):
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path):
    """Return all nodes of a file's syntax tree."""
    return tuple(ast.walk(tree_of(path)))
