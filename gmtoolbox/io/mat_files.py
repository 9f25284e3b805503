"""The variables of MAT files: read in any version, or in the text format of Octave; written as
structs, struct arrays, cells and doubles.
"""

import io

from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.core.lazy import np
from gmtoolbox.io import mat5, mat73, octave_text
from gmtoolbox.io.files import Allowance, read_bytes, write_bytes


def save_variables(path, variables, octave=False):
    """Write Python values as a .mat file; it appears whole or not at all.

    octave  count a text's bytes, as Octave does, not its characters, as MATLAB does
    """
    write_bytes(path, struct_bytes(variables, octave))


def struct_bytes(variables, octave=False):
    """The bytes of a .mat file of Python values."""
    from scipy.io import savemat  # costs a tenth of a second

    stream = io.BytesIO()
    savemat(stream, as_matlab(variables, octave), oned_as="column", long_field_names=True)
    return stream.getvalue()


def as_matlab(value, octave=False):
    """dict -> struct, list of dicts -> struct array, list of texts -> cell, number -> double, bool
    -> logical.
    """
    if isinstance(value, dict):
        return {name: as_matlab(item, octave) for name, item in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        records = np.empty((len(value), 1), dtype=[(name, object) for name in value[0]])
        for k, item in enumerate(value):
            records[k, 0] = tuple(as_matlab(entry, octave) for entry in item.values())
        return records
    if isinstance(value, list):
        cells = np.empty((len(value), 1), dtype=object)
        for k, item in enumerate(value):
            cells[k, 0] = as_matlab(item, octave)
        return cells
    if value is None:
        return np.zeros((0, 0))
    if isinstance(value, str) and octave:
        return np.array([value.encode()])
    if isinstance(value, int) and not isinstance(value, bool):
        # MATLAB's numbers are doubles: an int64 makes int64 of every expression it meets
        return float(value)
    return value


def read_variables(path):
    """{name: value} of a MAT file of any version, or of one in Octave's own text format."""
    with open(path, "rb") as file:
        head = file.read(mat73.TEXT_HEADER + 8)
    if is_version_73(head):
        return mat73.read_variables(path)
    if head.startswith(octave_text.BINARY_MAGIC):
        raise FileFormatError(
            path, "is in Octave's own binary format; write it with `save -v7 FILE ...`"
        )
    allowance = Allowance(path)
    content = memoryview(read_bytes(path, allowance))[:-1]  # slices of a view are not copies
    if is_octave_text(content):
        return octave_text.read_variables(path, content, allowance)
    return mat5.read_version_5(path, content, allowance)


def is_version_73(content):
    """Whether a file starting so is HDF5, with or without MATLAB's header."""
    return content[:8] == mat73.SIGNATURE or content[mat73.TEXT_HEADER :][:8] == mat73.SIGNATURE


def is_octave_text(content):
    """Whether bytes begin like a text of Octave."""
    return bytes(content[: len(octave_text.MAGIC)]) == octave_text.MAGIC
