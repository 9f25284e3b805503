"""The command line on files of many graphs."""

import json

import pytest

import gmtoolbox as gm
from gmtoolbox.cli import main


def test_command_line(tmp_path, scene, capsys):
    path, copy, picture = (str(tmp_path / name) for name in ("s.dd", "s.h5", "s.svg"))
    gm.save(scene, path)
    assert main(["convert", path, copy]) == 0 and gm.load(copy).pairs == gm.load(path).pairs
    assert main(["convert", path, str(tmp_path / "folder")]) == 0
    assert gm.load(tmp_path / "folder").pairs == scene.pairs
    assert main(["convert", path, copy, "--nonpositive"]) == 2
    capsys.readouterr()
    assert main(["info", path, str(tmp_path / "folder")]) == 0
    said = capsys.readouterr().out
    assert "graphs" in said and str(scene.n_edges) in said
    assert main(["info", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["graphs"] == 4
    kept = str(tmp_path / "r.json")
    assert main(["solve", path, "-t", "0.2", "-o", kept]) == 0
    assert "mgm" in capsys.readouterr().out
    assert gm.load_result(kept).sizes == scene.sizes
    assert main(["solve", path, "-t", "0.2", "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert gm.load(path).energy(last["tracks"]) == pytest.approx(last["value"])
    assert main(["solve", path, "-m", "rrwm"]) == 2
    assert main(["solve", path, "-m", "sync", "-t", "0.2", "--labels"]) == 0
    assert main(["plot", path, "-t", "0.2", "-o", picture]) == 0
    assert "<svg" in (tmp_path / "s.svg").read_text("utf-8")
