"""A full disk: everything that writes files ends in one line, and leaves nothing half written.

tests/io/test_format_contract.py walks the formats; this is everything else that writes.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from format_contract import in_child
from inline_server import runs_in_this_process
from parsed import nodes_of

import gmtoolbox as gm
from gmtoolbox.bench.evaluate.interchange import export_study
from gmtoolbox.bench.site.report import write_report
from gmtoolbox.bench.store.copied_store import CopiedStore
from gmtoolbox.bench.store.store import Store
from gmtoolbox.bench.unpacking import study_datasets
from gmtoolbox.core.errors import GMError
from gmtoolbox.io import libmgm
from gmtoolbox.io.mat_files import save_variables
from gmtoolbox.wrappers.octave_package import write_package

resource = pytest.importorskip("resource")
LIMIT = [(resource.RLIMIT_FSIZE, 4096)]


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    """A store with a few runs, and an archive."""
    folder = tmp_path_factory.mktemp("material")
    problems = {f"p{k}": gm.synth.car(seed=k, size=12) for k in range(3)}
    with runs_in_this_process():
        gm.gm_batch(problems, ["fm", "fw"], time_limit=5.0, store=folder / "s.db")
    rng = np.random.default_rng(0)
    left, right = np.divmod(np.arange(900), 30)
    gm.save(gm.Problem((30, 30), left, right, rng.normal(size=900)), folder / "x1.dd")
    shutil.make_archive(folder / "a", "tar", folder, "x1.dd")
    return folder


def report(material, folder):
    with Store(material / "s.db") as store:
        write_report(store, folder / "page")


def study(material, folder):
    with Store(material / "s.db") as store:
        export_study(store, folder / "study")


def batch(material, folder):
    problems = {f"p{k}": gm.synth.car(seed=k, size=12) for k in range(9)}
    gm.gm_batch(problems, ["fm"], time_limit=5.0, store=folder / "s.db")


def copied(material, folder):
    with Store(material / "s.db") as store, CopiedStore(folder / "s.db") as copy:
        for row in store.instances():
            copy.add_instance(row)
        for run in store.runs():
            copy.add(run)


def backup(material, folder):
    with Store(material / "s.db") as store:
        store.backup(folder / "copy.db")


def distances(material, folder):
    graphs = [nx.gnp_random_graph(4, 0.5, seed=k) for k in range(45)]
    gm.edit_distances(graphs, store=folder / "d.jsonl")


def unpacked(material, folder):
    study_datasets([material / "a.tar"], folder)


def solution(material, folder):
    sizes = (400, 400, 400)
    flat = np.tile(np.arange(400), 3).astype(np.int32)
    facts = dict(value=0.0, bound=0.0, gap=0.0, status="converged", time=0.0, method="x")
    libmgm.write_solution(gm.MultiResult(flat=flat, sizes=sizes, **facts), folder / "s.json")


def variables(material, folder):
    save_variables(folder / "v.mat", {"x": np.random.default_rng(0).normal(size=(60, 60))})


def package(material, folder):
    write_package(folder)


WRITERS = {  # who writes -> what may stay
    report: set(), study: {"study"}, batch: {"s.db", "s.db-wal", "s.db-shm"},
    copied: set(), backup: set(), distances: {"d.jsonl"}, unpacked: set(),
    solution: set(), variables: set(), package: set(),
}  # fmt: skip


def try_to_write(write, material, folder):
    """What is wrong with the error, or ''. In a process of its own: Python 3.11 keeps compiled
    modules that the limit cuts off, so none are stored.
    """
    sys.dont_write_bytecode, os.environ["PYTHONDONTWRITEBYTECODE"] = True, "1"
    warnings.simplefilter("ignore")
    try:
        write(material, folder)
    except (GMError, OSError) as error:
        return "" if "\n" not in str(error) else f"several lines: {error}"
    return "it was written: the disk is not full"


def check_writer(write, material, folder, limits=()):
    said = in_child(lambda: try_to_write(write, material, folder), limits)
    assert said == ""
    assert {path.name for path in folder.iterdir()} <= WRITERS[write]


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_a_limit_on_files_is_one_line(write, material, tmp_path):
    check_writer(write, material, tmp_path, LIMIT)


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory):
    """A file system of its own with few pages left."""
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


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_a_full_disk_is_one_line(write, material, small_disk):
    try:
        check_writer(write, material, small_disk)
    finally:
        for path in small_disk.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.long
def test_distances_go_on_behind_a_full_disk(material, tmp_path):
    """The lines that found room are used, the one that was torn is not."""
    in_child(lambda: try_to_write(distances, material, tmp_path), LIMIT)
    graphs = [nx.gnp_random_graph(4, 0.5, seed=k) for k in range(45)]
    again = gm.edit_distances(graphs, store=tmp_path / "d.jsonl")
    assert np.array_equal(again.values, gm.edit_distances(graphs).values)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("methods", marks=pytest.mark.long),
        "solve x1.dd",
        pytest.param("solve x1.dd --json", marks=pytest.mark.long),
        pytest.param("info x1.dd", marks=pytest.mark.long),
    ],
)
def test_standard_output_without_room_is_one_line(words, material):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gmtoolbox", *words.split()], stdout=full, cwd=material,
            stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "No space left on device" in done.stderr


# ---- nobody writes past io/files.py

PACKAGE = Path(gm.__file__).parent
OPENS = {  # module: why it writes by itself
    "io/files.py": "the one place that does",
    "io/hdf5_memory.py": "in memory",
    "io/checkpoints.py": "into the draft of io/files.py, and on to the disk",
    "proofs/tree.py": "lines of a proof go into the draft of io/files.py",
    "editing/pair_store.py": "lines that are added while it runs, a torn one is cut off",
    "bench/fetch.py": "downloads go into the draft of io/files.py",
    "bench/site/pages.py": "pages go into the draft of a report",
    "bench/site/report.py": "likewise",
    "bench/cluster/jobs.py": "logs of processes",
    "solvers/_sharing.py": "files that are locked and stay empty",
    "bench/store/copied_store.py": "its own copy, in a temporary folder",
    "wrappers/octave_package.py": "a tarball goes into the draft of io/files.py",
    "plot/files.py": "the input of a converter, in a temporary folder",
    "wrappers/generate.py": "our own .m files",
}
WRITING = {"write_bytes", "write_text", "savemat", "savez", "savez_compressed", "copyfile"}


def writes(path):
    """Whether a module writes to files by itself."""
    if not re.search(r"\b(open|File|" + "|".join(WRITING) + r")\b", path.read_text("utf-8")):
        return False
    for node in nodes_of(path):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if name == "open" and any(str(t)[:1] in "wax" for t in texts if isinstance(t, str)):
            return True
        if name == "File" and "w" in texts:
            return True
        if name in WRITING and isinstance(node.func, ast.Attribute):
            return True
    return False


def test_files_are_written_in_one_place():
    streams = {"io/results.py", "io/mat5.py", "io/mat_files.py", "editing/matrix.py"}  # BytesIO
    found = {str(p.relative_to(PACKAGE)) for p in PACKAGE.rglob("*.py") if writes(p)}
    assert found - streams == OPENS.keys(), sorted(found - streams ^ OPENS.keys())
