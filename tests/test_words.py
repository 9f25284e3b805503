"""One word, one meaning: the names in Python and C that hold a word of CONTRIBUTING.md's six.

Every such name is listed below, under the one meaning of its word. A new name belongs there if it
has that meaning; if it has another, another word is better.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PYTHON = {
    "work": "work",  # an amount
    "finished": "finished",  # what a kernel says of itself
    "block": """block block_left block_matrix block_right has_block moved_block
        y_block""",  # a rectangle of a matrix
    "share": """primal_share root_share round_share search_share share sparse_share
        spectral_share""",  # a fraction
    "left": "block_left left left_complete left_edges n_left",  # the side of a matching
    "run": """best_runs current_run dry_run failed_runs pack_run read_study_run run run_arguments
        run_chunk run_columns run_here run_kernel run_on_dask run_pieces run_plan run_record
        run_table run_there run_wrapper _runs runs runs_csv runs_table to_run
        unpack_run""",  # one solve of one problem; and to make one
}
PLACES = {  # word: where it stands by itself
    "work": {"solvers/_swaps.py"},
    "finished": {"engine/kernels.py"},
    "block": {
        "solvers/ipfp.py",
        "solvers/_starts.py",
        "engine/match_eig.py",
        "core/matrix.py",
    },
    "share": {
        "bench/copied_store.py",
        "bench/heatmap.py",
        "bench/many_graphs.py",
        "bench/verdict.py",
        "models/points.py",
        "plot/canvas.py",
        "solvers/_components.py",
    },
}


def python_names():
    """(name in small letters, file, line) of everything that Python names."""
    package = ROOT / "gmtoolbox"
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            for field in ("id", "arg", "attr", "name"):
                name = getattr(node, field, None)
                if isinstance(name, str):
                    line = getattr(node, "lineno", 0)
                    yield name.lower(), path.relative_to(package).as_posix(), line


def has_word(name, word):
    """Whether one of the parts of a name, in small letters, is the word."""
    parts = name.split("_")
    return word in parts or f"{word}s" in parts


@pytest.mark.parametrize("word", PYTHON)
def test_a_word_keeps_to_its_meaning(word):
    for name, place, line in python_names():
        where = f"{place}:{line}: {name}"
        known = PYTHON[word].split()
        assert not has_word(name, word) or name in known, f"{where}: {word!r} has one meaning"
        alone = name == word and word in PLACES
        assert not alone or place in PLACES[word], f"{where}: {word!r} has one meaning"


def test_left_is_a_side():
    """A number or a time that remains has another name: a method `left()` would be one."""
    for path in sorted((ROOT / "gmtoolbox").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            function = isinstance(node, ast.FunctionDef) and not node.decorator_list
            method = function and node.name == "left"
            counted = isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == "left"
            assert not method and not counted, f"{path.name}:{node.lineno}"
