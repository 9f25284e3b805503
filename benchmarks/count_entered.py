"""Count the Python files and functions of gmtoolbox that a call enters: the length of the road.

    python benchmarks/count_entered.py [--list]

Three calls are counted: a .dd file solved by fm-bca, a matrix K that the MATLAB functions send to
the server, and a report of a small benchmark. Imports do not count; --list prints the functions.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.io import savemat

import gmtoolbox as gm
from gmtoolbox.cli import main as main_of_gmtoolbox

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = os.path.dirname(os.path.abspath(gm.__file__)) + os.sep
INSTANCE = ROOT / "matfiles" / "car" / "car-0.dd"


def count_entered(call):
    """Return {file: set of functions} that call() enters, after a first call that imports."""
    call()
    entered = {}

    def note(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name[0] != "<":
            name = os.path.relpath(code.co_filename, PACKAGE)
            entered.setdefault(name, set()).add(code.co_qualname)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def solve_file():
    """Load a .dd file and solve it."""
    gm.gm_solve(str(INSTANCE), "fm-bca")


def solve_from_matlab(folder):
    """Answer gm_solve(K, 'rrwm') as the server behind the MATLAB functions does."""
    from gmtoolbox.wrappers.calls import VERBS

    stem = os.path.join(folder, "1")
    arguments = {"method": "rrwm", "folder": folder, "octave": 1.0}
    savemat(f"{stem}.in.mat", {"arguments": arguments, "K": np.eye(9)})
    VERBS["solve"](stem, lambda kind, text: None)


@contextlib.contextmanager
def silenced():
    """Swallow the output of a command."""
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


def make_store(folder):
    """Return the path of a store with the runs of two methods on one instance."""
    store = os.path.join(folder, "bench.db")
    words = ["bench", str(INSTANCE), "-m", "fm", "fw", "-t", "1", "--store", store]
    with silenced():
        main_of_gmtoolbox(words)
    return store


def make_report(store, folder):
    """Write the report of a store."""
    with silenced():
        main_of_gmtoolbox(["report", store, "--output", folder])


def main():
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print every function")
    listed = parser.parse_args().list
    with tempfile.TemporaryDirectory() as folder:
        store = make_store(folder)
        calls = {
            ".dd file, fm-bca": solve_file,
            "K from MATLAB, rrwm": lambda: solve_from_matlab(folder),
            "report": lambda: make_report(store, os.path.join(folder, "report")),
        }
        for name, call in calls.items():
            entered = count_entered(call)
            functions = sum(map(len, entered.values()))
            print(f"{name}: {len(entered)} files, {functions} functions")
            for file in sorted(entered) if listed else ():
                print(f"    {file}: {', '.join(sorted(entered[file]))}")


if __name__ == "__main__":
    main()
