"""The list of formats: suffixes, kinds, options, plug-ins."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gmtoolbox as gm
from gmtoolbox.io import formats
from gmtoolbox.io.formats import GRAPH, MULTI, PROBLEM, RESULT, format_of, suffixes_of

ROOT = Path(gm.__file__).resolve().parents[1]


@pytest.fixture
def registered():
    """Formats that a test adds are gone behind it."""
    formats.discover()
    before = dict(formats._registered)
    yield
    formats._registered.clear()
    formats._registered.update(before)


def test_problem_files_by_preference():
    assert suffixes_of(PROBLEM, MULTI)[:4] == [".dd", ".dd.gz", ".dd.xz", ".mat"]
    assert {".h5", ".dat"} <= set(suffixes_of(PROBLEM, MULTI))
    assert all(suffix.startswith(".") for suffix in suffixes_of(PROBLEM, MULTI))
    assert suffixes_of(RESULT) == suffixes_of(RESULT, role="writer")


def test_the_longest_suffix_decides_in_any_case():
    for suffix in suffixes_of(PROBLEM):
        assert format_of(f"X{suffix.upper()}", PROBLEM).suffix == suffix
    stems = [formats.stem_of(f"a/b.c{end}") for end in (".dd", ".dd.XZ", ".mat")]
    assert stems == ["b.c"] * 3


@pytest.mark.parametrize("holds, known", [(PROBLEM, r"\.dd .*\.dat"), (GRAPH, r"\.gml")])
def test_unknown_suffixes_are_told_the_known_ones(holds, known):
    with pytest.raises(gm.InputError, match=rf"x\.doc: unknown file type of a .*{known}"):
        format_of("x.doc", holds)


def test_load_file_gives_back_what_save_file_wrote(tmp_path, random_problem):
    problem = random_problem()
    formats.save_file(problem, tmp_path / "x.dd.gz")
    assert formats.load_file(tmp_path / "x.dd.gz") == problem
    assert formats.load_file(tmp_path / "x.dd.gz", complete=True).complete


def test_options_go_with_their_formats(tmp_path, random_problem):
    problem = random_problem()
    formats.save_file(problem, tmp_path / "x.dd")
    with pytest.raises(gm.InputError, match=r"key= goes with \.mat and \.h5 files only"):
        formats.load_file(tmp_path / "x.dd", key="K")
    with pytest.raises(gm.InputError, match=r"version= goes with \.mat files only"):
        formats.save_file(problem, tmp_path / "y.dd", version="7")
    with pytest.raises(gm.InputError, match="there is no option 'colour'"):
        formats.save_file(gm.gm_solve([[1.0]]), tmp_path / "r.json", colour="red")
    assert [path.name for path in tmp_path.iterdir()] == ["x.dd"]


def test_own_formats_and_names_that_are_taken(registered, tmp_path):
    @gm.reader(".one", keeps="complete")
    def read_one(path):
        return gm.Problem((1, 1), [0], [0], [float(Path(path).read_text())], complete=True)

    @gm.writer(".one")
    def one_bytes(problem):
        return repr(float(problem.cost[0])).encode()

    problem = gm.Problem((1, 1), [0], [0], [2.5], complete=True)
    gm.save(problem, tmp_path / "x.one")
    assert gm.load(tmp_path / "x.one") == problem
    assert formats.stem_of("x.one") == "x" and ".one" in suffixes_of(PROBLEM)
    (tmp_path / "x.one").write_text("much")
    with pytest.raises(gm.FileFormatError, match=r"is no readable \.one file: ValueError"):
        gm.load(tmp_path / "x.one")
    with pytest.raises(FileNotFoundError):
        gm.load(tmp_path / "y.one")
    for suffix in (".dd", ".h5"):
        with pytest.raises(gm.InputError, match="is a format already"):
            gm.reader(suffix)(read_one)
    for suffix in ("one", ".ONE"):
        with pytest.raises(gm.InputError, match="lower case and starts with a dot"):
            gm.reader(suffix)(read_one)
    with pytest.raises(gm.InputError, match="keeps must be 'everything' or some of sense"):
        gm.reader(".two", keeps=("colour",))(read_one)

    @gm.reader(".one")  # the cell of a notebook, run again
    def read_nothing(path):
        return None

    with pytest.raises(gm.FileFormatError, match="returned a NoneType, not a Problem"):
        gm.load(tmp_path / "x.one")


def test_what_is_lost_is_refused_or_reported(registered, tmp_path, random_problem):
    @gm.writer(".few", keeps=("sense", "points1"))
    def few_bytes(problem):
        return b"few"

    problem = random_problem()
    lost = r"a \.few file does not keep points2 neighbours1 neighbours2 ground_truth$"
    with pytest.warns(gm.LossWarning, match=lost):
        gm.save(problem, tmp_path / "x.few")
    for field, value in (("complete", True), ("offset", 2.0)):
        with pytest.raises(gm.InputError, match=rf"does not keep {field}, .* another problem"):
            gm.save(replace(problem, **{field: value}), tmp_path / "y.few")
    assert [path.name for path in tmp_path.iterdir()] == ["x.few"]


def test_names_that_no_file_keeps_are_reported(tmp_path):
    problem = gm.Problem((2, 1), [0], [0], [1.0], nodes1=[frozenset("ab"), 2])
    with pytest.warns(gm.LossWarning, match="nodes1 become text"):
        gm.save(problem, tmp_path / "x.dd")
    assert gm.load(tmp_path / "x.dd").nodes1[1] == 2


def test_plug_ins_add_formats(tmp_path):
    """Another package names a module in the entry point group gmtoolbox.formats."""
    folder = tmp_path / "site"
    information = folder / "extra-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: extra\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[gmtoolbox.formats]\nextra = extra_format\nbroken = no_such_module\n"
    )
    (folder / "extra_format.py").write_text(
        "import gmtoolbox as gm\n"
        "@gm.reader('.extra')\n"
        "def read(path):\n"
        "    return gm.Problem((1, 1), [0], [0], [4.0])\n"
    )
    (tmp_path / "x.extra").write_text("")
    code = "import gmtoolbox as gm; print(gm.load('x.extra').cost.tolist())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
    )  # fmt: skip
    assert done.stdout == "[4.0]\n", done.stderr
    assert "plug-in 'broken' (no_such_module) cannot be loaded" in done.stderr
