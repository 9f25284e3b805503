"""dd files of many graphs: what is read, what is written, and what each broken file is told."""

import gzip
import lzma

import numpy as np
import pytest

import gmtoolbox as gm

TEXT = """\
c comments anywhere
  gm 0 1
c gm 7 8 in a comment is none
p 2 1 2 0
a 0 0 0 -1.5
c in a section
a 1 1 0 -2

gm 0 2
p 2 2 2 1
a 0 0 0 1
a 1 1 1 2
e 0 1 -4
gm 1 2
p 1 2 0 0
c at the end"""


def written(tmp_path, text, name="x.dd"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "suffix, pack", [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)]
)
def test_what_is_read_and_written(tmp_path, line_end, suffix, pack):
    text = TEXT.replace("\n", line_end).encode()
    m = gm.load(written(tmp_path, pack(text), "three.dd" + suffix))
    assert isinstance(m, gm.MultiProblem) and m.name == "three" and m.sizes == (2, 1, 2)
    assert m[0, 1].cost.tolist() == [-1.5, -2.0] and m[0, 2].edge_cost.tolist() == [-4.0]
    assert m[1, 2] is None
    assert m.energy([[0, 1], [2], [0, 1]]) == -1.0
    copy = tmp_path / ("copy.dd" + suffix)
    gm.save(m, copy)
    assert gm.load(copy) == m
    assert copy.read_bytes()[:2] == pack(b"gm")[:2]


def test_byte_order_mark_and_a_first_line_of_comments(tmp_path):
    assert gm.load(written(tmp_path, b"\xef\xbb\xbf" + TEXT.encode())).d == 3
    assert gm.load(written(tmp_path, b"\xef\xbb\xbfgm 0 1\np 1 1 1 0\na 0 0 0 2\n")).d == 2


def test_sense_and_offset_come_back(tmp_path):
    p = gm.Problem((1, 1), [0], [0], [-1.0], sense="max", offset=0.1)
    m = gm.MultiProblem({(0, 1): p, (0, 2): p, (1, 2): p})
    gm.save(m, tmp_path / "m.dd")
    again = gm.load(tmp_path / "m.dd")
    assert again.sense == "max" and again.offset == pytest.approx(m.offset)
    assert again.energy([[0], [0], [0]]) == pytest.approx(m.energy([[0], [0], [0]]))


@pytest.mark.parametrize(
    "text, line, said",
    [
        (TEXT.replace("gm 1 2", "gm 1 3"), 14, "no section 'gm 0 3'"),
        (TEXT[: TEXT.index("gm 0 2")].replace("gm 0 1", "gm 1 2"), 2, "no section 'gm 0 1'"),
        (TEXT.replace("gm 1 2", "gm 0 2"), 14, "line 9 already"),
        (TEXT.replace("gm 1 2", "gm 2 1"), 14, "g < h"),
        (TEXT.replace("gm 1 2", "gm 1"), 14, "must be 'gm <g> <h>'"),
        (TEXT.replace("gm 1 2", "gm 1 x"), 14, "must be 'gm <g> <h>'"),
        (TEXT.replace("gm 1 2", "gm 1 99999999999999999999999"), 14, "g < h"),
        (TEXT.replace("a 1 1 1 2", "a 1 1 5 2"), 12, "s must be in 0..1"),
        (TEXT.replace("a 1 1 1 2\n", ""), 10, "announces #e = 1, more than|announces #a = 2"),
        (TEXT.replace("e 0 1 -4\n", ""), 10, "announces #e = 1"),
        (TEXT.replace("p 2 2 2 1", "p 2 2 2 99999"), 10, "more than the file has room for"),
        (TEXT.replace("a 1 1 1 2", "a 1 0 0 2"), 12, "was given in line 11 already"),
        (TEXT.replace("p 2 2 2 1", "p 3 2 2 1"), 9, "graph 0 has 3 nodes here and 2 before"),
        (TEXT.replace("p 2 2 2 1\n", ""), 10, "the prologue"),
        (TEXT.replace("e 0 1 -4", "e 0 1 nan"), 13, "cost must be finite"),
        ("gm 0 1\n", 1, "prologue"),
        ("gm", 1, "must be 'gm <g> <h>'"),
    ],
)  # fmt: skip
def test_broken_files_are_told_where(tmp_path, text, line, said):
    path = written(tmp_path, text)
    with pytest.raises(gm.FileFormatError, match=said.replace("<", ".")) as caught:
        gm.load(path)
    assert f":{line}:" in str(caught.value)


def test_every_cut_is_refused_or_read(tmp_path):
    """A file cut off anywhere is an error of the format or, behind a whole pair, a smaller one."""
    for end in range(2, len(TEXT)):
        try:
            m = gm.load(written(tmp_path, TEXT[:end]))
        except gm.FileFormatError:
            continue
        assert isinstance(m, gm.MultiProblem)


def test_damaged_bytes_never_crash(tmp_path):
    rng = np.random.default_rng(0)
    for _ in range(300):
        data = bytearray(TEXT.encode())
        for at in rng.integers(0, len(data), 3):
            data[at] = rng.integers(0, 256)
        try:
            gm.load(written(tmp_path, bytes(data)))
        except gm.GMError:
            pass
