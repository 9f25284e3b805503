"""One problem as lines of dd text, also within a longer one; test_dd.py has the format."""

from dataclasses import replace

import pytest

import gmtoolbox as gm
from gmtoolbox.io.dd_section import problem_name, read_section, section_lines, shown
from gmtoolbox.io.files import Allowance


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
    assert shown(b" a 0\xff ") == r"'a 0\\xff'" and len(shown(b"x" * 99)) == 62
