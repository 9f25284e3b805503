"""One word, one meaning: the names in Python and C that hold a word of CONTRIBUTING.md's six.

Every such name is listed below, under the one meaning of its word. A new name belongs there if it
has that meaning; if it has another, another word is better.
"""

import ast
import re
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
        run_chunk run_columns run_here run_kernel run_of run_on_dask run_pieces run_plan run_record
        run_table run_there run_wrapper _runs runs runs_csv runs_table to_run
        unpack_run""",  # one solve of one problem; and to make one
}
C = {
    "work": """aj_dense_work aj_evaluation_work aj_quick_work aj_root_work aj_round_work
        aj_sdp_work aj_semidefinite_step_work aj_step_work gm_bca_work gm_descent_work
        gm_primal_work gm_tabu_work root_work work""",
    "finished": "finished",
    "block": "block block_left block_other block_right of_block",
    "share": "even_share multi_pair_primal_share primal_share qap_min_share share",
    "left": """block_left by_left cover_left free_end_left left left_level left_start most_left
        n_left of_left to_left""",
    "run": """gm_base_run_h gm_gm_run_h gm_run gm_run_clear gm_run_init gm_run_offer gm_run_raise
        gm_run_stop_when_closed improved_run run""",
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


COMMENT = r"/\*.*?\*/|//[^\n]*"
QUOTED = r"""(["'])(?:\\.|(?!\1)[^\\\n])*\1"""
INCLUDE = r"#\s*include[^\n]*"
C_TOKEN = re.compile(rf"{COMMENT}|{QUOTED}|{INCLUDE}|(?P<name>[A-Za-z_]\w*)", re.DOTALL)


def c_names():
    """(name in small letters, file) of all that the kernels and the header name."""
    package = ROOT / "cext"
    for path in sorted([*package.glob("src/**/*.[ch]"), *package.glob("include/**/*.h")]):
        tokens = C_TOKEN.finditer(path.read_text())
        for name in sorted({token["name"].lower() for token in tokens if token["name"]}):
            yield name, path.relative_to(package).as_posix()


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


@pytest.mark.parametrize("word", C)
def test_a_word_keeps_to_its_meaning_in_c(word):
    for name, place in c_names():
        known = not has_word(name, word) or name in C[word].split()
        assert known, f"{place}: {name}: {word!r} has one meaning"


def test_left_is_a_side():
    """A number or a time that remains has another name: a method `left()` would be one."""
    for path in sorted((ROOT / "gmtoolbox").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            function = isinstance(node, ast.FunctionDef) and not node.decorator_list
            method = function and node.name == "left"
            counted = isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == "left"
            assert not method and not counted, f"{path.name}:{node.lineno}"
