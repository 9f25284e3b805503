"""A package for Octave's `pkg install`: `python -m gmtoolbox.wrappers.octave_package [FOLDER]`.

The tarball holds the .m files, the files that pkg reads, and the name of the Python that
wrote it, which the functions use unless gm_setup says otherwise.
"""

import io
import sys
import tarfile
from pathlib import Path

from gmtoolbox._version import __version__
from gmtoolbox.io.files import replace_file
from gmtoolbox.wrappers import RELEASED, matlab_folder

DESCRIPTION = f"""\
Name: gmtoolbox
Version: {__version__.split("+")[0]}
Date: {RELEASED}
Author: The gmtoolbox developers
Maintainer: The gmtoolbox developers
Title: Graph matching
Description: The graph matching solvers of the comparative study (Haller et al., ECCV 2022) behind
 one call. Needs Python with the package gmtoolbox.
Categories: Optimization
Depends: octave (>= 7.0.0)
License: BSD-3-Clause
"""
WRITER = "private/gm_written_by.m"  # names the Python


def members():
    """{name in the tarball: bytes}."""
    folder = matlab_folder()
    functions = sorted(path for path in folder.glob("*.m") if path.stem != "Contents")
    index = ["gmtoolbox >> gmtoolbox", "Graph matching"]
    index += [f" {path.stem}" for path in functions if path.stem.startswith("gm_")]
    index += ["Wrappers of the study"]
    index += [f" {path.stem}" for path in functions if path.stem.startswith("wrapper_")]
    root = f"gmtoolbox-{__version__}"
    files = {
        f"{root}/DESCRIPTION": DESCRIPTION.encode(),
        f"{root}/COPYING": (folder / "license.txt").read_bytes(),
        f"{root}/INDEX": ("\n".join(index) + "\n").encode(),
    }
    for path in [*functions, *sorted((folder / "private").glob("*.m"))]:
        files[f"{root}/inst/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    python = sys.executable.replace("'", "''")
    stub = files[f"{root}/inst/{WRITER}"].decode()
    files[f"{root}/inst/{WRITER}"] = stub.replace("python = '';", f"python = '{python}';").encode()
    return files


def write_package(folder):
    """Write gmtoolbox-VERSION.tar.gz into the folder; its path."""
    target = Path(folder) / f"gmtoolbox-{__version__}.tar.gz"
    with replace_file(target) as draft, tarfile.open(draft, "w:gz") as archive:
        for name, content in members().items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return target


if __name__ == "__main__":
    print(write_package(sys.argv[1] if len(sys.argv) > 1 else "."))
