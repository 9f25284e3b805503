"""The oldest versions of the libraries that pyproject.toml allows, in an environment of their own.
The other tests use the newest.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["pytest", "pytest-timeout", "hypothesis", "networkx"]
# What touches the libraries most. Older HDF5 does not notice all damage of a file.
SUITES = [
    "tests/core",
    "tests/io/test_h5safe.py",
    "tests/io/test_hdf5.py",
    "tests/io/test_mat.py",
    "tests/engine",
    "tests/models/test_linear_program.py",
    "tests/solvers/test_smac.py",
    "tests/bench/store/test_store.py",
]
OMITTED = ["-k", "not damage_is_noticed"]


def oldest():
    """['numpy==2.2.*', ...]: the first series that is allowed. Not its first release, which may
    have no wheel for this Python, or have been withdrawn.
    """
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    pins = [re.fullmatch(r"([\w-]+)>=([\d.]+)", line).groups() for line in lines]
    return [f"{name}=={version}.*" for name, version in pins]


def test_every_requirement_has_a_lower_bound():
    assert len(oldest()) >= 7 and "numpy==2.2.*" in oldest()


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_oldest_versions(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "old"], check=True, timeout=300)
    python = tmp_path / "old" / "bin" / "python"
    words = ["install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    done = subprocess.run(
        [python, "-m", "pip", *words, *oldest(), *TOOLS],
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    if "Could not find a version" in done.stderr or "No matching distribution" in done.stderr:
        pytest.skip(f"no such old versions for this Python: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("GMTOOLBOX_DATA", None)
    words = ["pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout=300", *OMITTED, *SUITES]
    done = subprocess.run(
        [python, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
