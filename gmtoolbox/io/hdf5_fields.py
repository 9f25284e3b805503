"""The fields of one Problem in an HDF5 file, or in a group of it; hdf5.py describes them."""

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.lazy import np
from gmtoolbox.io.files import NODE_BYTES, Allowance, names_from_text, names_to_text
from gmtoolbox.io.h5safe import attribute, member, values

VERSION = 1
REQUIRED = {"left": "i", "right": "i", "cost": "f", "a": "i", "b": "i", "edge_cost": "f"}
OPTIONAL = {
    "points1": "f",
    "points2": "f",
    "neighbours1": "i",
    "neighbours2": "i",
    "ground_truth": "i",
}
NAMES = ("nodes1", "nodes2")


def write_fields(problem, file):
    """Into an open file or a group of it."""
    file.attrs["format"] = np.bytes_("gmtoolbox")
    file.attrs["version"] = VERSION
    file.attrs["shape"] = np.array(problem.shape, dtype=np.int64)
    file.attrs["sense"] = np.bytes_(problem.sense)
    file.attrs["complete"] = problem.complete
    file.attrs["offset"] = problem.offset
    for name in (*REQUIRED, *OPTIONAL):
        array = getattr(problem, name)
        if array is not None:
            packed = (
                {"compression": "gzip", "shuffle": True, "fletcher32": True} if array.size else {}
            )
            file.create_dataset(name, data=array, **packed)
    for name in NAMES:
        if getattr(problem, name) is not None:
            text = names_to_text(getattr(problem, name)).encode()
            file.create_dataset(name, data=np.frombuffer(text, dtype=np.uint8), fletcher32=True)


def read_fields(path, file):
    """Keyword arguments of the Problem."""
    for name, wanted in (("format", "gmtoolbox"), ("version", VERSION)):
        if (found := attribute(file, name)) != wanted:
            raise FileFormatError(path, f"attribute {name} must be {wanted!r}, got {found!r}")
    fields = {name: attribute(file, name) for name in ("shape", "sense", "complete", "offset")}
    missing = [name for name, value in fields.items() if value is None]
    if missing:
        raise FileFormatError(path, f"attribute {missing[0]} is missing")
    fields["shape"] = tuple(int(n) for n in np.ravel(fields["shape"]))
    fields["sense"] = str(fields["sense"])
    allowance = Allowance(path)
    allowance.take("shape", NODE_BYTES * sum(fields["shape"]))
    for name, kind in {**REQUIRED, **OPTIONAL}.items():
        dataset = member(file, name)
        if dataset is None and name in OPTIONAL:
            continue
        if dataset is None:
            raise FileFormatError(path, f"dataset {name} is missing")
        fields[name] = values(dataset, allowance, name)
        if fields[name].dtype.kind != kind:
            raise FileFormatError(
                path,
                f"dataset {name} must hold {'integers' if kind == 'i' else 'floats'}, got"
                f" {fields[name].dtype}",
            )
    for side, name in enumerate(NAMES):
        if (dataset := member(file, name)) is not None:
            text = bytes(values(dataset, allowance, name)).decode("utf-8", "replace")
            fields[name] = names_from_text(name, text, fields["shape"][side])
    return fields
