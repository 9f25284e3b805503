"""Faults of the machine: stopped processes, a full disk, a folder that is gone, few open files."""

import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from processes import ADDED, in_shell, with_plugins, write_plugin

import gmtoolbox as gm

METHODS = """
import os, signal, time

def stop_itself():
    os.kill(os.getpid(), signal.SIGSTOP)

def stop_its_server():
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(600)

def nap():
    time.sleep(0.3)

for function in (stop_itself, stop_its_server, nap):
    add(function)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_plugin(folder, "faulty", ADDED + METHODS)
    for k in range(4):
        gm.save(gm.synth.car(seed=k, size=4), folder / f"p{k}.dd")
    return folder


def start(site, *words, before="", cwd=None):
    return subprocess.Popen(
        in_shell(words, before), env=with_plugins(site), cwd=cwd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def run(site, *words, **rest):
    process = start(site, *words, **rest)
    out, err = process.communicate(timeout=200)
    return process.returncode, out, err


@pytest.mark.long
def test_stopped_runs_and_servers_are_timeouts(site, tmp_path):
    methods = ("sm", "test-stop-itself", "test-stop-its-server", "fw")
    words = ("bench", site / "p0.dd", "-m", *methods, "-t", "1", "--wall", "4")
    status, out, err = run(site, *words, "-s", tmp_path / "s.db", "--format", "runs")
    assert status == 1 and err.count("timeout: killed 4 s after its start") >= 2, err
    assert "fw" in out and "sm" in out


@pytest.mark.long
def test_a_parent_that_was_stopped_goes_on(site, tmp_path):
    files = [site / f"p{k}.dd" for k in range(4)]
    process = start(site, "bench", *files, "-m", "test-nap", "-t", "5", "-s", tmp_path / "s.db")
    try:
        time.sleep(2.0)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        process.send_signal(signal.SIGCONT)
        assert process.wait(timeout=120) == 0
    finally:
        process.kill()
        process.communicate()
    with sqlite3.connect(tmp_path / "s.db") as db:
        assert db.execute("SELECT count(*) FROM runs WHERE outcome = 'ok'").fetchone() == (4,)
    db.close()


@pytest.mark.long
def test_a_full_disk_is_one_line_and_loses_nothing(site, tmp_path):
    """The limit on the size of a file stands for the end of the disk."""
    store = tmp_path / "s.db"
    assert run(site, "bench", site / "p0.dd", "-m", "sm", "-t", "1", "-s", store)[0] == 0
    files = [site / f"p{k}.dd" for k in range(4)]
    words = ("bench", *files, "-m", "sm", "fw", "ipfps", "-t", "1", "-s", store)
    status, _, err = run(site, *words, before="ulimit -f 44;")
    lines = [line for line in err.splitlines() if not line.startswith("bench:")]
    assert status == 2 and len(lines) == 1, err
    assert lines[0].startswith("gmtoolbox: error: ")
    assert run(site, *words)[0] == 0  # the same command goes on from there
    target = tmp_path / "copy.mat"
    target.write_text("old")
    status, _, err = run(site, "convert", site / "p0.dd", target, before="ulimit -f 1;")
    assert status == 2 and err.count("\n") == 1 and target.read_text("utf-8") == "old", err


@pytest.mark.long
def test_a_folder_that_is_gone_and_few_open_files(site, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    status, out, err = run(site, "solve", site / "p0.dd", "-m", "sm", before="rmdir .;", cwd=gone)
    assert "Traceback" not in err and (status == 0 or err.count("\n") == 1), err
    words = ("bench", site / "p0.dd", site / "p1.dd", "-m", "sm", "fw", "-t", "1", "-j", "4")
    status, _, err = run(site, *words, "-s", tmp_path / "s.db", before="ulimit -n 64;")
    assert status == 0, err


def test_two_writers_are_refused_in_one_line(site, tmp_path):
    words = ("bench", site / "p0.dd", "-m", "test-nap", "-t", "1", "-s", tmp_path / "s.db")
    from gmtoolbox.bench.store.store import Store

    with Store(tmp_path / "s.db", write=True):
        status, _, err = run(site, *words)
    assert status == 2 and "another benchmark is writing" in err and err.count("\n") == 1


def obey_permissions():
    """In a child that is about to begin: root, too, may write only where the bits allow it."""
    import ctypes

    drop_from_bounding_set, dac_override, dac_read_search = 24, 1, 2
    for capability in (dac_override, dac_read_search):
        ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0)


@pytest.mark.long
def test_read_only_folders(site, tmp_path):
    """What is there can be read; what would be written is one line, and nothing is left behind."""
    folder = tmp_path / "fixed"
    folder.mkdir()
    store = folder / "s.db"
    assert run(site, "bench", site / "p0.dd", "-m", "sm", "-t", "1", "-s", store)[0] == 0
    before = sorted(path.name for path in folder.iterdir())
    folder.chmod(0o555)
    environment = with_plugins(site)

    def command(*words):
        done = subprocess.run(
            [sys.executable, "-m", "gmtoolbox", *map(str, words)], env=environment, timeout=200,
            capture_output=True, text=True, preexec_fn=obey_permissions,
        )  # fmt: skip
        return done.returncode, done.stderr

    probe = [sys.executable, "-c", f"open({str(folder / 'probe')!r}, 'w')"]
    if subprocess.run(probe, preexec_fn=obey_permissions, capture_output=True).returncode == 0:
        folder.chmod(0o755)
        pytest.skip("permissions do not hold for this user")
    try:
        for words in (
            ("convert", site / "p0.dd", folder / "x.mat"),
            ("solve", site / "p0.dd", "-m", "sm", "-o", folder / "r.json"),
            ("bench", site / "p0.dd", "-m", "sm", "-t", "1", "-s", folder / "new.db"),
            ("report", store, "-o", folder / "page"),
        ):
            status, err = command(*words)
            lines = [line for line in err.splitlines() if not line.startswith("bench:")]
            assert status == 2 and len(lines) == 1 and "error" in lines[0], (words, err)
        status, err = command("report", store, "-o", tmp_path / "page")
        assert status == 0 and (tmp_path / "page").exists(), err
        assert sorted(path.name for path in folder.iterdir()) == before
    finally:
        folder.chmod(0o755)
