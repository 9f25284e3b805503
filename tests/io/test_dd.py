"""The dd format: what is read, what is written, and what each broken file is told."""

import gzip
import lzma
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

import gmtoolbox as gm
from gmtoolbox.io import files
from gmtoolbox.io.dd import problem_name, read_section, section_lines, show_line
from gmtoolbox.io.files import Allowance

ALL_LINES = """\
c every line type, ids in any order
p 2 3 4 2
i0 0 1.5 -2
a 3 1 2 -4e-1
a 0 0 0 1.25
c in between
n0 0 1
a 1 0 1 -.5

a 2 1 0 +3.
i0 1 0.1 1e-3
e 0 3 -7
i1 2 9 9
e 2 1 0.5
n1 0 2
n1 2 1
c at the end"""


def write_text(tmp_path, text, name="x.dd"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def check_all_lines(p):
    assert p.shape == (2, 3) and not p.complete and p.sense == "min"
    assert p.left.tolist() == [0, 1, 0, 1] and p.right.tolist() == [0, 0, 1, 2]
    assert p.cost.tolist() == [1.25, 3.0, -0.5, -0.4]
    assert p.a.tolist() == [0, 1] and p.b.tolist() == [3, 2] and p.edge_cost.tolist() == [-7.0, 0.5]
    assert p.points1.tolist() == [[1.5, -2.0], [0.1, 1e-3]]
    assert np.isnan(p.points2[:2]).all() and p.points2[2].tolist() == [9, 9]
    assert p.neighbours1.tolist() == [[0, 1]] and p.neighbours2.tolist() == [[0, 2], [2, 1]]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "suffix, pack", [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)]
)
def test_all_line_types(tmp_path, line_end, suffix, pack):
    text = ALL_LINES.replace("\n", line_end).encode()
    path = write_text(tmp_path, pack(text), "every.dd" + suffix)
    problem = gm.load(path)
    check_all_lines(problem)
    assert problem.name == "every"
    copy = tmp_path / ("copy.dd" + suffix)
    gm.save(problem, copy)
    assert gm.load(copy) == problem
    assert copy.read_bytes()[:2] == pack(b"p ")[:2]  # really compressed
    assert [x.name for x in tmp_path.iterdir() if x.name.startswith(".")] == []


def test_byte_order_mark_tabs_and_leading_blanks(tmp_path):
    path = write_text(tmp_path, b"\xef\xbb\xbfp 1 1 1 0\n  \ta\t0 0\t0  2 \n")
    assert gm.load(path).cost.tolist() == [2.0]


def test_infinite_cost_forbids_an_assignment(tmp_path):
    path = write_text(tmp_path, "p 2 2 3 2\na 0 0 0 inf\na 1 0 1 1\na 2 1 0 2\ne 1 2 5\ne 0 2 6\n")
    p = gm.load(path)
    assert list(zip(p.left, p.right, p.cost, strict=True)) == [(1, 0, 2.0), (0, 1, 1.0)]
    assert p.edge_cost.tolist() == [5.0]


def test_repeated_edges_add_up_with_a_warning(tmp_path):
    path = write_text(tmp_path, "p 2 2 2 3\na 0 0 0 1\na 1 1 1 1\ne 0 1 5\ne 1 0 6\ne 0 1 7\n")
    with pytest.warns(UserWarning, match="2 edges are repeated"):
        assert gm.load(path).edge_cost.tolist() == [18.0]


PAIR = "a 0 0 0 1\na 1 1 1 2\n"
BROKEN = [
    ("", None, "at least|prologue"),
    ("c only a comment\n", None, "prologue"),
    ("a 0 0 0 1\n", 1, "first line of content must be the prologue"),
    ("p 1 1 1\na 0 0 0 1\n", 1, "#e is missing"),
    ("p 1 1 1 0 7\na 0 0 0 1\n", 1, "too many fields"),
    ("p 1 1 1 0\np 1 1 1 0\n", 2, "second prologue"),
    ("p -1 1 1 0\n", 1, "n1 must be in 0..100000000, got -1"),
    ("p 999999999999 1 1 0\n", 1, "n1 must be in 0..100000000, got 999999999999"),
    (
        "p 1 1 1000000000000 0\na 0 0 0 1\n",
        1,
        "#a = 1000000000000, more than the file has room for",
    ),
    (
        "p 1 1 1 1000000000000\na 0 0 0 1\n",
        1,
        "#e = 1000000000000, more than the file has room for",
    ),
    (
        "p 1 1 1 99999999999999999999999\na 0 0 0 1\n",
        1,
        "more than the file has room for|must be in",
    ),
    ("p 2 2 2 0\n" + PAIR + "a 1 1 1 2\n", 4, "more than the 2 assignments"),
    ("p 2 2 2 0\n" + PAIR + "e 0 1 2\n", 4, "more than the 0 edges"),
    ("p 2 2 2 0\na 0 0 0 1\nc padding padding\n", 1, "#a = 2 assignments, the file has 1"),
    ("p 2 2 2 1\n" + PAIR + "c padding padding\n", 1, "#e = 1 edges, the file has 0"),
    ("p 2 2 2 0\na 0 0 0 1\na 2 1 1 1\n", 3, "id must be in 0..1, got 2"),
    ("p 2 2 2 0\na 0 0 0 1\na 1 2 1 1\n", 3, "i must be in 0..1, got 2"),
    ("p 2 2 2 0\na 0 0 0 1\na 1 0 -1 1\n", 3, "s must be in 0..1, got -1"),
    ("p 2 2 2 0\na 0 0 0 1\na 0 1 1 1\n", 3, "id 0 was given before"),
    ("p 2 2 2 0\na 0 0 0 1\na 1 0 0 1\n", 3, r"assignment \(0, 0\) was given in line 2 already"),
    ("p 1 1 1 0\na 0 0 0 nan\n", 2, "cost must be finite, got nan"),
    ("p 1 1 1 0\na 0 0 0 -inf\n", 2, "cost must be finite, got -inf"),
    ("p 1 1 1 0\na 0 0 0 1e999\n", 2, "cost must be finite, got 1e999"),
    ("p 2 2 2 1\n" + PAIR + "e 0 1 inf\n", 4, "cost must be finite, got inf"),
    ("p 2 2 2 1\n" + PAIR + "e 0 1 NaN\n", 4, "cost must be finite, got NaN"),
    ("p 2 2 2 1\n" + PAIR + "e 1 1 3\n", 4, "two different assignments"),
    ("p 2 2 2 1\n" + PAIR + "e 0 2 3\n", 4, "id2 must be in 0..1, got 2"),
    ("p 1 1 1 0\na 0.0 0 0 1\n", 2, "id must be an integer, got '0.0'"),
    ("p 1 1 1 0\na 0 0 0 1,5\n", 2, "cost must be a number, got '1,5'"),
    ("p 1 1 1 0\na 0 0 0 one\n", 2, "cost must be a number, got 'one'"),
    ("p 1 1 1 0\na 0 0 0 1e\n", 2, "cost must be a number, got '1e'"),
    ("p 1 1 1 0\na 0 0 0 .\n", 2, "cost must be a number"),
    ("p 1 1 1 0\na 0 0 0\nc padding\n", 2, "cost is missing"),
    ("p 1 1 1 0\na 0 0 0 1 2\n", 2, "too many fields"),
    ("p 1 1 1 0\na 0 0 0 1\ni2 0 0 0\n", 3, "unknown line type 'i2'"),
    ("p 1 1 1 0\na 0 0 0 1\ni0 1 0 0\n", 3, "i must be in 0..0, got 1"),
    ("p 1 1 1 0\na 0 0 0 1\ni0 0 0 0\ni0 0 1 1\n", 4, "i 0 was given before"),
    ("p 1 1 1 0\na 0 0 0 1\nn1 0 3\n", 3, "l must be in 0..0, got 3"),
    ("p 1 1 1 0\nx 0 0 0 1\n", 2, "unknown line type 'x'"),
    ("p 1 1 1 0\nab 0 0 0 1\n", 2, "unknown line type 'ab'"),
    ("p 3 3 0 0\n", None, "at least one candidate"),
    ("p 0 0 0 0\n", None, "shape"),
    (b"p 1 1 1 0\na 0 0 0 1\n\x00\x00", 3, "unknown line type"),
    (b"\x7fELF\x02\x01\x01\x00\x00\x00\n\x00", 1, "prologue"),
    (b"\x1f\x8bgarbage", None, "cannot be decompressed"),
    (b"\xfd7zXZ\x00garbage", None, "cannot be decompressed"),
    (gzip.compress(ALL_LINES.encode())[:-9], None, "cannot be decompressed"),
    (lzma.compress(ALL_LINES.encode())[:-9], None, "cannot be decompressed"),
]


@pytest.mark.parametrize("text, line, message", BROKEN)
def test_broken_files_are_told_where_and_why(tmp_path, text, line, message):
    path = write_text(tmp_path, text, "broken.dd")
    with pytest.raises(gm.FileFormatError, match=message) as caught:
        gm.load(path)
    assert str(path) in str(caught.value)
    if line:
        assert caught.value.line == line


def test_every_truncation_is_refused(tmp_path):
    text = ALL_LINES[: ALL_LINES.rindex("e 2 1 0.5") + 9].encode()
    body = text.index(b"e 2 1 0.5") + len(b"e 2 1 ")
    for cut in range(body + 1):
        path = write_text(tmp_path, text[:cut])
        with pytest.raises(gm.FileFormatError):
            gm.load(path)


@settings(max_examples=times(150), deadline=None)
@given(st.binary(max_size=80), st.integers(0, 10**6))
def test_noise_never_crashes(tmp_path_factory, noise, seed):
    text = bytearray(ALL_LINES.encode())
    at = random.Random(seed).randrange(len(text))
    text[at : at + len(noise) // 2] = noise
    path = write_text(tmp_path_factory.getbasetemp(), bytes(text), "noise.dd")
    try:
        gm.load(path)
    except gm.FileFormatError:
        pass


@settings(max_examples=times(200), deadline=None)
@given(
    st.one_of(
        st.floats(allow_nan=False, allow_infinity=False),
        st.decimals(allow_nan=False, allow_infinity=False, places=7),
    )
)
def test_numbers_are_correctly_rounded(tmp_path_factory, number):
    folder = tmp_path_factory.getbasetemp()
    forms = [repr(number) if isinstance(number, float) else str(number)]
    forms += [f"{float(number):.{digits}e}" for digits in (3, 15, 16, 17, 18, 19, 25)]
    forms = [text for text in forms if math.isfinite(float(text))]
    wanted = [float(form) for form in forms]
    costs = forms if max(map(abs, wanted)) <= 1e300 else ["0"] * len(forms)  # others overflow
    text = f"p 1 {len(forms)} {len(forms)} 0\n"
    text += "".join(f"a {k} 0 {k} {cost}\n" for k, cost in enumerate(costs))
    text += "".join(f"i1 {k} {form} 0\n" for k, form in enumerate(forms))
    problem = gm.load(write_text(folder, text, "numbers.dd"))
    assert problem.points2[:, 0].tolist() == wanted
    assert problem.cost.tolist() == [float(cost) for cost in costs]


def test_random_decimals_are_correctly_rounded(tmp_path):
    rng = random.Random(0)
    forms = []
    for _ in range(20000):
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 21)))
        point = rng.randint(0, len(digits))
        sign, exponent = rng.choice(["", "-"]), rng.choice(["", f"e{rng.randint(-40, 40)}"])
        forms.append(f"{sign}{digits[:point]}.{digits[point:]}{exponent}")
    text = f"p 1 {len(forms)} {len(forms)} 0\n" + "".join(
        f"a {k} 0 {k} {form}\n" for k, form in enumerate(forms)
    )
    assert gm.load(write_text(tmp_path, text)).cost.tolist() == [float(form) for form in forms]


def test_decompression_stops_at_the_limit(tmp_path, monkeypatch):
    bomb = lzma.compress(b"c" * 10**7)
    path = write_text(tmp_path, bomb, "bomb.dd.xz")
    monkeypatch.setattr(files, "MAX_DECOMPRESSED", 10**6)
    with pytest.raises(gm.FileFormatError, match="limit of 1000000 bytes"):
        gm.load(path)


@pytest.mark.data
def test_the_study_instances(data):
    for path in sorted(data.glob("*/*1.dd.xz")):
        problem = gm.load(path)
        header = next(line for line in lzma.open(path, "rt") if line.startswith("p"))
        assert (*problem.shape, problem.n_candidates, problem.n_edges) == tuple(
            int(x) for x in header.split()[1:]
        )


def read_between(tmp_path, before, lines, after):
    """Problem from the lines between two others, which may break every rule."""
    parts = ["\n".join([*part, ""]).encode() for part in (before, lines, after)]
    path = tmp_path / "x.dd"
    path.write_bytes(b"".join(parts))
    text = b"".join(parts) + b"\0"
    begin, end = len(parts[0]), len(parts[0]) + len(parts[1])
    allowance = Allowance(path)
    return read_section(path, text, begin, end, "x", allowance, lines_before=len(before))


def test_section_is_read_for_itself(tmp_path, random_problem):
    wanted = replace(random_problem(), points2=None, ground_truth=None)
    lines = section_lines(wanted)
    assert read_between(tmp_path, ["a 9 9 9 x"], lines, ["e 7 7 7"]) == wanted


def test_errors_count_the_lines_before(tmp_path):
    with pytest.raises(gm.FileFormatError, match=r"x\.dd:4: unknown line type 'z'"):
        read_between(tmp_path, ["gm 0 1", "c"], ["p 1 1 0 0", "z 1"], [])


def test_names_and_lines_are_shortened():
    assert problem_name("a/b.dd.xz") == problem_name("b.dd") == "b"
    assert show_line(b" a 0\xff ") == r"'a 0\\xff'" and len(show_line(b"x" * 99)) == 62
