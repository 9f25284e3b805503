"""The suffix decides the format."""

from dataclasses import replace

import pytest

import gmtoolbox as gm
from gmtoolbox.io import formats


def test_every_suffix_names_a_module_that_reads():
    for suffix in formats.FORMATS:
        assert callable(formats.format_of(f"X{suffix.upper()}").read)


def test_stem_loses_the_longest_suffix():
    assert [formats.stem_of(f"a/b.c{end}") for end in (".dd", ".dd.XZ", ".mat")] == ["b.c"] * 3


def test_unknown_suffix_is_told_the_known_ones():
    with pytest.raises(gm.InputError, match=r"x\.txt: unknown file type; known are \.dd .*\.dat"):
        formats.format_of("x.txt")


def test_load_file_gives_back_what_save_file_wrote(tmp_path, random_problem):
    problem = replace(random_problem(), points2=None)  # of which dd files keep two coordinates
    formats.save_file(problem, tmp_path / "x.dd.gz")
    assert formats.load_file(tmp_path / "x.dd.gz") == problem
    assert formats.load_file(tmp_path / "x.dd.gz", complete=True).complete
    with pytest.raises(gm.InputError, match="key= goes with"):
        formats.load_file(tmp_path / "x.dd.gz", key="K")
