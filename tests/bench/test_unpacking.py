"""Archives as dataset folders; nothing of an archive leaves its folder."""

import io
import json
import shutil
import subprocess
import tarfile
import zipfile

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.bench.unpacking import UNPACKERS, qaplib_dataset, study_datasets, unpack
from gmtoolbox.core.errors import FileFormatError, GMError


@pytest.fixture
def files(tmp_path):
    """Files named as the study names them, in a folder of an archive."""
    folder = tmp_path / "in" / "dataset"
    folder.mkdir(parents=True)
    for name in ("car1", "car2", "car10", "worms1", "house-dense1"):
        problem = random_problem(np.random.default_rng(0), 3, 3)
        gm.save(problem, folder / f"{name}.dd")
    (folder / "README.txt").write_text("hello")
    return tmp_path / "in"


def archived(kind, files, target):
    if kind == "tar.xz":
        with tarfile.open(target, "w:xz") as archive:
            archive.add(files, ".")
    elif kind == "zip":
        with zipfile.ZipFile(target, "w") as archive:
            for file in files.rglob("*.*"):
                archive.write(file, file.relative_to(files))
    else:
        maker = next((name for name in ("bsdtar", "7zz", "7z", "7za") if shutil.which(name)), None)
        if maker is None:
            pytest.skip("wants 7z or bsdtar")
        command = (
            [maker, "-c", "-f", target, "--format", "7zip", "dataset"]
            if maker == "bsdtar"
            else [maker, "a", target, "dataset"]
        )
        subprocess.run(command, cwd=files, check=True, timeout=60, capture_output=True)
    return target


@pytest.mark.parametrize("kind", ["tar.xz", "zip", "7z"])
def test_study(kind, files, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    archive = archived(kind, files, tmp_path / f"a.{kind}")
    assert study_datasets([archive], out) == ["car", "house-dense", "worms"]
    description = json.loads((out / "car" / "dataset.json").read_text())
    assert description == {
        "dataset": "car",
        "complete": True,
        "instances": ["car1", "car2", "car10"],
    }
    assert not json.loads((out / "worms" / "dataset.json").read_text())["complete"]
    assert len(gm.load_dataset(out / "car")) == 3
    assert sorted(path.name for path in out.iterdir()) == ["car", "house-dense", "worms"]


def test_nothing_leaves_the_folder(tmp_path):
    for kind in ("file", "link"):
        with tarfile.open(tmp_path / "bad.tar", "w") as archive:
            entry = tarfile.TarInfo("../escaped" if kind == "file" else "link")
            if kind == "link":
                entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(entry, io.BytesIO())
        (tmp_path / "out").mkdir(exist_ok=True)
        with pytest.raises(FileFormatError):
            unpack(tmp_path / "bad.tar", tmp_path / "out")
        assert not (tmp_path / "escaped").exists()


def test_damaged_archives_and_missing_programs(tmp_path, monkeypatch):
    (tmp_path / "a.7z").write_bytes(b"7z\xbc\xaf\x27\x1c nothing")
    out = tmp_path / "out"
    out.mkdir()
    if any(shutil.which(name) for name, _ in UNPACKERS):
        with pytest.raises(FileFormatError, match="cannot unpack"):
            unpack(tmp_path / "a.7z", out)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(GMError, match="apt-get install"):
        unpack(tmp_path / "a.7z", out)
    assert qaplib_dataset([], out) == []
