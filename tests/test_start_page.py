"""The commands of the start page, the install page, the README and the quickstart run as written:
from the wheel, in an empty folder.
"""

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WHEEL = os.environ.get("GMTOOLBOX_WHEEL")
PAGES = ("docs/index.md", "docs/install.md", "README.md")
SOURCE = ("pip", "scripts/demo", "scripts/test")  # commands that install, or want the source
needs_wheel = pytest.mark.skipif(WHEEL is None, reason="GMTOOLBOX_WHEEL is not set")


def blocks(page, language):
    """Return the code blocks of a page in a language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def commands(page):
    """Return the words of every command of a page that uses the installed package."""
    lines = "".join(blocks(page, "sh")).splitlines()
    found = [shlex.split(line, comments=True) for line in lines]
    return [words for words in found if words and words[0] not in SOURCE]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Unpack the wheel; the environment of a process that imports the package from there."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(WHEEL).extractall(folder)
    return {**os.environ, "PYTHONPATH": str(folder)}


def run(words, folder, environment):
    """Run a command with this Python in an empty folder and return the output."""
    if words[0] == "gmtoolbox":
        words = ["python", "-m", *words]
    assert words[0] == "python", f"unknown command {words}"
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_pages_have_commands():
    assert commands("docs/index.md") and commands("docs/install.md")
    assert all(blocks(page, "python") for page in ("docs/index.md", "README.md"))


@pytest.mark.long
@needs_wheel
@pytest.mark.parametrize("page", PAGES)
def test_commands_run(page, installed, tmp_path):
    for words in commands(page):
        assert run(words, tmp_path, installed).strip()
    for code in blocks(page, "python"):
        assert "optimal" in run(["python", "-c", code], tmp_path, installed)


@pytest.mark.long
@needs_wheel
def test_the_quickstart_runs(installed, tmp_path):
    code = (
        "import doctest, gmtoolbox, sys\n"
        f"assert gmtoolbox.__file__.startswith({installed['PYTHONPATH']!r})\n"
        f"page = {str(ROOT / 'docs' / 'quickstart.md')!r}\n"
        "flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE\n"
        "sys.exit(doctest.testfile(page, module_relative=False, optionflags=flags).failed)"
    )
    run(["python", "-c", code], tmp_path, installed)
