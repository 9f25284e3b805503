"""Many graphs as a folder: a file for every pair, and multi.json.

multi.json    {"format": "gmtoolbox multi", "graphs": d, "sizes": [...], "pairs": {"0 1": file or
              null, ...}, and "names", "truth", "points" where known}; 0-based
"""

import json
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.io.declared import read_json
from gmtoolbox.io.files import is_plain_name, write_bytes
from gmtoolbox.io.formats import load_file, save_file
from gmtoolbox.io.libmgm import check_sizes, is_number

INDEX, FORMAT = "multi.json", "gmtoolbox multi"


def is_folder(path):
    """Whether a path is such a folder."""
    return (Path(path) / INDEX).is_file()


def read(path):
    """MultiProblem from a folder."""
    folder, index = Path(path), Path(path) / INDEX
    record = read_json(index)
    if record.get("format") != FORMAT or not isinstance(record.get("pairs"), dict):
        raise FileFormatError(index, f"must have 'format': {FORMAT!r} and 'pairs'")
    pairs = {}
    for key, name in record["pairs"].items():
        words = key.split()
        if len(words) != 2 or not all(is_number(word) for word in words):
            raise FileFormatError(index, f"pairs are keyed by '<g> <h>', got {key!r}")
        if name is not None and not is_plain_name(name):
            raise FileFormatError(index, f"pair {key}: must be a plain file name, got {name!r}")
        if name is not None and (folder / name).is_dir():  # two folders could name each other
            raise FileFormatError(index, f"pair {key}: must be a file, {name!r} is a folder")
        pair = tuple(map(int, words))
        pairs[pair] = None if name is None else load_file(folder / name, complete=False)
    sizes = record.get("sizes")
    if sizes is not None:
        check_sizes(index, "sizes", sizes)
    try:
        return MultiProblem(
            pairs,
            sizes=sizes,
            name=str(record.get("name", folder.name)),
            names=record.get("names"),
            truth=record.get("truth"),
            points=record.get("points"),
        )
    except (TypeError, ValueError) as error:
        raise FileFormatError(index, str(error)) from error


def write(multi, path, suffix=".dd.xz"):
    """Write a folder, which must not exist or be empty; multi.json comes last."""
    folder = Path(path)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} must be a new or an empty folder")
    folder.mkdir(exist_ok=True)
    files = {}
    for (g, h), problem in multi.pairs.items():
        name = f"{g}-{h}{suffix}"
        files[f"{g} {h}"] = None if problem is None else name
        if problem is not None:
            save_file(problem, folder / name)
    record = {"format": FORMAT, "name": multi.name, "base": 0, "graphs": multi.d}
    record.update(sizes=list(multi.sizes), pairs=files)
    if multi.names is not None:
        record["names"] = list(multi.names)
    for field in ("truth", "points"):
        if getattr(multi, field) is not None:
            record[field] = [own.tolist() for own in getattr(multi, field)]
    write_bytes(folder / INDEX, (json.dumps(record) + "\n").encode())
