# Written by scripts/make_stubs: what editors and type checkers see.
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import ArrayLike, NDArray

from gmtoolbox import Problem, Result

def matching_to_qap(problem: Any) -> Any: ...

def qap_to_matching(problem: Any, shift: Any = ...) -> Any: ...

def incomplete_lap_to_lap(problem: Any) -> Any: ...

def swap(problem: Any) -> Any: ...
