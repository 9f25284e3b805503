# Written by scripts/make_stubs: what editors and type checkers see.
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import ArrayLike, NDArray

from gmtoolbox import Problem, Result

class Keypoints:
    def __init__(self, points1: Any, descriptors1: Any, points2: Any, descriptors2: Any, truth: Any) -> None: ...
    points1: NDArray[Any] | None
    descriptors1: Any
    points2: NDArray[Any] | None
    descriptors2: Any
    truth: Any
    def __eq__(self, other: object) -> bool: ...

def load(name: str) -> Problem: ...

def load_keypoints() -> Keypoints: ...

def load_molecules() -> dict[str, tuple[NDArray[Any], list[str]]]: ...

def load_network(name: str) -> tuple[Any, list[str]]: ...

def names() -> Any: ...
