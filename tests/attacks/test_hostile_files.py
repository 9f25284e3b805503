"""Rows 1, 10 to 14 and 16 of docs/development/notes.md: what a file may cost, in memory and time,
is a matter of its size.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from attacks.hostile_files import FILES

READ = """
import json, sys, time
import gmtoolbox as gm, h5py, scipy.io, scipy.sparse
import gmtoolbox.io.dd, gmtoolbox.io.mat, gmtoolbox.io.hdf5, gmtoolbox.io.qaplib
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if "VmHWM" in line)
for path in sys.argv[1:]:
    open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew
    before = peak()
    begin = time.process_time()
    try:
        said = repr(gm.load(path))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    spent = time.process_time() - begin
    grown = peak() - before
    print(json.dumps([path, said, spent, grown / 1024]), flush=True)
"""
SECONDS, MEGABYTES = 20.0, 500.0  # dat_bomb holds 60 MB of text twice, and 240 MB of numbers


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="wants Linux"),
]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """maker's name -> (size, what gm.load said, CPU seconds, MB that the peak has grown), all read
    by one process.
    """
    folder = tmp_path_factory.mktemp("hostile")
    paths = [folder / f"{make.__name__}{suffix}" for make, suffix in FILES.items()]
    for make, path in zip(FILES, paths, strict=True):
        make(path)
    command = [sys.executable, "-c", READ, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = {path.stem: None for path in paths}
    for path, (_, *row) in zip(paths, rows, strict=False):
        found[path.stem] = (path.stat().st_size, *row)
    return found


@pytest.mark.parametrize("make", FILES, ids=lambda make: make.__name__)
def test_refused_in_one_line_for_little(reports, make):
    report = reports[make.__name__]
    assert report is not None, "the process that read it died"
    size, said, seconds, megabytes = report
    assert said.startswith("FileFormatError: ") and "\n" not in said, said
    assert seconds < SECONDS and megabytes < MEGABYTES, (size, seconds, megabytes)
    assert size < 2**20 or make.__name__ == "dat_long_word"
