"""Archives of problem files as dataset folders that `bench` takes."""

import json
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

from gmtoolbox.core.errors import FileFormatError, GMError
from gmtoolbox.core.text import natural
from gmtoolbox.io.files import is_plain_name, write_bytes
from gmtoolbox.io.formats import MULTI, PROBLEM, suffixes_of
from gmtoolbox.io.qaplib import SOLUTION_SUFFIX, SUFFIX, read_solution

# Which of the study's datasets ask for complete matchings (paper, Table 1: bijective)
COMPLETE = ("car", "hotel", "house-dense", "house-sparse", "motor", "opengm")
UNPACKERS = (  # bsdtar first: it refuses '..' and does not write through links
    ("bsdtar", ["-x", "-f"]),
    ("7zz", ["x", "-y", "-bd"]),
    ("7z", ["x", "-y", "-bd"]),
    ("7za", ["x", "-y", "-bd"]),
)
PATIENCE = 1800.0  # seconds for a program that unpacks


def unpack(path, folder):
    """Put the files of an archive (.tar.*, .zip, .7z) into a folder."""
    try:
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                extract_files(archive, folder)
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
        else:
            by_program(path, folder)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error,
            RuntimeError, ValueError) as error:  # fmt: skip
        # zipfile raises the last two for encrypted members and unknown compression
        raise FileFormatError(path, f"is a damaged archive: {error}") from error


def extract_files(archive, folder):
    """Extract a tar archive: nothing outside of the folder, no devices, no links to the outside."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
        return
    root = os.path.realpath(folder)  # Python 3.11.0 to 3.11.3 has no filters
    for member in archive:
        target = os.path.realpath(os.path.join(root, member.name))
        is_inside = os.path.commonpath([root, target]) == root
        if not is_inside or not (member.isfile() or member.isdir()):
            raise tarfile.ExtractError(f"{member.name!r} is outside, a link or a device")
        archive.extract(member, folder)


def by_program(path, folder):
    """Unpack with the first program of UNPACKERS that is installed."""
    program = next((pair for pair in UNPACKERS if shutil.which(pair[0])), None)
    if program is None:
        packages = "apt-get install p7zip-full, or libarchive-tools"
        raise GMError(f"{path}: unpacking needs 7z or bsdtar ({packages})")
    done = subprocess.run(
        [program[0], *program[1], str(Path(path).absolute())],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())[-300:]
        raise FileFormatError(path, f"{program[0]} cannot unpack it: {said}")


def study_datasets(archives, folder):
    """Make a dataset folder of every group of problem files: car7.dd belongs to car; the names."""
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        groups, suffixes = {}, suffixes_of(PROBLEM, MULTI)
        for k, archive in enumerate(archives):
            own = Path(inside, str(k), Path(archive).name.split(".")[0] or "archive")
            own.mkdir(parents=True)
            unpack(archive, own)
            for file in problem_files(own):
                suffix = next((s for s in suffixes if file.name.endswith(s)), None)
                parts = suffix and re.fullmatch(r"(.*?)-?([0-9]+)", file.name.removesuffix(suffix))
                if parts:
                    name, dataset = file.name.removesuffix(suffix), parts[1] or file.parent.name
                    check_plain_name(archive, dataset)
                    check_plain_name(archive, name)
                    groups.setdefault(dataset, {})[name] = file, suffix
        for dataset, files in groups.items():
            target = folder / dataset
            target.mkdir(exist_ok=True)
            for name, (file, suffix) in files.items():
                shutil.move(file, target / f"{name}{suffix}")
            describe(target, dataset, files, dataset in COMPLETE)
    return sorted(groups)


def qaplib_dataset(archives, folder):
    """Make one dataset folder of .dat files, with the best known values of .sln files; its name."""
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        for archive in archives:
            unpack(archive, inside)
        files = problem_files(inside)
        solutions = {file.stem: file for file in files if file.suffix == SOLUTION_SUFFIX}
        target = folder / "qaplib"
        target.mkdir(exist_ok=True)
        names = []
        for file in (file for file in files if file.suffix == SUFFIX):
            check_plain_name(file.name, file.stem)
            names.append(file.stem)
            value = best_known(solutions[file.stem]) if file.stem in solutions else None
            if value is not None:
                write_json(target / f"{file.stem}.json", {"best_known": value})
            shutil.move(file, target / file.name)
        describe(target, "qaplib", names, True)
    return ["qaplib"] if names else []


def best_known(path):
    """Return the value of a .sln file; None if it is damaged, as some of the library's are."""
    try:
        return read_solution(path)[0]
    except GMError:
        return None


def problem_files(folder):
    """The files below a folder, without links and hidden files (._car1.dd of a Mac, say)."""
    found = (p for p in Path(folder).rglob("*") if p.is_file() and not p.is_symlink())
    return sorted(p for p in found if not p.name.startswith("."))


def check_plain_name(archive, name):
    """FileFormatError unless a name from an archive can be that of a dataset or an instance."""
    if not is_plain_name(name):
        raise FileFormatError(archive, f"holds a file whose name gives {name!r}, not a plain name")


def describe(folder, dataset, names, complete):
    """Write the dataset.json of a folder."""
    content = {"dataset": dataset, "complete": complete, "instances": sorted(names, key=natural)}
    write_json(folder / "dataset.json", content)


def write_json(path, content):
    """Write an object as one line of JSON."""
    write_bytes(path, (json.dumps(content) + "\n").encode())


MAKERS = {"study": study_datasets, "qaplib": qaplib_dataset}
