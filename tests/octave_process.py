"""GNU Octave for tests: code in, output out, nothing left behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import wait_until

ROOT = Path(__file__).resolve().parent.parent
OCTAVE = shutil.which("octave-cli") or shutil.which("octave")

reason = (
    "GNU Octave is not installed: NOTHING of the MATLAB side is tested (Debian: apt-get install"
    " octave)"
)
needs_octave = pytest.mark.skipif(OCTAVE is None, reason=reason)
if OCTAVE is None:
    print(f"\n*** {reason} ***", file=sys.stderr)


def octave_environment(temporary, **more):
    """Octave uses this Python and this temporary folder; the user's settings stay out of it."""
    temporary.mkdir(exist_ok=True)
    chosen = {
        "GMTOOLBOX_PYTHON": sys.executable,
        "TMPDIR": str(temporary),
        "HOME": str(temporary),  # a Python that gm_setup has remembered must not matter
        "GMTOOLBOX_TEST_FOLDER": str(temporary.parent),
        **more,
    }
    return {**os.environ, "OMP_NUM_THREADS": "1", **chosen}


def octave_command(code):
    """The command that runs code with our .m files on the path."""
    return [
        OCTAVE,
        "--no-gui",
        "--norc",
        "--quiet",
        "--eval",
        f"addpath('{ROOT}/wrappers/matlab', '{ROOT}/tests/octave'); {code}",
    ]


def run_plain_octave(code, folder):
    """Octave code in a folder, without this package's functions."""
    command = [OCTAVE, "--no-gui", "--norc", "--quiet", "--eval", code]
    subprocess.run(command, cwd=folder, check=True, timeout=120)


def run_octave(code, folder, seconds=200, **more):
    """Standard output of Octave code; nothing may be left in its temporary folder. more is for the
    environment.
    """
    temporary = folder / "tmp"
    done = subprocess.run(
        octave_command(code),
        cwd=folder,
        env=octave_environment(temporary, **more),
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    wait_until(lambda: not list(temporary.iterdir()), "the temporary folder is not empty")
    return done.stdout
