"""The command line as a whole: exit status, one line per error, an answer at once."""

import os
import subprocess
import sys
import time

import pytest
from command_line import call, run, small_file

METHOD = "fw"


@pytest.fixture
def file(tmp_path):
    return small_file(tmp_path)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["solve", "FILE", "--method", "no-such"], "unknown method"),
        (["solve", "no-such.dd", "--method", METHOD], "no-such.dd: no such file or folder"),
        (
            ["solve", "FILE", "--timelimit", "3"],
            "unrecognized arguments: --timelimit 3 (did you mean '--time-limit'?); see `gmtoolbox"
            " solve --help`",
        ),
        (["info", "no-such"], "no-such: no such file or folder"),
        (["verify", "no-such.json", "FILE"], "no-such.json: No such file"),
        (["solve", "FILE", "--method", METHOD, "--set", "nonsense=1"], "nonsense"),
        (["solve", "FILE", "--method", METHOD, "--set", "maxiter=-1"], "maxiter"),
        (["solve", "FILE", "--method", METHOD, "--set", "maxiter"], "OPTION=VALUE"),
        (["solve", "FILE", "--time-limit", "-1"], "must be a positive number, got -1"),
        (["solve", "FILE", "--time-limit", "soon"], "must be a positive number, got soon"),
        (["solve", "FILE", "--seed", "x"], "seed"),
        (["info", "EMPTY"], "no problem files"),
        (["info", "BROKEN"], "BROKEN"),
        (["convert", "FILE", "a.png"], "a.png"),
        (
            ["convert", "FILE", "no/such/folder/a.dd"],
            "no/such/folder/a.dd: there is no folder no/such/folder",
        ),
        (["plot", "no-such.dd", "--output", "a.jpg"], "a.jpg"),
        (["plot", "no-such.dd", "--method", "no-such", "--output", "a.svg"], "unknown method"),
        (["bench", "--merge", "no-such.db", "--store", "STORE"], "no-such.db: no such store"),
        (["match", "FILE"], "required: FILE2; see"),
        (["distance", "FILE"], "required: GRAPH2; see"),
        (["nonsense"], "nonsense"),
    ],
)
def test_errors_are_one_line(capsys, tmp_path, file, arguments, words):
    broken, empty = tmp_path / "broken.dd", tmp_path / "empty"
    broken.write_text("p 1 1\n")
    empty.mkdir()
    names = {"FILE": file, "BROKEN": broken, "EMPTY": empty, "STORE": tmp_path / "store.db"}
    status, out, err = call(capsys, *(names.get(argument, argument) for argument in arguments))
    assert status == 2 and out == ""
    assert err.count("\n") == 1 and err.startswith("gmtoolbox") and "error: " in err
    assert str(names.get(words, words)) in err
    assert not names["STORE"].exists()


def test_closed_pipe_is_no_error(file):
    command = f'"{sys.executable}" -m gmtoolbox methods --long | head -1'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow
def test_help_and_methods_answer_at_once():
    for arguments in (["--help"], ["methods"]):
        seconds = []
        for _ in range(5):
            before = os.times()
            start = time.perf_counter()
            assert run(*arguments).returncode == 0
            after = os.times()
            busy = (
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system
            )
            seconds.append(min(time.perf_counter() - start, busy))
        assert min(seconds) < 0.3
