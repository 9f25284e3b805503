"""bench, run --shard and bench --merge from the command line."""

import json

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox import cli
from gmtoolbox.bench.store import Store


@pytest.fixture
def dataset(tmp_path):
    """Two small instances with optimum and ground truth, as a folder."""
    folder = tmp_path / "data" / "tiny"
    folder.mkdir(parents=True)
    for k in (1, 2):
        gm.save(random_problem(np.random.default_rng(k), 4, 4), folder / f"tiny{k}.dd")
        (folder / f"tiny{k}.json").write_text(json.dumps({"optimum": -1.0, "ground_truth": [0, 1, None, 3]}))
    (folder / "dataset.json").write_text(json.dumps({"dataset": "tiny", "complete": True, "instances": ["tiny1", "tiny2"]}))
    return folder


def answers(path):
    with Store(path) as store:
        return [(run.key, run.value, run.labels.tolist()) for run in store.runs()]


def test_bench_then_shards_then_merge_agree(dataset, tmp_path, capsys):
    common = ["--methods", "sm", "fw", "--time-limits", "1", "5"]
    assert cli.main(["bench", str(dataset.parent), *common, "--store", str(tmp_path / "whole.db")]) == 0
    for k in (1, 2):
        assert cli.main(["run", str(dataset), *common, "--shard", f"{k}/2", "--store", str(tmp_path / "part.db")]) == 0
    parts = [str(tmp_path / f"part.{k}-of-2.db") for k in (1, 2)]
    assert cli.main(["bench", "--merge", *parts, "--store", str(tmp_path / "merged.db")]) == 0
    printed = capsys.readouterr().out
    assert "tiny (1s)" in printed and "tiny (5s)" in printed and "acc" in printed
    assert len(answers(tmp_path / "whole.db")) == 4
    assert answers(tmp_path / "merged.db") == answers(tmp_path / "whole.db")
    with Store(tmp_path / "merged.db") as store:
        rows = store.instances()
    assert [(row.instance, row.optimum, row.complete, row.n1, row.ground_truth) for row in rows] == [
        (f"tiny{k}", -1.0, True, 4, [[0], [1], [], [3]]) for k in (1, 2)
    ]


@pytest.mark.parametrize(
    "arguments", [["run", "--shard", "3/2"], ["run", "--shard", "x"], ["bench", "no/such/folder"], ["bench", "--methods", "no"]]
)
def test_errors_are_one_line(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GMTOOLBOX_DATA", raising=False)
    try:
        status = cli.main(arguments)
    except SystemExit as stop:
        status = stop.code
    assert status == 2 and capsys.readouterr().err.count("\n") == 1
