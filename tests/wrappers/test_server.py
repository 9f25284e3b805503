"""The Python process behind the .m files, spoken to directly: its lines, and that nothing of it
stays.
"""

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from gmtoolbox import __version__
from gmtoolbox.wrappers.server import ask, describe_error, describe_warning

ROOT = Path(__file__).resolve().parents[2]
FOREVER = {
    "fm": {"maxiter": 1e9, "patience": 1e9},
    "fw": {"maxiter": 1e12, "restarts": 1e9},
}


@pytest.fixture
def server(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", "from gmtoolbox.wrappers.server import main; main()"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    word, protocol, version, folder = process.stdout.readline().split()
    assert (word, protocol, version) == ("ready", "3", __version__)
    process.folder = Path(folder)
    with process:
        yield process
        process.kill()


def send(server, verb, serial, arrays=None, **arguments):
    """Send one call; its replies up to the last."""
    savemat(
        server.folder / f"{serial}.in.mat",
        {"arguments": {"folder": str(ROOT), **arguments}, **(arrays or {})},
    )
    server.stdin.write(f"{verb} {serial}\n")
    lines = []
    while not lines or lines[-1].startswith(("line", "event", "warn")):
        lines.append(server.stdout.readline().rstrip("\n"))
    return lines


def test_calls_and_refusals(server, tmp_path):
    assert server.folder.parent == tmp_path and server.folder.stat().st_mode & 0o777 == 0o700
    assert send(server, "solve", 1, {"K": np.eye(4)}, method="fw", options={"seed": 2.0}) == [
        "done 1"
    ]
    answer = loadmat(server.folder / "1.out.mat", simplify_cells=True)
    assert (
        np.array_equal(answer["X"], np.eye(2))
        and answer["info"]["seed"] == 2
        and answer["info"]["labels"].tolist() == [1, 2]
    )
    assert send(server, "solve", 2, {"K": np.eye(4)}, method="nothing")[0].startswith(
        "fail 2 gmtoolbox:UnknownMethodError unknown method"
    )
    assert send(server, "dance", 3)[0].startswith(
        "fail 3 gmtoolbox:InputError unknown request 'dance'"
    )
    server.stdin.write("solve 4\n")  # without its file
    assert server.stdout.readline().startswith("fail 4 gmtoolbox:FileNotFoundError")
    lines = send(server, "wrapper", 5, {"K": np.eye(4)}, method="fw")
    assert lines[0] == "line 5 Start optimization: " and lines[-1] == "done 5"


@pytest.mark.long
@pytest.mark.parametrize(
    "ending", [("stdin",), ("stdin", "stdout"), ("stdout", "stdin")], ids="+".join
)
def test_it_goes_with_whoever_started_it(server, tmp_path, ending):
    """However the pipes break in the middle of a call: no process, no folder."""
    K = np.random.default_rng(0).normal(size=(100, 100))
    savemat(
        server.folder / "1.in.mat",
        {"K": K, "arguments": {"folder": str(ROOT), "method": "fw", "options": FOREVER["fw"]}},
    )
    server.stdin.write("wrapper 1\n")
    server.stdout.readline()
    for name in ending:
        getattr(server, name).close()
    assert server.wait(timeout=20) == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_signals(server, tmp_path, name):
    """Told to end it takes its folder along; Ctrl-C at MATLAB's prompt is not meant for it."""
    server.send_signal(getattr(signal, name))
    if name == "SIGINT":
        assert send(server, "hello", 1) == ["done 1"]
        server.stdin.close()
    assert server.wait(timeout=20) == 0
    assert not list(tmp_path.iterdir())


def test_stop_returns_the_best_answer_so_far(server):
    K = np.random.default_rng(0).normal(size=(100, 100))
    arguments = {"folder": str(ROOT), "method": "fw", "options": FOREVER["fw"], "events": True}
    savemat(server.folder / "1.in.mat", {"K": K, "arguments": arguments})
    server.stdin.write("stop 1\n")  # before it began: no effect
    server.stdin.write("solve 1\n")
    kind, serial, *numbers = server.stdout.readline().split()
    assert (kind, serial) == ("event", "1") and len([float(x) for x in numbers]) == 4
    server.stdin.write("stop 9\nstop 1\n")  # another call's is ignored
    while (line := server.stdout.readline()).startswith(("event", "warn")):
        pass
    assert line == "done 1\n"
    answer = loadmat(server.folder / "1.out.mat", simplify_cells=True)
    assert answer["info"]["status"] == "interrupted" and answer["X"].sum() == 10


@pytest.mark.long
@pytest.mark.parametrize("method", ["fm", "fw"])
def test_many_stops_in_a_row(server, method):
    """Each ends its own call, however often it is sent and whether Ctrl-C comes, too: MATLAB at a
    terminal sends both.
    """
    K = np.random.default_rng(0).normal(size=(100, 100))
    arguments = {"folder": str(ROOT), "method": method, "options": FOREVER[method], "events": True}
    for serial in range(1, 5):
        savemat(server.folder / f"{serial}.in.mat", {"K": K, "arguments": arguments})
        server.stdin.write(f"solve {serial}\n")
        assert server.stdout.readline().startswith(f"event {serial}")
        for _ in range(3):
            server.send_signal(signal.SIGINT)
            time.sleep(0.02)
        server.stdin.write(f"stop {serial}\n" * 3)
        while (line := server.stdout.readline()).startswith(("event", "warn")):
            pass
        assert line == f"done {serial}\n"
        answer = loadmat(server.folder / f"{serial}.out.mat", simplify_cells=True)
        assert answer["info"]["status"] == "interrupted"


def test_warnings_travel(server):
    lines = send(server, "solve", 1, {"K": -np.eye(4)}, method="fw")
    assert lines[0].startswith("warn 1 gmtoolbox:Sense K has negative entries")
    assert lines[-1] == "done 1"
    assert send(server, "solve", 2, {"K": -np.eye(4)}, method="fw", sense="max") == ["done 2"]


def test_unexpected_errors_are_one_line_with_their_places():
    try:
        {}["key"]
    except KeyError as error:
        identifier, message = describe_error(error).split(" ", 1)
    assert identifier == "gmtoolbox:InternalError" and "\n" not in message
    assert message.startswith(
        "KeyError: 'key' (a fault of gmtoolbox, please report it: test_server.py"
    )


def test_errors_of_the_system_name_the_file(tmp_path):
    try:
        open(tmp_path / "no.dd")
    except OSError as error:
        said = describe_error(error)
    assert said == f"gmtoolbox:FileNotFoundError {tmp_path}/no.dd: No such file or directory"
    assert describe_error(MemoryError()).startswith("gmtoolbox:OutOfMemory ")


def test_warnings_of_other_libraries_have_a_name():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("shape=(2, 3) is odd", UserWarning, stacklevel=1)
    assert describe_warning(caught[0]) == "gmtoolbox:Warning 'shape', [2 3] is odd"


def test_a_call_without_the_process(tmp_path, capsys, monkeypatch):
    """What MATLAB's own Python calls: prints, answers in a file, tells what went wrong, and stays
    where it was.
    """
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(home)
    stem = str(tmp_path / "1")
    savemat(
        f"{stem}.in.mat", {"K": np.eye(4), "arguments": {"folder": str(elsewhere), "method": "fw"}}
    )
    assert ask("wrapper", stem) == "" and capsys.readouterr().out.startswith(
        "Start optimization: \nModel: n1: 2 n2: 2 \ntime: "
    )
    assert loadmat(f"{stem}.out.mat", simplify_cells=True)["info"]["labels"].tolist() == [1, 2]
    savemat(
        f"{stem}.in.mat",
        {"arguments": {"folder": str(elsewhere), "path": "no.dd", "target": "new.dd"}},
    )
    assert ask("save_problem", stem).startswith("gmtoolbox:FileNotFoundError ")
    assert ask("dance", stem).startswith("gmtoolbox:InputError unknown request 'dance'")
    assert Path.cwd() == home


def test_24_malformed_lines_are_answered_and_survived(server):
    for line in ("", "solve", "solve 1 2", "solve ../../x", "solve ²", "\x00", "x" * 5000 + " y"):
        server.stdin.write(line + "\n")
        assert server.stdout.readline().startswith("fail 0 gmtoolbox:InputError unknown request ")
    assert send(server, "hello", 7) == ["done 7"]


def test_24_a_killed_server_leaves_no_folder(server):
    assert server.folder.is_dir()
    server.kill()
    server.wait(timeout=20)
    deadline = time.monotonic() + 20
    while server.folder.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not server.folder.exists()
