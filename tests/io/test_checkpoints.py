"""Checkpoint files: whole or not at all, and refused if they are damaged or of another run."""

import os

import numpy as np
import pytest

import gmtoolbox as gm
from gmtoolbox.io import checkpoints
from gmtoolbox.io.checkpoints import (
    read_arrays,
    read_checkpoint,
    write_arrays,
    write_checkpoint,
)

IDENTITY = {"problem": "0" * 32, "seed": 3, "sdp": "stalled", "cutoff": None}
STATE = {"bound": 1.25, "labels": [1, 0], "open": [{"lower": None, "pairs": [[0, -1]]}]}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "run.ck"
    write_checkpoint(path, IDENTITY, STATE)
    return path


def test_a_state_comes_back(path):
    assert read_checkpoint(path, IDENTITY) == STATE


def test_no_file_is_no_state(tmp_path):
    assert read_checkpoint(tmp_path / "none.ck", IDENTITY) is None


@pytest.mark.parametrize(
    "name, value, said",
    [("problem", "1" * 32, "another problem"), ("seed", 4, "seed 3, got 4"),
     ("sdp", "off", "sdp 'stalled', got 'off'"), ("cutoff", 1.5, "cutoff None, got 1.5")],
)  # fmt: skip
def test_the_checkpoint_of_another_run_is_refused(path, name, value, said):
    with pytest.raises(gm.InputError, match=said) as error:
        read_checkpoint(path, {**IDENTITY, name: value})
    assert "\n" not in str(error.value) and "run.ck" in str(error.value)


def test_a_file_that_was_cut_off_is_refused(path):
    whole = path.read_bytes()
    for length in range(len(whole) - 1):  # the last byte is the end of the line
        path.write_bytes(whole[:length])
        with pytest.raises(gm.FileFormatError, match="damaged"):
            read_checkpoint(path, IDENTITY)


def test_a_file_that_was_changed_is_refused(path):
    whole = path.read_bytes()
    for k in range(len(whole) - 1):
        if whole[k : k + 1] == b" ":
            continue  # another space says the same
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 1]) + whole[k + 1 :])
        with pytest.raises(gm.FileFormatError, match="damaged"):
            read_checkpoint(path, IDENTITY)


@pytest.mark.parametrize("content", [b"", b"[]", b"7", b"\xff", b"[" * 100_000])
def test_what_is_not_a_checkpoint_is_refused_and_kept(path, content):
    path.write_bytes(content)
    with pytest.raises(gm.FileFormatError):
        read_checkpoint(path, IDENTITY)
    assert path.read_bytes() == content


@pytest.mark.parametrize("broken", ["write", "fsync", "replace"])
def test_a_failure_leaves_the_old_checkpoint(path, broken, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    if broken == "write":
        monkeypatch.setattr(checkpoints, "open", lambda *_: open("/dev/full", "wb"), raising=False)
    else:
        monkeypatch.setattr(os, broken, fail)
    with pytest.raises(OSError, match="No space"):
        write_checkpoint(path, IDENTITY, {**STATE, "bound": 2.0})
    monkeypatch.undo()
    assert read_checkpoint(path, IDENTITY) == STATE
    assert os.listdir(path.parent) == ["run.ck"]


def test_the_content_is_on_the_disk_before_it_has_the_name(path, monkeypatch):
    done = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda *x, name=name, real=real: done.append(name) or real(*x)
        )
    checkpoints.write_checkpoint(path, IDENTITY, STATE)
    assert done[:2] == ["fsync", "replace"]


ARRAYS = {"a": np.arange(6, dtype=np.int32).reshape(2, 3), "b": np.zeros(0), "c": np.array([0.5])}


def test_arrays_come_back(tmp_path):
    write_arrays(tmp_path / "x", IDENTITY, ARRAYS)
    found = read_arrays(tmp_path / "x", IDENTITY)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype and np.array_equal(found[name], array)
    assert read_arrays(tmp_path / "none", IDENTITY) is None


def test_changed_arrays_are_refused(tmp_path):
    path = tmp_path / "x"
    write_arrays(path, IDENTITY, ARRAYS)
    whole = path.read_bytes()
    for k in range(len(whole)):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 1]) + whole[k + 1 :])
        with pytest.raises((gm.FileFormatError, gm.InputError)):
            read_arrays(path, IDENTITY)
    for broken in (whole[:-1], whole + b"\0", whole.replace(b"[2, 3]", b"[2,-3]")):
        path.write_bytes(broken)
        with pytest.raises(gm.FileFormatError):
            read_arrays(path, IDENTITY)


def test_a_checkpoint_is_not_a_file_of_arrays(path):
    with pytest.raises(gm.FileFormatError):
        read_arrays(path, IDENTITY)
