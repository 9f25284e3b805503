"""All methods on degenerate problems under AddressSanitizer and UndefinedBehaviorSanitizer, in a
copy of their own; with --slow every test of a kernel, too.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLAGS = (
    "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"
)
LINK = "-fsanitize=address,undefined"
WITH_KERNELS = [
    "tests/cext",
    "tests/solvers",
    "tests/test_contract.py",
    "tests/models",
    "tests/test_kernel_jobs.py",
    "tests/test_many.py",
    "tests/test_changes.py",
    "tests/io/test_dd.py",
    "tests/io/test_multi_dd.py",
    "tests/test_multi.py",
]


def runtime(name):
    """The compiler's shared sanitizer runtime, which must be loaded before Python, or None."""
    if shutil.which("gcc") is None:
        return None
    path = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, timeout=60
    ).stdout.strip()
    return path if os.path.isabs(path) else None


pytestmark = pytest.mark.skipif(
    runtime("libasan.so") is None, reason="gcc with libasan is not installed"
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the sources whose compiled module has the sanitizers in it."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "*.so", "__pycache__")
    tree = shutil.copytree(ROOT, tmp_path_factory.mktemp("sanitized") / "tree", ignore=ignored)
    build = {
        **os.environ,
        "GMTOOLBOX_CFLAGS": FLAGS,
        "GMTOOLBOX_LDFLAGS": LINK,
    }
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=tree, env=build, check=True, timeout=1800, capture_output=True)
    return tree


def run_suites(tree, suites, seconds):
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime("libasan.so"),
        "ASAN_OPTIONS": "detect_leaks=0",
        "GMTOOLBOX_LDFLAGS": LINK,
        "PYTHONPATH": str(tree),
    }
    environment.pop("GMTOOLBOX_DATA", None)
    words = ["pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout=600", *suites]
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, env=environment, timeout=seconds,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_degenerate_problems_are_clean_under_the_sanitizers(tree):
    run_suites(tree, ["tests/attacks/test_degenerate.py"], 1500)


@pytest.mark.slow
@pytest.mark.timeout(5400)
def test_kernels_are_clean_under_the_sanitizers(tree):
    run_suites(tree, [path for path in WITH_KERNELS if (tree / path).exists()], 3600)
