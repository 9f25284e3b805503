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
    description = json.loads((out / "car" / "dataset.json").read_text("utf-8"))
    assert description == {
        "dataset": "car",
        "complete": True,
        "instances": ["car1", "car2", "car10"],
    }
    assert not json.loads((out / "worms" / "dataset.json").read_text("utf-8"))["complete"]
    assert len(gm.load_dataset(out / "car")) == 3
    assert sorted(path.name for path in out.iterdir()) == ["car", "house-dense", "worms"]


@pytest.mark.parametrize("has_filters", [True, False])
def test_nothing_leaves_the_folder(tmp_path, monkeypatch, has_filters):
    if not has_filters:  # as Python 3.11.2 of Debian 12
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
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


DD = b"p 1 1 1 0\na 0 0 0 -1\n"


def packed(kind, members, target):
    """An archive of these members: {name: content}."""
    if kind == "zip":
        with zipfile.ZipFile(target, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(target, "w") as archive:
            for name, content in members.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return target


@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.parametrize(
    "name", ["..1.dd", ".1.dd", "..-1.dd", "a/..1.dd", "...dd", ".2.dat", "..dat", "..\\x1.dd"]
)
def test_no_member_names_a_dataset_outside(kind, name, tmp_path):
    """'..1.dd' once made the dataset '..' and replaced the dataset.json of the parent."""
    (tmp_path / "dataset.json").write_text("old")
    out = tmp_path / "out"
    out.mkdir()
    archive = packed(kind, {name: DD, "car1.dd": DD}, tmp_path / f"a.{kind}")
    for make in (study_datasets, qaplib_dataset):
        try:
            make([archive], out)
        except FileFormatError as error:
            assert "\n" not in str(error)
    kept = {"a.tar", "a.zip", "dataset.json", "out"}
    assert {path.name for path in tmp_path.iterdir()} <= kept
    assert (tmp_path / "dataset.json").read_text("utf-8") == "old"
    assert {path.name for path in out.iterdir()} <= {"car", "qaplib"}


def test_numbered_files_belong_to_the_dataset_of_their_archive(tmp_path):
    archive = packed("tar", {"1.dd": DD, "owl/2.dd": DD}, tmp_path / "fish.tar")
    assert study_datasets([archive], tmp_path) == ["fish", "owl"]


@pytest.mark.skipif(shutil.which("bsdtar") is None, reason="wants bsdtar")
def test_programs_unpack_nothing_outside(tmp_path):
    """A link to another folder, and a file through it."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "x1.dd").write_bytes(DD)
    (tmp_path / "d").symlink_to(tmp_path / "elsewhere")
    command = ["bsdtar", "-c", "-f", "a.7z", "--format", "7zip", "-s", ",x1,d/x1,", "d", "x1.dd"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    (tmp_path / "out").mkdir()
    try:
        unpack(tmp_path / "a.7z", tmp_path / "out")
    except FileFormatError as error:
        assert "\n" not in str(error)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_archives_that_cannot_be_read_are_refused_in_one_line(tmp_path):
    """Encrypted members, an unknown compression, streams cut off."""
    archive = packed("zip", {"car1.dd": DD}, tmp_path / "a.zip")
    whole = archive.read_bytes()
    (tmp_path / "out").mkdir()
    for place, change in ((6, 1), (8, 99)):  # flags and method, in both headers
        content = bytearray(whole)
        for start in (0, whole.index(b"PK\x01\x02") + 2):
            content[start + place] = change
        archive.write_bytes(content)
        with pytest.raises(FileFormatError, match="is a damaged archive"):
            unpack(archive, tmp_path / "out")
    with tarfile.open(tmp_path / "a.tar.xz", "w:xz") as tar:
        tar.add(tmp_path / "a.zip", "car1.dd")
    content = (tmp_path / "a.tar.xz").read_bytes()
    for end in range(80, len(content), 16):
        (tmp_path / "b.tar.xz").write_bytes(content[:end])
        try:  # the end of a tar file is padding: near it nothing is missing
            unpack(tmp_path / "b.tar.xz", tmp_path / "out")
        except GMError as error:
            assert "\n" not in str(error)
        else:
            assert end > 80
