"""The root of a search on disk: kept, used, removed, and refused if it is damaged."""

import json

import numpy as np
import pytest
from cext.aj.test_open import hard

import gmtoolbox as gm
from gmtoolbox.io.checkpoints import read_arrays, write_arrays, write_checkpoint
from gmtoolbox.solvers import _kept_root


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """(problem, path of a checkpoint with a root)."""
    problem, path = hard(14, np.random.default_rng(1)), tmp_path_factory.mktemp("kept") / "x.ck"
    gm.gm_solve(problem, "aj", sdp="at once", checkpoint=path, maxiter=2500)
    assert path.with_name("x.ck.root").exists()
    return problem, path


@pytest.fixture(scope="module")
def whole(kept):
    return gm.gm_solve(kept[0], "aj", sdp="at once")


@pytest.fixture
def copied(kept, tmp_path):
    """The same in a folder of its own."""
    problem, path = kept
    for name in ("x.ck", "x.ck.root"):
        (tmp_path / name).write_bytes((path.parent / name).read_bytes())
    return problem, tmp_path / "x.ck"


def go_on(problem, path):
    return gm.gm_solve(problem, "aj", sdp="at once", checkpoint=path)


def identity_of(path):
    return json.loads(path.read_bytes().partition(b"\n")[0])["identity"]


@pytest.mark.long
def test_a_run_goes_on_from_it_and_removes_it(copied, whole):
    problem, path = copied
    r = go_on(problem, path)
    assert (r.value, r.bound, r.status) == (whole.value, whole.bound, "optimal")
    assert r.n_iter < whole.n_iter and not path.with_name("x.ck.root").exists()


@pytest.mark.long
def test_without_the_file_the_root_is_made_again(copied, whole):
    problem, path = copied
    path.with_name("x.ck.root").unlink()
    r = go_on(problem, path)
    assert (r.value, r.bound, r.status) == (whole.value, whole.bound, "optimal")


def test_a_damaged_root_is_refused(copied):
    problem, path = copied
    file = path.with_name("x.ck.root")
    content = bytearray(file.read_bytes())
    for broken in (content[:-1], content + b"x", b"something else", content[:200]):
        file.write_bytes(broken)
        with pytest.raises(gm.FileFormatError, match="damaged"):
            go_on(problem, path)
    content[-100] ^= 1
    file.write_bytes(content)
    with pytest.raises(gm.FileFormatError, match="damaged"):
        go_on(problem, path)
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    "change",
    [{"Z": np.zeros((2, 2))}, {"slot": np.zeros(3)}, {"labels": np.zeros(14, np.int32)},
     {"numbers": np.zeros(4)}, {"numbers": np.ones(3)}, {"allowed": np.zeros(4, np.uint8)}],
)  # fmt: skip
def test_a_root_of_no_such_problem_is_refused(copied, change):
    """Whole, but made by something else."""
    problem, path = copied
    file = path.with_name("x.ck.root")
    identity = identity_of(file)
    write_arrays(file, identity, {**read_arrays(file, identity), **change})
    with pytest.raises(gm.FileFormatError, match="not a root"):
        go_on(problem, path)


@pytest.mark.long
def test_the_matching_of_its_time_is_used(copied, whole):
    """A checkpoint whose own matching is worse, as if another process had written it."""
    problem, path = copied
    content = json.loads(path.read_text("utf-8"))
    worse = {**content["state"], "labels": list(range(14))}
    worse["value"] = problem.energy(np.arange(14))
    write_checkpoint(path, content["identity"], worse)
    r = go_on(problem, path)
    assert (r.value, r.status) == (whole.value, "optimal")


def test_a_root_of_another_run_is_refused(copied):
    problem, path = copied
    file = path.with_name("x.ck.root")
    identity = identity_of(file)
    write_arrays(file, {**identity, "seed": 1}, read_arrays(file, identity))
    with pytest.raises(gm.InputError, match="seed 1, got 0"):
        go_on(problem, path)


def test_its_file_is_next_to_the_checkpoint(tmp_path):
    assert _kept_root.root_path(tmp_path / "a.ck") == f"{tmp_path}/a.ck.root"
