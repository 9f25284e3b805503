"""Our HDF5 format, MATLAB's 7.3, Octave's -hdf5, the round trip through all formats, and hostile
files.
"""

import inspect

import h5py
import numpy as np
import pytest
from h5_changes import bomb, put
from hypothesis import given, settings
from hypothesis import strategies as st
from repetition import times

import gmtoolbox as gm
from gmtoolbox.io import files


@pytest.mark.parametrize("settings", [{}, {"complete": True, "offset": 0.1}, {"sense": "max"}])
@pytest.mark.parametrize("suffix, options", [(".h5", {}), (".mat", {"version": "7.3"})])
def test_round_trip(tmp_path, suffix, options, settings, random_problem):
    problem = random_problem(**settings)
    gm.save(problem, tmp_path / f"x{suffix}", **options)
    again = gm.load(tmp_path / f"x{suffix}")
    assert again == problem and again.name == "x"
    gm.save(again, tmp_path / f"y{suffix}", **options)
    if "track_times" in inspect.signature(h5py.File).parameters:  # older ones write the time
        assert (tmp_path / f"x{suffix}").read_bytes() == (tmp_path / f"y{suffix}").read_bytes()


def test_round_trip_through_all_formats(tmp_path, random_problem):
    """dd -> mat -> v7.3 -> h5 -> dd: zero-cost edges, coordinates, neighbours, complete and ground
    truth travel.
    """
    from dataclasses import replace

    start = replace(
        random_problem(seed=3), points2=np.random.default_rng(0).random((6, 2)), ground_truth=None
    )
    gm.save(start, tmp_path / "0.dd")
    problem = replace(gm.load(tmp_path / "0.dd"), complete=True, ground_truth=[1, -1, 0, 5])
    for name, options in [
        ("1.mat", {}),
        ("2.mat", {"version": "7.3"}),
        ("3.h5", {}),
        ("4.mat", {"version": "6"}),
    ]:
        gm.save(problem, tmp_path / name, **options)
        loaded = gm.load(tmp_path / name)
        assert loaded == problem
        problem = loaded
    gm.save(problem, tmp_path / "5.dd")
    assert gm.load(tmp_path / "5.dd") == problem
    gm.save(replace(problem, complete=False, ground_truth=None), tmp_path / "6.dd")
    assert gm.load(tmp_path / "6.dd") == start
    assert (tmp_path / "6.dd").read_bytes() == (tmp_path / "0.dd").read_bytes()


def h5(tmp_path, problem, change):
    path = tmp_path / "x.h5"
    gm.save(problem, path)
    with h5py.File(path, "r+") as file:
        change(file)
    return path


OURS = [
    (lambda file: file.__delitem__("left"), "dataset left is missing"),
    (lambda file: file.attrs.__delitem__("shape"), "attribute shape is missing"),
    (
        lambda file: file.attrs.__delitem__("format"),
        "attribute format must be 'gmtoolbox', got None",
    ),
    (lambda file: file.attrs.__setitem__("version", 2), "attribute version must be 1, got"),
    (lambda file: file.attrs.__setitem__("shape", [1, 1]), "left must be in 0..0"),
    (
        lambda file: file.attrs.__setitem__("shape", [4, 6, 1]),
        "shape must be two positive integers",
    ),
    (lambda file: file.attrs.__setitem__("sense", np.bytes_("up")), "sense must be"),
    (lambda file: file.attrs.__setitem__("sense", "min"), "attribute sense has variable length"),
    (put("cost", np.array([b"a"])), "dataset cost must hold floats"),
    (put("left", np.ones(3)), "dataset left must hold integers"),
    (put("cost", np.full(3, np.nan)), "must be finite"),
    (put("cost", np.ones(3)), "must have one length"),
    (bomb, None),
]


@pytest.mark.parametrize("change, message", OURS)
def test_broken_h5_files(tmp_path, change, message, random_problem):
    path = h5(tmp_path, random_problem(), change)
    if message is None:  # a dataset that nobody asks for is not read
        assert gm.load(path) == random_problem()
        return
    with pytest.raises(gm.FileFormatError) as caught:
        gm.load(path)
    assert str(path) in str(caught.value) and message in str(caught.value)


def test_bomb_in_a_field(tmp_path, random_problem):
    path = h5(tmp_path, random_problem(), lambda file: file.__delitem__("cost"))
    with h5py.File(path, "r+") as file:
        file.create_dataset(
            "cost", shape=(10**12,), dtype="f8", chunks=(10**6,), compression="gzip"
        )
    with pytest.raises(gm.FileFormatError, match="expands to more than the limit"):
        gm.load(path)


@pytest.mark.parametrize("suffix", [".h5", ".mat"])
def test_truncated_hdf5(tmp_path, suffix, random_problem):
    gm.save(
        random_problem(),
        tmp_path / f"x{suffix}",
        **({"version": "7.3"} if suffix == ".mat" else {}),
    )
    content = (tmp_path / f"x{suffix}").read_bytes()
    for cut in (0, 5, 100, 520, 700, len(content) // 2, len(content) - 1):
        (tmp_path / f"y{suffix}").write_bytes(content[:cut])
        with pytest.raises(gm.FileFormatError):
            gm.load(tmp_path / f"y{suffix}")


def test_limit_is_one_place(monkeypatch, tmp_path, random_problem):
    gm.save(random_problem(), tmp_path / "x.h5")
    monkeypatch.setattr(files, "MAX_DECOMPRESSED", 100)
    with pytest.raises(gm.FileFormatError, match="limit of 100 bytes"):
        gm.load(tmp_path / "x.h5")


@settings(max_examples=times(80), deadline=None)
@given(st.data())
@pytest.mark.timeout(120)
def test_damage_is_noticed(tmp_path_factory, random_problem, load_damaged, data):
    """Metadata and data of our files carry checksums: damaged bytes are refused, or lie where
    nothing is read from.
    """
    path = tmp_path_factory.getbasetemp() / "damaged.h5"
    problem = random_problem(seed=1)
    gm.save(problem, path)
    assert load_damaged(path, path.read_bytes(), data) in (None, problem)
