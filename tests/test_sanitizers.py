"""Every kernel once more under AddressSanitizer and UndefinedBehaviorSanitizer (slow: builds its
own copy).
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
WITH_KERNELS = [
    "tests/cext",
    "tests/solvers",
    "tests/test_contract.py",
    "tests/test_models.py",
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


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(runtime("libasan.so") is None, reason="gcc with libasan is not installed")
def test_kernels_are_clean_under_the_sanitizers(tmp_path):
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "*.so", "__pycache__")
    tree = shutil.copytree(ROOT, tmp_path / "tree", ignore=ignored)
    build = {
        **os.environ,
        "GMTOOLBOX_CFLAGS": FLAGS,
        "GMTOOLBOX_LDFLAGS": "-fsanitize=address,undefined",
    }
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=tree, env=build, check=True, timeout=900, capture_output=True)

    run = {
        **os.environ,
        "LD_PRELOAD": runtime("libasan.so"),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONPATH": str(tree),
    }
    run.pop("GMTOOLBOX_DATA", None)
    suites = [path for path in WITH_KERNELS if (tree / path).exists()]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "--timeout=600",
        *suites,
    ]
    done = subprocess.run(command, cwd=tree, env=run, timeout=3000, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
