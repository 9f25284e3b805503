"""The command line for tests: in this process, or run as a user runs it."""

import subprocess
import sys

import numpy as np
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli


def run(*arguments, timeout=60, **rest):
    """The CompletedProcess of a command line."""
    command = [sys.executable, "-m", "gmtoolbox", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, **rest)


def call(capsys, *arguments):
    """main() in this process: (exit status, stdout, stderr)."""
    try:
        status = cli.main([str(argument) for argument in arguments])
    except SystemExit as stop:
        status = stop.code
    return status, *capsys.readouterr()


def small_problem():
    """A problem of 4 x 5 nodes."""
    return random_problem(np.random.default_rng(3), 4, 5, signs="nonpositive")


def small_file(folder):
    """A dd file of small_problem."""
    path = folder / "small.dd"
    gm.save(small_problem(), path)
    return path
