"""Row 21 of docs/development/notes.md: results, datasets and side files whose JSON is not ours are
read, or refused in one line.
"""

import json
import random

import pytest
from attacks.mutants import mutant

import gmtoolbox as gm
from gmtoolbox.cli import main
from gmtoolbox.core.errors import GMError
from gmtoolbox.io.datasets import load_dataset
from gmtoolbox.proofs.verify import read_result, verify

PROBLEM = gm.synth.car(seed=0, size=4)
ROUNDS = 2000


@pytest.fixture(scope="module")
def record():
    result = gm.gm_solve(PROBLEM, "aj", certify=True)
    stored = {name: list(map(float, x)) if name in ("split", "star_dual", "label_dual") else
              [int(k) for k in x] for name, x in result.extra["certificate"].items()
              if hasattr(x, "tolist")}  # fmt: skip
    return {"labels": result.labels.tolist(), "value": result.value, "bound": result.bound,
            "certificate": stored}  # fmt: skip


def test_mutated_results_are_verified_or_refused(record, tmp_path, repeats):
    rng, path = random.Random(16), tmp_path / "r.json"
    for _ in range(repeats(ROUNDS)):
        path.write_text(json.dumps(mutant(rng, record)))
        try:
            found = read_result(path)
            bound = found["bound"] if found["bound"] is not None else -float("inf")
            done = verify(PROBLEM, found["labels"], found["value"], bound, found.get("certificate"))
            assert done.bound <= record["value"] + 1e-9  # whatever the duals are
        except GMError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "null", "\xff", "[" * 100_000, '{"labels": 1}', "1" * 5000,
     '{"labels": [0], "value": 1, "bound": NaN}',
     '{"labels": [0], "value": 1e999, "bound": 0}',
     '{"labels": [true], "value": 1, "bound": null}'],
    ids=range(11),
)  # fmt: skip
def test_foreign_results_are_one_line_and_status_2(tmp_path, capsys, text):
    (tmp_path / "r.json").write_bytes(text.encode("latin-1"))
    gm.save(PROBLEM, tmp_path / "p.dd")
    assert main(["verify", str(tmp_path / "r.json"), str(tmp_path / "p.dd")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("gmtoolbox: error: ") and err.count("\n") == 1


def test_mutated_datasets_are_read_or_refused(tmp_path, repeats):
    rng = random.Random(17)
    gm.save(PROBLEM, tmp_path / "one.dd")
    description = {"dataset": "d", "complete": True, "nonpositive": False, "instances": ["one"]}
    side = {"optimum": -1.5, "best_known": -1.5, "ground_truth": [0, 1, None, 3],
            "ground_truth_sets": [[0], [1, 2], [], [3]], "complete": True}  # fmt: skip
    for _ in range(repeats(ROUNDS)):
        described, told = (
            (description, mutant(rng, side))
            if rng.random() < 0.7
            else (mutant(rng, description), side)
        )
        (tmp_path / "dataset.json").write_text(json.dumps(described))
        (tmp_path / "one.json").write_text(json.dumps(told))
        try:
            for problem in load_dataset(tmp_path):
                assert problem.name
        except (GMError, OSError) as error:
            assert "\n" not in str(error)
