"""Files that a thread is writing when the process ends."""

import subprocess
import sys

import pytest

CODE = """
import sys, threading, time
from pathlib import Path
from gmtoolbox.io import files
from gmtoolbox.io.files import replace_file

files.PATIENCE = float(sys.argv[2])
target, begun = Path(sys.argv[1]), threading.Event()

def write():
    while True:
        with replace_file(target) as draft:
            begun.set()
            time.sleep(0.1)
            draft.write_text("new")

threading.Thread(target=write, daemon=True).start()
begun.wait()
raise KeyboardInterrupt
"""


@pytest.mark.parametrize("patience, content", [(10.0, "new"), (0.0, "old")])
def test_the_end_of_a_process_leaves_no_draft(tmp_path, patience, content):
    """It waits for the draft, or deletes it; the thread, which would go on, begins no other."""
    target = tmp_path / "x.ck"
    target.write_text("old")
    command = [sys.executable, "-c", CODE, str(target), str(patience)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in ended.stderr
    assert [file.name for file in tmp_path.iterdir()] == [target.name]
    assert target.read_text() == content
