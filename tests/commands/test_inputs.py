"""Problem files on the command line: sense, shape and complete reach the reader."""

import json

import numpy as np
import scipy.io
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.cli import main


def test_sense_reaches_every_file_of_a_folder_and_of_a_dataset(tmp_path, capsys):
    for name in ("a", "b"):
        scipy.io.savemat(tmp_path / f"{name}.mat", {"K": -np.diag([1.0, 5.0, 5.0, 1.0])})
    assert main(["solve", str(tmp_path), "-m", "fm", "--json", "--sense", "min"]) == 0
    last = [json.loads(line) for line in capsys.readouterr().out.splitlines()][-1]
    assert last["value"] == -10.0 and last["sense"] == "min"
    described = {"dataset": "two", "complete": True, "instances": ["a", "b"]}
    (tmp_path / "dataset.json").write_text(json.dumps(described))
    assert main(["solve", str(tmp_path), "-m", "fm", "--json", "--sense", "min"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["sense"] == "min"


def test_what_a_file_says_cannot_be_contradicted(tmp_path, capsys):
    gm.save(random_problem(np.random.default_rng(0), 2, 3), tmp_path / "p.dd")
    assert main(["info", str(tmp_path / "p.dd"), "--sense", "max"]) == 2
    assert "its sense is 'min'" in capsys.readouterr().err
    assert main(["info", str(tmp_path / "missing.dd")]) == 2


def test_a_method_in_the_place_of_a_file_gets_a_hint(capsys):
    assert main(["solve", "rrwm"]) == 2
    assert "a method is named by --method rrwm" in capsys.readouterr().err
