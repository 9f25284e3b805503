"""Many graphs as a folder: a file for every pair, and multi.json.

multi.json    {"format": "gmtoolbox multi", "graphs": d, "sizes": [...], "sense": "min" or "max",
              "pairs": {"0 1": file or null, ...}, and "names", "truth", "points" with their
              "dimensions" if known}; 0-based
"""

from pathlib import Path

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.saved import plain, with_floats
from gmtoolbox.io.files import is_plain_name, json_text, read_json, replace_folder, write_bytes
from gmtoolbox.io.formats import EVERYTHING, FOLDER, MULTI, load_file, reader, save_file, writer
from gmtoolbox.io.libmgm import check_sizes, is_number

INDEX, FORMAT = "multi.json", "gmtoolbox multi"


def is_folder(path):
    """Whether a path is such a folder."""
    return (Path(path) / INDEX).is_file()


@reader(FOLDER, holds=MULTI, recognise=is_folder)
def read(path):
    """MultiProblem from a folder."""
    folder, index = Path(path), Path(path) / INDEX
    if not index.is_file():
        raise FileFormatError(folder, f"a folder without {INDEX}, so not one of many graphs")
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
            points=read_points(record),
            sense=record.get("sense"),  # files of 0.1 have none
        )
    except (TypeError, ValueError) as error:
        raise FileFormatError(index, str(error)) from error


def read_points(record):
    """The points of all graphs, or None."""
    points, dimensions = with_floats(record.get("points")), record.get("dimensions")
    if points is None or dimensions is None:  # files of 0.1 have none
        return points
    return [
        np.array(own, dtype=float).reshape(len(own), n)
        for own, n in zip(points, dimensions, strict=True)
    ]


@writer(FOLDER, holds=MULTI, keeps=EVERYTHING)
def write(multi, path, suffix=".dd.xz"):
    """Write a folder, which must not exist or be empty; it appears whole or not at all."""
    files = {
        f"{g} {h}": None if problem is None else f"{g}-{h}{suffix}"
        for (g, h), problem in multi.pairs.items()
    }
    record = {"format": FORMAT, "name": multi.name, "base": 0, "graphs": multi.d}
    record.update(sizes=list(multi.sizes), sense=multi.sense, pairs=files)
    if multi.names is not None:
        record["names"] = list(multi.names)
    if multi.truth is not None:
        record["truth"] = plain(list(multi.truth))
    if multi.points is not None:
        record["points"] = plain(list(multi.points))
        record["dimensions"] = [own.shape[1] for own in multi.points]
    with replace_folder(path) as draft:
        for (g, h), problem in multi.pairs.items():
            if problem is not None:
                save_file(problem, draft / f"{g}-{h}{suffix}")
        write_bytes(draft / INDEX, (json_text(record) + "\n").encode())
