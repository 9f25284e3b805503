"""Octave's own text format, as `save k.mat K` writes it."""

import gzip

import numpy as np
import pytest
from octave_process import needs_octave, run_octave
from scipy import sparse

import gmtoolbox as gm
from gmtoolbox.core.errors import FileFormatError
from gmtoolbox.io.mat_files import read_variables

HEAD = "# Created by Octave 7.3.0, Mon Nov 16 18:18:25 2026 UTC <somebody@somewhere>\n"
MATRIX = "# name: K\n# type: matrix\n# rows: 4\n# columns: 4\n" + (
    " 5 0 0 2\n 0 1 1 0\n 0 1 1 0\n 2 0 0 5\n\n\n"
)
HANDLE = "# name: f\n# type: function handle\n@<anonymous>\n@(x) x\n\n\n"


def variables(tmp_path, text):
    path = tmp_path / "k.mat"
    path.write_text(HEAD + text)
    return read_variables(path)


def test_a_bare_affinity(tmp_path):
    assert variables(tmp_path, HANDLE + MATRIX).keys() == {"f", "K"}
    result = gm.gm_solve(tmp_path / "k.mat", "fw")
    assert result.labels.tolist() == [0, 1] and result.value == 14 and result.sense == "max"


def test_compressed_as_with_save_zip(tmp_path):
    (tmp_path / "k.mat").write_bytes(gzip.compress((HEAD + MATRIX).encode()))
    assert gm.load(tmp_path / "k.mat").shape == (2, 2)


def test_binary_is_recognised(tmp_path):
    (tmp_path / "k.mat").write_bytes(b"Octave-1-L\0" + bytes(40))
    with pytest.raises(FileFormatError, match="save -v7"):
        gm.load(tmp_path / "k.mat")


@pytest.mark.parametrize(
    "text, words",
    [
        ("# name: K\n# type: matrix\n# rows: 4\n# columns: 4\n 1 2 3\n", "expected 16 numbers"),
        ("# name: K\n# type: matrix\n# rows: 4\n", "expected '# columns"),
        ("# name: K\n# type: matrix\n# rows: 9999999999\n# columns: 9999999999\n", "numbers"),
        ("# name: K\n# type: matrix\n# rows: -4\n# columns: 1\n", "whole number"),
        ("# name: K\n# type: matrix\n# rows: 1\n# columns: 1\n x\n", "real numbers"),
        ("# name: K\n# type: sparse matrix\n# nnz: 1\n# rows: 1\n# columns: 1\n2 1 5\n", "outside"),
        ("# name: K\n# type: cell\n# rows: 100000\n# columns: 100000\n", "does not fit"),
        ("# name: K\n# type: scalar struct\n# ndims: 2\n 1 1\n# length: 1\n", "inside a struct"),
        ("nonsense\n", "expected '# name"),
    ],
)
def test_broken_files_are_named_with_their_line(text, words, tmp_path):
    with pytest.raises(FileFormatError, match=words) as caught:
        variables(tmp_path, text)
    assert caught.value.line


@needs_octave
def test_everything_that_octave_saves(tmp_path):
    code = """
    K = [1 2.5; 3 -Inf]; S = sparse([0 5; 6 0]); L = K > 2; SL = sparse(L); n = int32([1 2; 3 4]);
    e = uint8(7); P.K = K; P.deep.Ct = [1 1]; c = {1, 'x'; [1 2], 3}; d = eye(2); r = 1:3; b = true;
    sg = single(K); Q(1).a = 1; Q(2).a = 2; t = 'some text'; m = 0.1; nothing = [];
    save k.mat K S L SL n e P c d r b sg Q t m nothing
    save -zip z.mat K S
    """
    run_octave(code, tmp_path)
    found = read_variables(tmp_path / "k.mat")
    K = np.array([[1, 2.5], [3, -np.inf]])
    for name, value in {
        "K": K, "S": [[0, 5], [6, 0]], "L": K > 2, "SL": K > 2, "n": [[1, 2], [3, 4]], "e": [[7]],
        "d": np.eye(2), "r": [[1, 2, 3]], "b": [[1]], "sg": K, "m": [[0.1]],
        "nothing": np.zeros((0, 0)),
    }.items():  # fmt: skip
        read = found[name].toarray() if sparse.issparse(found[name]) else found[name]
        assert np.array_equal(read, value), name
    assert np.array_equal(found["P"]["K"], K) and found["P"]["deep"]["Ct"].tolist() == [[1, 1]]
    assert found["c"][0, 1] == "x" and found["c"][1, 0].tolist() == [[1, 2]]
    assert found["Q"][0, 1]["a"] == 2 and found["t"] == "some text"
    assert np.array_equal(read_variables(tmp_path / "z.mat")["K"], K)
