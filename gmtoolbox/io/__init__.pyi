# Written by scripts/make_stubs: what editors and type checkers see.
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import ArrayLike, NDArray

from gmtoolbox import Problem, Result

def is_multi(path: str | Path) -> Any: ...

def load(path: str | Path, *, complete: bool | None = ..., key: Any = ..., sense: str = ..., shape: tuple[int, int] | None = ...) -> Problem: ...

def save(what: Any, path: str | Path, **options: Any) -> None: ...
