"""Rows 6 to 8 of docs/development/notes.md: one bad thing must not stop everything."""

import subprocess

import pytest
from processes import ADDED, in_shell, with_plugins, write_plugin

import gmtoolbox as gm

METHODS = (
    ADDED
    + """
import os

def scribble():
    for fd in range(3, 256):
        try:
            os.write(fd, b"\\x80\\x04noise" * 50)
        except OSError:
            pass

def twice():
    os.fork()

def leave():
    os._exit(3)

for function in (scribble, twice, leave):
    add(function)
"""
)
BROKEN = {
    "missing": "no_such_module_at_all",
    "raising": "raising_module",
    "leaving": "leaving_module",
    "doubled": "doubled_module",
    "wrong": "not an entry point",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with a sound distribution and with broken ones."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "raising_module.py").write_text("1 / 0")
    (folder / "leaving_module.py").write_text("import sys; sys.exit(5)")
    (folder / "doubled_module.py").write_text(METHODS.replace('"test-" + ', '"sm" or '))
    write_plugin(folder, "sound", METHODS)
    for name, target in BROKEN.items():
        write_plugin(folder, name, target=target)
    gm.save(gm.synth.car(seed=0, size=4), folder / "p.dd")
    return folder


def command(site, *words, before=""):
    shell, environment = in_shell(words, before), with_plugins(site)
    return subprocess.run(shell, env=environment, capture_output=True, text=True, timeout=120)


def test_06_broken_plug_ins_are_left_out_with_one_line_each(site):
    done = command(site, "methods")
    assert done.returncode == 0 and "test-twice" in done.stdout and "rrwm" in done.stdout
    warnings = done.stderr.splitlines()
    assert len(warnings) == len(BROKEN), done.stderr
    for name in BROKEN:
        assert any(f"warning: plug-in '{name}'" in line for line in warnings)


@pytest.mark.long
def test_07_the_channel_of_a_run_is_its_own(site, tmp_path):
    methods = ("sm", "test-scribble", "test-twice", "fw")
    words = ("bench", site / "p.dd", "-m", *methods, "-t", "1", "-s", tmp_path / "s.db")
    done = command(site, *words, "--format", "runs")
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()[2:]] == sorted(methods)


@pytest.mark.long
def test_08_a_hard_limit_of_memory_is_no_crash_and_failures_have_a_status(site, tmp_path):
    words = ("bench", site / "p.dd", "-t", "1", "-s", tmp_path / "s.db", "--format", "runs", "-m")
    done = command(site, *words, "sm", before="ulimit -v 8000000;")
    assert done.returncode == 0 and "crash" not in done.stdout + done.stderr, done.stderr
    done = command(site, *words, "sm", "test-leave")
    assert done.returncode == 1 and "test-leave" in done.stderr
