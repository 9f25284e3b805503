"""Python values as MATLAB's."""

import numpy as np
from scipy.io import loadmat

from gmtoolbox.io.mat_files import as_matlab, save_variables


def test_structs_arrays_cells_and_doubles(tmp_path):
    records = [{"name": "a", "n": 1, "x": None}, {"name": "b", "n": 2, "x": np.eye(2)}]
    save_variables(tmp_path / "v.mat", {"runs": records, "texts": ["p", "q"], "flag": True})
    read = loadmat(tmp_path / "v.mat")
    assert read["runs"].shape == (2, 1) and read["runs"][1, 0]["name"][0] == "b"
    assert read["runs"][0, 0]["n"].dtype == float and read["runs"][0, 0]["x"].size == 0
    assert read["texts"].shape == (2, 1) and read["flag"].dtype == np.uint8
    assert isinstance(as_matlab(3), float) and as_matlab("é", octave=True)[0] == "é".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["v.mat"]
