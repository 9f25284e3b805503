"""The Containerfile and the Apptainer definition: linted, and every command in them run.

The commands that need the superuser of a fresh Debian (apt-get) are looked at by their packages;
everything else is run as it stands there, in folders of this test, on a copy of the source.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONTAINERFILE = ROOT / "packaging" / "Containerfile"
DEFINITION = ROOT / "packaging" / "gmtoolbox.def"
KNOWN = {"FROM", "RUN", "COPY", "WORKDIR", "ENV", "ENTRYPOINT", "CMD"}
SECTIONS = {"files", "post", "environment", "runscript", "test", "labels", "help"}


def instructions():
    """[(word, rest)] of the Containerfile, continued lines joined."""
    text = re.sub(r"\\\n", " ", CONTAINERFILE.read_text("utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple(" ".join(line.split()).split(" ", 1)) for line in lines]


def sections():
    """name -> lines of the definition; '' is the header."""
    found, name = {"": []}, ""
    for line in DEFINITION.read_text("utf-8").splitlines():
        if line.startswith("%"):
            name = line[1:].strip()
            found[name] = []
        elif line.strip() and not line.lstrip().startswith("#"):
            found[name].append(line.strip())
    return found


def commands(text):
    return [part.strip() for part in text.split("&&")]


def all_commands():
    """Every shell command of both files, each once."""
    runs = [part for word, rest in instructions() if word == "RUN" for part in commands(rest)]
    parts = sections()
    return list(dict.fromkeys([*runs, *parts["post"], *parts["test"]]))


# ---- lint


def test_containerfile_keeps_the_rules():
    found = instructions()
    assert {word for word, _ in found} <= KNOWN and found[0][0] == "FROM"
    for word, rest in found:
        if word == "FROM":
            image = rest.split(" AS ")[0]
            assert image.startswith("docker.io/") and re.search(r":[0-9][\w.-]*$", image), rest
        if word == "RUN" and "apt-get install" in rest:  # the rules of hadolint
            assert "apt-get update" in rest and "--no-install-recommends" in rest
            assert "--yes" in rest and "rm -rf /var/lib/apt/lists/*" in rest
        if word == "RUN" and "pip" in rest:
            assert "--no-cache-dir" in rest
        if word in ("ENTRYPOINT", "CMD"):
            assert isinstance(json.loads(rest), list)  # no shell between us and the signals
        if word == "WORKDIR":
            assert rest.startswith("/")
    assert [word for word, _ in found].count("ENTRYPOINT") == 1


def test_definition_keeps_the_rules():
    parts = sections()
    header = dict(line.split(": ", 1) for line in parts.pop(""))
    assert header["Bootstrap"] == "docker" and re.search(r":[0-9]", header["From"])
    assert set(parts) == SECTIONS
    assert parts["runscript"] == ['exec gmtoolbox "$@"']
    images = {rest.split(" AS ")[0].split("/")[-1] for w, rest in instructions() if w == "FROM"}
    assert images == {header["From"]}  # both begin with the same


@pytest.mark.parametrize("name", ["post", "test", "runscript", "environment"])
def test_shell_understands_the_definition(name):
    script = "\n".join(sections()[name])
    subprocess.run(["sh", "-n"], input=script, text=True, check=True, timeout=20)
    if shutil.which("shellcheck"):
        command = ["shellcheck", "--shell=sh", "--exclude=SC2046", "-"]
        subprocess.run(command, input=script, text=True, check=True, timeout=60)


def test_builders_leave_out_what_is_no_source():
    ignored = (ROOT / ".containerignore").read_text("utf-8")
    assert ignored == (ROOT / ".dockerignore").read_text("utf-8")
    assert {".git", ".venv", "build"} <= set(ignored.split())


def test_packages_are_those_of_the_environment_script():
    """What the build needs is what scripts/environment.sh asks for."""
    wanted = (ROOT / "scripts" / "environment.sh").read_text("utf-8")
    for command in all_commands():
        if "apt-get install" in command:
            words = shlex.split(command.replace("DEBIAN_FRONTEND=noninteractive", ""))
            packages = [word for word in words[2:] if not word.startswith("-")]
            assert packages and all(package in wanted for package in packages)


# ---- every command


@pytest.mark.slow
def test_every_command_runs(tmp_path):
    """In an environment of its own, with /source, /wheels and /var/lib/apt/lists in this folder."""
    room = tmp_path / "room"
    (room / "var/lib/apt/lists").mkdir(parents=True)
    keep = shutil.ignore_patterns(
        ".git", ".venv*", "build", "site", "__pycache__", "*.o", "*.so", "*.egg-info"
    )
    shutil.copytree(ROOT, room / "source", ignore=keep)
    venv.create(room / "venv", with_pip=True)
    programs = room / "programs"
    programs.mkdir()
    calls = room / "apt-get.log"
    (programs / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {calls}\n')
    (programs / "apt-get").chmod(0o755)
    path = os.pathsep.join([str(programs), str(room / "venv/bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    ran = []
    for command in all_commands():
        placed = re.sub(r"(?<=\s)/(?=source|wheels|var/lib/apt)", f"{room}/", command)
        if not command.startswith("rm -rf"):
            subprocess.run(
                ["sh", "-ec", placed], env=environment, check=True, timeout=280, cwd=room
            )
        ran.append(placed)
    for placed in (one for one in ran if one.startswith("rm -rf")):  # at the end, as both need them
        subprocess.run(["sh", "-ec", placed], env=environment, check=True, timeout=60, cwd=room)
    assert len(ran) == len(all_commands()) and not (room / "wheels").exists()
    assert "install --yes --no-install-recommends gcc libc6-dev" in calls.read_text("utf-8")
    (entry,) = [json.loads(rest) for word, rest in instructions() if word == "ENTRYPOINT"]
    problem = ROOT / "matfiles" / "car" / "car-0.dd"
    for arguments in (
        [json.loads(rest)[0] for word, rest in instructions() if word == "CMD"],
        ["batch", str(problem), "--method", "fm", "-t", "5", "--output", str(room / "r.csv")],
    ):
        subprocess.run(
            [*entry, *arguments],
            env=environment,
            check=True,
            timeout=120,
            cwd=room,
            capture_output=True,
        )
    script = "\n".join([*sections()["environment"], *sections()["runscript"]])
    done = subprocess.run(
        ["sh", "-ec", script, "run", "--version"],
        env=environment,
        check=True,
        timeout=60,
        cwd=room,
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("gmtoolbox ") and (room / "r.csv").exists()


def test_commands_of_the_comments_are_ours():
    """The lines that tell how to use the images call commands that exist."""
    text = CONTAINERFILE.read_text("utf-8") + DEFINITION.read_text("utf-8")
    lines = re.findall(r"^#   .*(?:gmtoolbox|gmtoolbox\.sif) (batch .*)$", text, re.M)
    assert len(lines) == 2
    sys.path.insert(0, str(ROOT))
    from gmtoolbox.cli import make_parser

    for line in lines:
        given = make_parser().parse_args(shlex.split(line))
        assert given.output == [given.output[0]] and given.output[0].endswith("results.csv")
