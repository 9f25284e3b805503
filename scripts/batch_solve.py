#!/usr/bin/env python3
"""Solve a folder of problem files with several methods, several runs at a time.

    scripts/batch_solve.py FOLDER --methods rrwm ipfps --jobs 8

This is `gmtoolbox batch` for a source tree; without --output the results go to
FOLDER/results/results.mat, a struct array `runs` for MATLAB, and results.csv next to it.
"""

import sys
from pathlib import Path

try:
    from gmtoolbox.cli import main
except ModuleNotFoundError:  # a source tree that is not installed
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from gmtoolbox.cli import main


def with_output(arguments):
    """The arguments, with the results in the first folder unless they say where."""
    given = {argument.partition("=")[0] for argument in arguments}
    folder = next((argument for argument in arguments if Path(argument).is_dir()), None)
    if folder is None or given & {"--output", "-o"}:
        return arguments
    target = Path(folder) / "results" / "results"
    return [*arguments, "--output", f"{target}.mat", f"{target}.csv"]


if __name__ == "__main__":
    sys.exit(main(["batch", *with_output(sys.argv[1:])]))
