"""Files: written whole or not at all, read within a limit."""

import os

import pytest

import gmtoolbox as gm


@pytest.mark.parametrize(
    "name, options",
    [("x.dd", {}), ("x.dd.xz", {}), ("x.mat", {}), ("x.mat", {"version": "7.3"}), ("x.h5", {})],
)
def test_output_is_whole_or_not_there(tmp_path, monkeypatch, name, options, random_problem):
    problem = random_problem()
    from dataclasses import replace

    problem = replace(problem, points2=None)
    path = tmp_path / name
    path.write_bytes(b"old")

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(os, "replace", full_disk)
        with pytest.raises(OSError, match="No space"):
            gm.save(problem, path, **options)
    assert path.read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == [name]
    gm.save(problem, path, **options)
    assert gm.load(path) is not None and [p.name for p in tmp_path.iterdir()] == [name]
    assert path.stat().st_mode & 0o777 == 0o666 & ~current_umask()


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("name", ["x.dd", "x.mat", "x.h5"])
def test_links_and_devices_are_not_replaced(tmp_path, name, random_problem):
    from dataclasses import replace

    problem = replace(random_problem(), points2=None)
    target = tmp_path / f"target-{name}"
    target.write_bytes(b"precious")
    (tmp_path / name).symlink_to(target)
    with pytest.raises(gm.InputError, match="is a symbolic link"):
        gm.save(problem, tmp_path / name)
    assert target.read_bytes() == b"precious" and (tmp_path / name).is_symlink()
    (tmp_path / f"dir-{name}").mkdir()
    with pytest.raises(gm.InputError, match="no regular file"):
        gm.save(problem, tmp_path / f"dir-{name}")
