"""Fuzzing in small: every C entry that a file can reach (libFuzzer, ASan, UBSan), every allocation
of the kernels made to fail, and mutated files through the Python readers.

About a minute in all after the build; --slow: an hour. The fuzzers want clang with libFuzzer and
are skipped without. What they find is mended and its input kept in tests/attacks.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEEDS = {
    "fuzz_dd": b"p 2 2 3 1\na 0 0 0 1\na 1 0 1 2.5e-3\na 2 1 1 inf\ne 0 2 -1\ni0 0 1 2\nn1 1 0\n",
    "fuzz_numbers": b"3 1 2.5 -3e-5,4\n1e300 123456789012345678901234567890 nan inf",
    "fuzz_solve": bytes(range(256)),
    "fuzz_subgraphs": bytes(7 * k % 251 for k in range(200)),
}
SUBGRAPHS = {"common", "common_edges", "contained", "cells", "distances", "filters"}


def has_libfuzzer():
    if shutil.which("clang") is None or shutil.which("make") is None:
        return False
    command = ["clang", "-fsanitize=fuzzer", "-x", "c", "-", "-o", os.devnull]
    source = "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0; }"
    done = subprocess.run(command, input=source, text=True, capture_output=True, timeout=60)
    return done.returncode == 0


@pytest.fixture(scope="module")
def programs():
    """Folder of the built fuzzers."""
    if not has_libfuzzer():
        pytest.skip("clang with libFuzzer is not installed")
    folder = ROOT / "build" / "fuzz"
    command = ["make", "-s", "-C", str(HERE), "-j2", f"OUT={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def seconds(config, short):
    return 600 if config.getoption("--slow") else short


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SEEDS)
def test_c_entries_survive_anything(programs, tmp_path, pytestconfig, name):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "seed").write_bytes(SEEDS[name])
    limit = seconds(pytestconfig, 10)
    command = [programs / name, f"-max_total_time={limit}", "-max_len=400", "-rss_limit_mb=2048",
               "-timeout=30", "corpus"]  # fmt: skip
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60 * limit, errors="replace"
    )
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_every_allocation_of_every_kernel_may_fail(programs):
    done = subprocess.run([programs / "fail_malloc"], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-4000:]
    lines = [line.split() for line in done.stdout.splitlines()]
    kernels = {"lap", "fw", "fm", "fm_bca", "aj", "ddls4", "mp", "hbp", "linear"}
    assert {line[0] for line in lines} >= kernels | SUBGRAPHS
    assert all(int(line[1]) > 0 for line in lines)  # each of them has been refused memory


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_python_readers_read_or_refuse(pytestconfig, tmp_path):
    each = 60.0 if pytestconfig.getoption("--slow") else 1.0
    command = [sys.executable, HERE / "fuzz_readers.py", "--seconds", str(each), "--seed", "16"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=3500
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    lines = done.stdout.splitlines()
    assert all(" inputs, 0 findings" in line for line in lines)
    sys.path.append(str(HERE))
    from fuzz_readers import READERS

    assert {line.partition(": ")[0] for line in lines} == set(READERS)


def test_every_kind_of_graph_file_has_a_seed():
    """Those of one function are one kind."""
    from gmtoolbox.io.formats import FOLDER, GRAPH, gm_formats

    sys.path.append(str(HERE))
    from fuzz_readers import GRAPHS

    forms = [form for form in gm_formats(GRAPH) if form.suffix != FOLDER]
    seeded = {form.reader for form in forms if form.suffix in GRAPHS}
    assert seeded == {form.reader for form in forms}
