"""A process that asked for it ends with the one that started it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gmtoolbox
from gmtoolbox.core.processes import find_start

CHILD = "import time; from gmtoolbox.core.processes import die_with_parent; die_with_parent(); "
CHILD += "print('asked', flush=True); time.sleep(600)"
PARENT = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}], stdout=subprocess.PIPE, text=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(600)
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="wants Linux")
def test_dies_with_its_parent():
    root = str(Path(gmtoolbox.__file__).parents[1])
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    pid = int(parent.stdout.readline())
    assert alive(pid)
    with parent:
        parent.kill()
    deadline = time.monotonic() + 20
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)


def test_a_file_is_held_by_one_process(tmp_path):
    from gmtoolbox.core.processes import lock

    numbers = [os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT) for _ in range(2)]
    assert lock(numbers[0]) and not lock(numbers[1])
    os.close(numbers[0])
    assert lock(numbers[1])
    os.close(numbers[1])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="wants Linux")
def test_started_at_tells_processes_apart():
    ours = find_start(os.getpid())
    assert ours == find_start(os.getpid()) > 0
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert find_start(child.pid) > ours
    child.stdin.close()
    limit = time.monotonic() + 30
    while find_start(child.pid) is not None:  # it has ended, though nobody has asked for its status
        assert time.monotonic() < limit
        time.sleep(0.02)
    child.wait(timeout=10)
    assert find_start(child.pid) is None
