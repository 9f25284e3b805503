"""The examples of the README and of the tour do what they say."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


TOUR = "docs/tour.md"


def examples(language, page=TOUR):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_readme_fits_on_a_screen_and_leads_somewhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 50
    for target in re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", text):
        target = "".join(target)
        assert "://" in target or (ROOT / target).exists(), target


def test_its_three_lines_solve():
    (code,) = examples("python", "README.md")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "optimal"


def test_python_example(tmp_path):
    (code,) = examples("python")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1.0"


@pytest.mark.skipif(shutil.which("octave") is None, reason="wants Octave")
def test_matlab_example(tmp_path):
    """Typed in a new session, the section prints what it shows; the first line's Python and the
    times are anybody's.
    """
    (code,), (shown, *_) = examples("matlab"), examples("text")
    (tmp_path / "wrappers").symlink_to(ROOT / "wrappers")
    environment = {**os.environ, "GMTOOLBOX_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    command = ["octave", "--no-gui", "-q", "--eval", code]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    first, *lines = done.stdout.splitlines()
    assert re.fullmatch(r"gmtoolbox \S+ with \d+ methods, in \S+", first)
    without_times = lambda line: re.sub(r"time: \d+\.\d{6} ", "time: T ", line)
    assert [*map(without_times, lines)] == [*map(without_times, shown.splitlines()[1:])]


def test_shell_examples(tmp_path, monkeypatch, capsys):
    """They are commands; all but the benchmark, which takes its time, are run."""
    from gmtoolbox import cli

    (tmp_path / "matfiles").symlink_to(ROOT / "matfiles")
    monkeypatch.chdir(tmp_path)
    lines = [
        line.split("#")[0].split()[1:]
        for example in examples("sh")
        for line in example.splitlines()
        if line.startswith("gmtoolbox")
    ]
    assert {line[0] for line in lines} >= {"solve", "info", "convert", "plot", "bench"}
    for line in lines:
        cli.make_parser().parse_args(line)
        if line[0] not in ("bench", "report"):
            assert cli.main(line) == 0, capsys.readouterr().err
    assert (tmp_path / "worms-1_bn.mat").is_file() and (tmp_path / "car-1.svg").is_file()
