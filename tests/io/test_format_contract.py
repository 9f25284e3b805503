"""The contract of file formats, walked over their list, as test_contract.py does for methods."""

import os
import pkgutil
import re
import shutil
import subprocess
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest
from format_cases import cases
from format_contract import check_declared, check_graphs, check_hostile, check_kept, check_no_room
from graph_cases import SAMPLES, WRITERS
from parsed import nodes_of
from repetition import times

import gmtoolbox as gm
from gmtoolbox.io import formats
from gmtoolbox.io.formats import (
    DISTANCES,
    EVERYTHING,
    FOLDER,
    GRAPH,
    MATRIX,
    MULTI,
    PICTURE,
    PROBLEM,
    RESULT,
    RUNS,
)

for _module in pkgutil.walk_packages(gm.__path__, "gmtoolbox."):
    if _module.name.startswith(("gmtoolbox.bench.", "gmtoolbox.editing.", "gmtoolbox.plot.")):
        import_module(_module.name)  # formats of what is above io
ROOT = Path(__file__).resolve().parents[2]
MATLAB = ROOT / "wrappers" / "matlab"
ALL = gm.gm_formats()
WRITTEN = [form for form in ALL if form.writer is not None]
LIMITED = [  # drawing takes long, and a full disk is the same to it
    pytest.param(form, marks=pytest.mark.long) if form.suffix in (".pdf", ".png") else form
    for form in WRITTEN
]
BOTH = [form for form in WRITTEN if form.reader is not None]
GRAPHS = [form for form in ALL if form.holds == GRAPH and form.suffix != FOLDER]
HOSTILE = [form for form in BOTH if form.suffix != FOLDER] + GRAPHS  # folders: tests/fuzz


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


def name(form):
    return f"{form.holds} {form.suffix}".replace(" ", "-")


@pytest.fixture
def registered():
    """Formats that a test adds are gone behind it."""
    before = dict(formats._registered)
    yield
    formats._registered.clear()
    formats._registered.update(before)


def test_the_list_is_the_one_that_is_documented():
    assert {form.holds for form in BOTH} == {PROBLEM, MULTI, RESULT}
    assert {form.holds for form in ALL} == {
        MATRIX,
        *formats.FIELDS,
        RESULT,
        "graph",
        DISTANCES,
        RUNS,
        PICTURE,
    }


@pytest.mark.parametrize("form", ALL, ids=name)
def test_facts(form):
    check_declared(form)


@pytest.mark.parametrize("form", BOTH, ids=name)
def test_what_is_kept_comes_back(form, tmp_path):
    check_kept(form, tmp_path, count=times(30))


@pytest.mark.slow
@pytest.mark.parametrize("form", BOTH, ids=name)
def test_what_is_kept_comes_back_often(form, tmp_path):
    check_kept(form, tmp_path, count=1000, seed=1)


def test_every_graph_format_has_cases():
    assert {form.suffix for form in GRAPHS} == {*WRITERS, *SAMPLES}


@pytest.mark.parametrize("form", [f for f in GRAPHS if f.suffix in WRITERS], ids=name)
def test_graphs_come_back(form, tmp_path):
    pytest.importorskip("networkx")
    check_graphs(form, tmp_path)


@needs_fork
@pytest.mark.parametrize("form", HOSTILE, ids=name)
def test_hostile_files_are_read_or_refused(form, tmp_path):
    check_hostile(form, tmp_path, count=times(50))


@pytest.mark.long
@needs_fork
@pytest.mark.parametrize("form", HOSTILE, ids=name)
def test_more_hostile_files(form, tmp_path):
    check_hostile(form, tmp_path, count=400, seed=1)


# ---- a full disk


def large_things(holds):
    """Things whose files do not fit into a few kilobytes."""
    rng = np.random.default_rng(0)
    n = 60
    if holds == PROBLEM:
        right, left = np.divmod(np.arange(n * n), n)
        a, b = np.triu_indices(120, 1)
        costs = rng.normal(size=n * n), a, b, rng.normal(size=len(a))
        return [gm.Problem((n, n), left, right, *costs)]
    if holds == MULTI:
        return [gm.synth.worms_multi(d=3, m=60)]
    if holds == RESULT:
        return [
            gm.Result(
                labels=np.arange(n),
                shape=(n, n),
                value=0.0,
                bound=0.0,
                gap=0.0,
                method="x",
                status="converged",
                time=0.0,
                scores=rng.normal(size=(n, n)),
            )  # fmt: skip
        ]
    if holds == DISTANCES:
        values = rng.normal(size=(n, n))
        return [gm.EditMatrix(values, values, values > 0, 0.0)]
    if holds == PICTURE:
        points = rng.normal(size=(2, 200, 2))
        problem = gm.Problem((200, 200), [0], [0], [1.0], points1=points[0], points2=points[1])
        return [gm.plot.matching(problem)]
    from gmtoolbox.bench.store.store import Run

    result = large_things(RESULT)[0]
    facts = dict(status="converged", value=1.0, bound=0.0, time=0.1, n_iter=1)
    trace = np.repeat(result.trace, 0)
    labels = rng.integers(0, 10**6, 5000).astype(np.int32)
    return [[Run("d", f"i{k}", "m", 1, labels=labels, trace=trace, **facts) for k in range(3)]]


def things_without_room(form):
    if form.suffix == ".dat":
        matrices = np.random.default_rng(0).integers(1, 99, (2, 60, 60)) * (1 - np.eye(60))
        return [gm.models.from_koopmans_beckmann(*matrices, sense="min")]
    return large_things(form.holds)


@needs_fork
@pytest.mark.parametrize("form", LIMITED, ids=name)
def test_a_limit_on_files_is_one_line(form, tmp_path):
    """The limit of the process on the size of a file stands for the end of the disk."""
    import resource

    check_no_room(form, things_without_room(form), tmp_path, [(resource.RLIMIT_FSIZE, 4096)])


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory):
    """A file system of its own with two pages left."""
    folder = tmp_path_factory.mktemp("disk")
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=20)
    except OSError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("mounting a file system is not allowed here")
    (folder / "ballast").write_bytes(b"x" * (64 * 1024 - 3 * os.sysconf("SC_PAGESIZE")))
    (folder / "free").mkdir()
    yield folder / "free"
    subprocess.run(["umount", str(folder)], capture_output=True, timeout=20, check=True)


@needs_fork
@pytest.mark.parametrize("form", WRITTEN, ids=name)
def test_a_full_disk_is_one_line(form, small_disk):
    try:
        check_no_room(form, things_without_room(form), small_disk)
    finally:
        for path in small_disk.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


# ---- the contract sees what it is there for


def bare_dd(problem, *lost):
    """A dd file without some fields."""
    from dataclasses import replace

    from gmtoolbox.io.dd import dd_bytes

    return dd_bytes(replace(problem, **dict.fromkeys(lost)))


FORGOTTEN = ("points1", "points2", "nodes1", "nodes2", "ground_truth")


def add_format(suffix, keeps, *lost):
    """A format that is read as dd and written without some fields."""
    from gmtoolbox.io.dd import read

    @gm.reader(suffix, keeps=keeps)
    def read_lossy(path):
        """As dd."""
        return read(path)

    @gm.writer(suffix)
    def lossy_bytes(problem):
        """As dd, but."""
        return bare_dd(problem, *lost)

    return formats.format_of(f"x{suffix}", PROBLEM)


def test_a_writer_that_drops_fields_is_caught(registered, tmp_path):
    form = add_format(".lossy", EVERYTHING, *FORGOTTEN)
    with pytest.raises(AssertionError, match=r"\.lossy says to keep \[.*(points|nodes|truth)"):
        check_kept(form, tmp_path)


def test_a_writer_that_admits_what_it_drops_is_not(registered, tmp_path):
    keeps = [field for field in formats.FIELDS[PROBLEM] if field not in FORGOTTEN]
    assert check_kept(add_format(".honest", keeps, *FORGOTTEN), tmp_path) > 10


def test_a_writer_that_keeps_more_than_it_says_is_told(registered, tmp_path):
    keeps = [field for field in formats.FIELDS[PROBLEM] if field != "nodes1"]
    with pytest.raises(AssertionError, match="nodes1.*not declared"):
        check_kept(add_format(".modest", keeps), tmp_path)


def test_a_writer_that_changes_costs_is_caught(registered, tmp_path):
    @gm.reader(".rounded", keeps=EVERYTHING)
    def read_rounded(path):
        """As dd."""
        from gmtoolbox.io.dd import read

        return read(path)

    @gm.writer(".rounded")
    def rounded_bytes(problem):
        """With few digits."""
        from dataclasses import replace

        return bare_dd(replace(problem, cost=problem.cost.round(6)))

    form = formats.format_of("x.rounded", PROBLEM)
    with pytest.raises(AssertionError, match="cost"):
        check_kept(form, tmp_path)


@needs_fork
def test_a_reader_that_fails_in_its_own_way_is_one_line(registered, tmp_path):
    form = add_format(".frail", EVERYTHING)

    @gm.reader(".frail")
    def read_frail(path):
        """Raises what it likes."""
        from gmtoolbox.io.dd import read

        content = path.read_bytes()
        if not content.startswith(b"p ") or content.count(b"\n") < 3:
            raise RuntimeError("this\nis\nwrong")
        return read(path)

    check_hostile(formats.format_of("x.frail", PROBLEM), tmp_path, count=60)
    assert form.suffix == ".frail"


def test_cases_have_every_field():
    """So that a format that loses one cannot pass."""
    from gmtoolbox.io.kept import carried_fields

    for holds in (PROBLEM, MULTI):
        seen = {field for thing in cases(holds, 0, 16) for field in carried_fields(thing)}
        assert seen == set(formats.FIELDS[holds])


# ---- what is written about formats


def text_between(text, begin, end):
    return text[text.index(begin) : text.index(end, text.index(begin))]


def test_the_table_in_the_docs_is_the_list():
    page = (ROOT / "docs" / "files.md").read_text("utf-8")
    found = {
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in text_between(page, "| holds | suffixes", "Everything is").splitlines()[2:]
        if line.startswith("|")
    }
    wanted = {}
    for form in BOTH:
        keeps = form.keeps if form.keeps == EVERYTHING else " ".join(form.keeps)
        own = wanted.setdefault((form.holds, keeps), [])
        own += [form.suffix] if form.suffix not in own else []
    rows = set()
    for (holds, keeps), suffixes in wanted.items():
        listed = " ".join(f"`{suffix}`" for suffix in suffixes if suffix != FOLDER)
        rows.add((holds, listed + (", a folder" if FOLDER in suffixes else ""), keeps))
    assert found == rows


TEXTS = {  # what people read about a function -> what its files hold
    "gm.load": (lambda: gm.load.__doc__, (PROBLEM, MULTI), "reader"),
    "gm.save": (lambda: gm.save.__doc__, (PROBLEM, MULTI, RESULT), "writer"),
    "Result.save": (lambda: gm.Result.save.__doc__, (RESULT,), "writer"),
    "gm.load_result": (lambda: gm.load_result.__doc__, (RESULT,), "reader"),
    "gm.assign": (lambda: gm.assign.__doc__, (MATRIX,), "reader"),
    "gm_load.m": (lambda: help_of("gm_load"), (PROBLEM,), "reader"),
    "gm_save.m": (lambda: help_of("gm_save"), (PROBLEM, RESULT), "writer"),
    "check_suffix": (lambda: gm.plot.check_suffix.__doc__, (PICTURE,), "writer"),
    "solve --output": (lambda: command_help("solve"), (RESULT,), "writer"),
    "plot --output": (lambda: command_help("plot"), (PICTURE,), "writer"),
    "distance --plot": (lambda: command_help("distance"), (PICTURE,), "writer"),
    "distances --output": (lambda: command_help("distances"), (DISTANCES,), "writer"),
    "batch --output": (lambda: command_help("batch"), (RUNS,), "writer"),
    "report --export": (lambda: command_help("report"), (RUNS,), "writer"),
}


def help_of(function):
    """The help text of a .m file."""
    lines = (MATLAB / f"{function}.m").read_text("utf-8").splitlines()[1:]
    return "\n".join(takewhile(lambda line: line.startswith("%"), lines))


def command_help(name):
    """What `gmtoolbox NAME --help` prints."""
    from gmtoolbox.cli import make_parser

    commands = make_parser()._subparsers._group_actions[0].choices
    return commands[name].format_help()


@pytest.mark.parametrize("where", TEXTS)
def test_help_names_suffixes_that_are_there(where):
    text, holds, role = TEXTS[where]
    named = set(re.findall(r"(?<![\w.*'\"/)\]])\.[a-z][a-z0-9]*(?:\.[gx]z)?\b", text()))
    known = formats.suffixes_of(*holds, role=role)
    assert named & set(known), f"{where} names none of {known}"
    others = named - {form.suffix for form in ALL} - {".db"}
    assert not others, f"{where} names {others}, which no format has"


def test_nothing_else_lists_suffixes():
    """Strings of the package that are suffixes stand where a format is registered."""
    import ast

    known = {form.suffix for form in ALL} - {FOLDER, ".txt", ".json", ".csv", ".mat"}
    package = ROOT / "gmtoolbox"
    homes = {
        f"{f.__module__.replace('.', '/')}.py"
        for form in ALL
        for f in (form.reader, form.writer)
        if f
    }
    homes |= {"gmtoolbox/io/multi_folder.py"}  # parts of them
    homes |= {
        f"gmtoolbox/{own}" for own in ("bench/site/report.py", "data/__init__.py")
    }  # own files
    homes |= {"gmtoolbox/plot/canvas.py"}  # asked for by plot/files.py
    others = {
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for path in package.rglob("*.py")
        if str(path.relative_to(ROOT)) not in homes
        and any(suffix in path.read_text("utf-8") for suffix in known)
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and node.value in known
    }
    assert not others
