"""Many graphs in one HDF5 file: a group `pair_<g>_<h>` of the fields of hdf5.py for every pair.

Attributes of the file: format = "gmtoolbox multi", version = 1, sizes (d,), sense; datasets
truth_<g>, points_<g> and names (a JSON list, uint8) if known. A pair without a group has no
candidates.
"""

from itertools import combinations
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.io.files import Allowance, names_from_text, names_to_text
from gmtoolbox.io.h5safe import attribute, member, values
from gmtoolbox.io.hdf5_fields import read_fields, write_fields

FORMAT, VERSION, MOST_GRAPHS = "gmtoolbox multi", 1, 10_000


def is_multi(file):
    """Whether an open file holds many graphs."""
    return attribute(file, "format") == FORMAT


def read(path, file):
    """MultiProblem from an open file."""
    sizes = attribute(file, "sizes")
    if attribute(file, "version") != VERSION or sizes is None:
        raise FileFormatError(path, f"must have the attributes version = {VERSION} and sizes")
    sizes = [int(n) for n in np.ravel(sizes)]
    if not 2 <= len(sizes) <= MOST_GRAPHS:
        raise FileFormatError(path, f"sizes must name 2..{MOST_GRAPHS} graphs, got {len(sizes)}")
    pairs = {}
    for g, h in combinations(range(len(sizes)), 2):
        name = f"pair_{g}_{h}"
        pairs[g, h] = None
        if name in file:
            try:
                pairs[g, h] = Problem(**read_fields(path, file[name]))
            except (InputError, AttributeError, TypeError) as error:
                raise FileFormatError(path, f"{name}: {error}") from error
    allowance = Allowance(path)
    fields = {"sense": attribute(file, "sense")}  # files of 0.1 have none
    if (dataset := member(file, "names")) is not None:
        text = bytes(values(dataset, allowance, "names")).decode("utf-8", "replace")
        fields["names"] = names_from_text("names", text, len(sizes))
    for field in ("truth", "points"):
        found = [member(file, f"{field}_{g}") for g in range(len(sizes))]
        if all(dataset is not None for dataset in found):
            fields[field] = [values(dataset, allowance, field) for dataset in found]
    try:
        return MultiProblem(pairs, sizes=sizes, name=Path(path).stem, **fields)
    except InputError as error:
        raise FileFormatError(path, str(error)) from error


def write(multi, file):
    """Into an open file."""
    file.attrs["format"] = np.bytes_(FORMAT)
    file.attrs["version"] = VERSION
    file.attrs["sizes"] = np.array(multi.sizes, dtype=np.int64)
    file.attrs["sense"] = np.bytes_(multi.sense)
    if multi.names is not None:
        text = names_to_text(multi.names).encode()
        file.create_dataset("names", data=np.frombuffer(text, dtype=np.uint8))
    for (g, h), problem in multi.pairs.items():
        if problem is not None:
            write_fields(problem, file.create_group(f"pair_{g}_{h}"))
    for field in ("truth", "points"):
        for g, own in enumerate(getattr(multi, field) or ()):
            file.create_dataset(f"{field}_{g}", data=own)
