"""What users get: the wheel, the source archive's contents and the set-up commands."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path

import gmtoolbox._cext
import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = [ROOT / "scripts" / "environment.sh"]
FILES = [path for path in [*(ROOT / "scripts").rglob("*"), ROOT / ".ci" / "run"] if path.is_file()]
SCRIPTS += [path for path in FILES if path.read_bytes().startswith(b"#!/bin/sh")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that .ci/run has just built, or one built here."""
    if "GMTOOLBOX_WHEEL" in os.environ:
        return Path(os.environ["GMTOOLBOX_WHEEL"])
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT]
    subprocess.run(command, check=True, timeout=280)
    return next(folder.glob("*.whl"))


needs_wheel = pytest.mark.slow if "GMTOOLBOX_WHEEL" not in os.environ else pytest.mark.timeout(300)


@needs_wheel
def test_wheel_holds_the_compiled_module(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert [
        name for name in names if name.startswith("gmtoolbox/_cext") and name.endswith(".so")
    ] == ["gmtoolbox/_cext.abi3.so"]
    assert "-cp311-abi3-" in wheel.name  # one wheel serves every Python from 3.11 on


@needs_wheel
def test_wheel_holds_every_module(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, package in (
        ("gmtoolbox", "gmtoolbox"),
        ("wrappers/matlab", "gmtoolbox/wrappers/matlab"),
    ):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".m", ".css", ".js", ".html", ".json"):
                assert f"{package}/{path.relative_to(ROOT / folder).as_posix()}" in names


@pytest.mark.skipif(shutil.which("nm") is None, reason="binutils is not installed")
def test_the_module_exports_its_entry_only():
    command = ["nm", "-D", "--defined-only", gmtoolbox._cext.__file__]
    listed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert [line.split()[-1] for line in listed.splitlines()] == ["PyInit__cext"]


@needs_wheel
def test_wheel_works_away_from_the_source_tree(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = (
        "import gmtoolbox as gm, numpy as np, gmtoolbox.wrappers; print(gm.__file__,"
        " gm.Problem.from_matrix(np.eye(4)).energy([0, 1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.split() == [str(tmp_path / "site" / "gmtoolbox" / "__init__.py"), "2.0"]
    batch = ["batch", str(ROOT / "matfiles" / "car" / "car-0.dd"), "-m", "fm", "-o", "r.csv"]
    subprocess.run(
        [sys.executable, "-m", "gmtoolbox", *batch],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        timeout=120,
        check=True,
    )
    assert (tmp_path / "r.csv").read_text("utf-8").count("car-0,fm") == 1


@pytest.mark.parametrize("has_installed", [True, False])
def test_a_source_tree_that_was_not_built_leads_to_the_installed_package(tmp_path, has_installed):
    """`pip install .` leaves no compiled part in the clone, whose gmtoolbox/ comes first there."""
    clone, site = tmp_path / "clone", tmp_path / "site"
    unbuilt = shutil.ignore_patterns("_cext*", "__pycache__")
    shutil.copytree(ROOT / "gmtoolbox", clone / "gmtoolbox", ignore=unbuilt)
    site.mkdir()
    if has_installed:
        shutil.copytree(Path(gmtoolbox.__file__).parent, site / "gmtoolbox")
    code = (
        "import gmtoolbox as gm, gmtoolbox.core.problem as own; print(own.__file__);"
        "print(gm.gm_solve([[1.0]]).value)"
    )
    commands = [["-c", code], ["-m", "gmtoolbox", "--version"]]
    # -S: without the .pth files of this environment, one of which may name this source tree
    paths = [str(site), *(path for path in sys.path if path.endswith("site-packages"))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = [
        subprocess.run(
            [sys.executable, "-S", *words], cwd=clone, env=environment, capture_output=True,
            text=True, timeout=120,
        )
        for words in commands
    ]  # fmt: skip
    if has_installed:
        place = site / "gmtoolbox" / "core" / "problem.py"
        assert done[0].stdout.split() == [str(place), "1.0"], done[0].stderr
        assert done[1].returncode == 0
    else:
        assert "the compiled part of gmtoolbox is missing here" in done[0].stderr


def test_every_package_folder_is_declared():
    """setuptools leaves a folder out of the wheel without a word when setup.cfg does not name
    it.
    """
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    declared = set(setup["options"]["packages"].split())
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "gmtoolbox").rglob("__init__.py")
    }
    of_data = {"wrappers.matlab", "wrappers.matlab.examples"}
    of_data |= {f"wrappers.matlab.{name}" for name in ("doc", "private", "resources")}
    assert found | {f"gmtoolbox.{name}" for name in of_data} == declared


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_valid_posix_shell(script):
    subprocess.run(["sh", "-n", script], check=True, timeout=20)
    assert script.suffix == ".sh" or os.access(script, os.X_OK)


def set_up(tmp_path, **environment):
    """Run only the set-up's checks, with the given variables; the finished process."""
    script = f'set -eu; root="{ROOT}"; . "{ROOT}/scripts/environment.sh"'
    variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environment}
    return subprocess.run(
        ["sh", "-c", script], env=variables, capture_output=True, text=True, timeout=60
    )


def fake_python(tmp_path, body):
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_missing_python_and_compiler_are_named_together(tmp_path):
    done = set_up(tmp_path, PYTHON="no-such-python", CC="no-such-cc")
    assert done.returncode == 1
    assert "no 'no-such-python' here" in done.stderr and "no 'no-such-cc' here" in done.stderr
    assert "apt-get install python3 python3-venv python3-dev gcc libc6-dev" in done.stderr


def test_missing_venv_module_and_headers_are_named(tmp_path):
    """A Debian python3 without python3-venv and python3-dev."""
    answers = (
        f'case "$2" in *ensurepip*) exit 1;; *sysconfig*) echo {tmp_path};; *version_info*) exit'
        " 0;; esac"
    )
    done = set_up(tmp_path, PYTHON=fake_python(tmp_path, answers))
    assert done.returncode == 1
    assert "venv module" in done.stderr and "Python.h" in done.stderr
    assert "apt-get install python3-venv python3-dev\n" in done.stderr


def test_old_python_is_named(tmp_path):
    answers = 'case "$2" in *version_info*) exit 1;; *platform*) echo 3.8.1;; esac'
    done = set_up(tmp_path, PYTHON=fake_python(tmp_path, answers))
    assert done.returncode == 1 and "Python 3.11 or newer" in done.stderr and "3.8.1" in done.stderr


def requirements():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return set(declared["project"]["dependencies"])


def test_the_conda_recipe_wants_what_setup_wants():
    recipe = (ROOT / "packaging" / "conda" / "meta.yaml").read_text("utf-8")
    run = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    wanted = {line.strip("- ").replace(" ", "") for line in run.split("\n")}
    assert wanted == {"python>=3.11", *requirements()}
    assert f'version = "{version()}"' in recipe


def version():
    scope = {}
    exec((ROOT / "gmtoolbox" / "_version.py").read_text("utf-8"), scope)
    return scope["__version__"]


def test_every_place_names_the_same_version():
    assert f"version: {version()}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    short = version().rpartition(".")[0]
    assert f"\n## {short}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.fixture(scope="module")
def source_archive(tmp_path_factory):
    """What `python -m build --sdist` packs, made without a network."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("sdist")
    code = "from setuptools.build_meta import build_sdist; import sys; build_sdist(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", code, folder], cwd=ROOT, check=True, timeout=200, capture_output=True
    )
    return next(folder.glob("*.tar.gz"))


BINARY = {".png", ".mat", ".h5", ".gz", ".npz", ".xz"}  # of data and pictures
NOT_SHIPPED = {".github", ".ci", ".gitignore", ".clang-format", ".pre-commit-config.yaml"}


@pytest.mark.long
def test_the_source_archive_is_source(source_archive):
    """What Debian asks of one: all that is tracked, nothing compiled, the licence."""
    with tarfile.open(source_archive) as packed:
        members = {
            member.name.partition("/")[2]: member
            for member in packed.getmembers()
            if member.isfile()
        }
        for name, member in members.items():
            assert member.size < 3_000_000, name
            if Path(name).suffix not in BINARY:
                assert b"\0" not in packed.extractfile(member).read(), f"{name} is no text"
    assert {"LICENSE", "README.md", "SECURITY.md", "docs/conf.py", "cext/include/gm.h"} <= set(
        members
    )
    generated = ("docs/api/", "docs/methods/", "docs/auto_examples/", "build/")
    assert not [name for name in members if name.startswith(generated)]
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    missing = [
        name
        for name in listed.stdout.splitlines()
        if name not in members and name.partition("/")[0] not in NOT_SHIPPED
    ]
    assert not missing


def test_the_history_of_promises_is_kept():
    settings = json.loads((ROOT / "asv.conf.json").read_text("utf-8"))
    assert (ROOT / settings["benchmark_dir"] / "__init__.py").is_file()
    history = list((ROOT / settings["results_dir"]).glob("*/*-*.json"))
    assert history
    for path in history:
        figures = json.loads(path.read_text("utf-8"))["results"]
        assert {"ratios.EditDistance.track_time_beside_networkx"} <= set(figures)
        assert all(isinstance(one[0][0], float) for one in figures.values())
