"""Python values as MATLAB's variables: structs, struct arrays, cells and doubles."""

import io

from gmtoolbox.core.lazy import np
from gmtoolbox.io.files import write_bytes


def save_variables(path, variables, octave=False):
    """Write Python values as a .mat file; it appears whole or not at all.

    octave  count a text's bytes, as Octave does, not its characters, as MATLAB does
    """
    write_bytes(path, variables_bytes(variables, octave))


def variables_bytes(variables, octave=False):
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
