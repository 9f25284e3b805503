"""gmtoolbox completion: a script that bash reads and that completes."""

import shutil
import subprocess
import sys

import pytest
from command_line import call

SHELLS = ("bash", "zsh", "fish", "tcsh")


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_name_commands_flags_and_methods(capsys, shell):
    pytest.importorskip("shtab")
    status, out, err = call(capsys, "completion", shell)
    assert (status, err) == (0, "")
    assert all(word in out for word in ("solve", "distances", "time-limit", "fm-bca"))


def test_bash_completes(capsys, tmp_path):
    pytest.importorskip("shtab")
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    script = tmp_path / "complete.sh"
    script.write_text(call(capsys, "completion", "bash")[1])
    asked = (
        f"source {script}; COMP_WORDS=(gmtoolbox sol); COMP_CWORD=1; COMP_LINE='gmtoolbox sol';"
        " COMP_POINT=13; _shtab_gmtoolbox; echo ${COMPREPLY[@]}"
    )
    found = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, timeout=20)
    assert found.stdout.split() == ["solve"], found.stderr
    for command, place in (
        ("solve", 0),
        ("convert", 0),
        ("convert", 1),
        ("verify", 1),
        ("match", 1),
    ):
        assert f"_{command}_pos_{place}_COMPGEN=_shtab_compgen_files" in script.read_text()


def test_without_shtab_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, _, err = call(capsys, "completion", "bash")
    assert status == 2 and "pip install shtab" in err
