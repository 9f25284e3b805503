"""python -m gmtoolbox is the command line."""

import subprocess
import sys

import gmtoolbox as gm


def module(*arguments):
    command = [sys.executable, "-m", "gmtoolbox", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_module_is_the_command():
    assert module("--version").stdout.split()[-1] == gm.__version__


def test_bad_input_is_one_line_and_exit_status_two():
    done = module("info", "no-such-file.dd")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "no-such-file.dd" in done.stderr
