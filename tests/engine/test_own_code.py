"""The identity of solvers of one's own changes with their code and nothing else."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from gmtoolbox.engine.own import import_file
from gmtoolbox.engine.own_code import code_of

FILE = '''
from dataclasses import dataclass
from functools import cached_property, partial
import numpy as np
import gmtoolbox as gm

TABLE = {"a", "b", "c", "d"}
WEIGHTS = np.array([1.0, 2.0])

@dataclass
class Helper:
    """Text."""
    size: int = 3

    @property
    def half(self):
        return self.size / 2

    @cached_property
    def slow(self):
        return 7

    @staticmethod
    def plain(x):
        return x + 1

def helper(x):
    return x in {"p", "q", "r"} or x in TABLE

def outer(k):
    def mine(problem, *, patience: int = 5):
        """Text."""
        scale = [WEIGHTS @ WEIGHTS for _ in range(k)]
        return helper("x"), Helper().half, scale, partial(helper, "y")
    return mine

gm.solver("mine")(outer(3))
'''
CHANGES = [
    ('"a", "b"', '"a", "e"'),
    ("1.0, 2.0", "1.0, 2.5"),
    ("self.size / 2", "self.size / 3"),
    ("return 7", "return 8"),
    ("x + 1", "x + 2"),
    ('"p", "q"', '"p", "z"'),
    ("patience: int = 5", "patience: int = 6"),
    ("outer(3)", "outer(4)"),
    ("size: int = 3", "size: int = 4"),
    ('gm.solver("mine")', 'gm.solver("mine", has_bound=True)'),
]


@pytest.fixture
def code(tmp_path, own_registry):
    """The hash of a file's solver."""

    def of(text):
        (tmp_path / "own.py").write_text(text)
        import_file(tmp_path / "own.py")
        return code_of("mine")

    return of


def test_everything_that_a_function_reaches_counts(code):
    first = code(FILE)
    assert len(first) == 32 and code(FILE) == first
    assert code("\n# a comment\n\n" + FILE) == first
    found = {code(FILE.replace(old, new)) for old, new in CHANGES}
    assert len(found) == len(CHANGES) and first not in found


def test_it_is_the_same_in_every_process(tmp_path):
    (tmp_path / "own.py").write_text(FILE)
    program = """
        import sys
        from gmtoolbox.engine.own import import_file
        from gmtoolbox.engine.own_code import code_of
        import_file(sys.argv[1])
        print(code_of("mine"))
    """
    found = {
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program), tmp_path / "own.py"],
            env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True, timeout=120,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


def test_methods_of_this_package_have_none_and_what_cannot_be_walked_is_always_new():
    assert code_of("fm") == ""
    lines = (line for line in "ab")

    def mine(problem):
        return next(lines)

    assert code_of(mine) != code_of(mine)


def test_functions_that_name_themselves_and_each_other():
    def one(problem):
        return two(problem)

    def two(problem):
        return one(problem) + np.ones(2)

    assert code_of(one) == code_of(one) != code_of(two)
