"""load_dataset and accuracy."""

import json
import math

import numpy as np
import pytest

import gmtoolbox as gm


@pytest.fixture
def folder(tmp_path):
    for name in ("one", "two"):
        gm.save(
            gm.Problem((2, 2), [0, 1, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0]),
            tmp_path / f"{name}.dd.xz",
        )
    (tmp_path / "one.json").write_text(json.dumps({"optimum": 5.0, "ground_truth": [1, None]}))
    (tmp_path / "two.json").write_text(
        json.dumps({"optimum": None, "best_known": 5.0, "ground_truth_sets": [[0, 1], None]})
    )
    (tmp_path / "dataset.json").write_text(
        json.dumps({"dataset": "mine", "complete": True, "instances": ["one", "two"]})
    )
    return tmp_path


def test_load_dataset(folder):
    dataset = gm.load_dataset(folder)
    assert len(dataset) == 2 and dataset.name == "mine" and dataset.complete
    assert [problem.name for problem in dataset] == ["one", "two"]
    assert all(problem.complete for problem in dataset)
    assert dataset["one"] == dataset[0] and dataset[0].ground_truth.tolist() == [1, -1]
    one = gm.load(folder / "one.dd.xz")
    assert one.complete and "dataset.json" in one.origin
    assert not gm.load(folder / "one.dd.xz", complete=False).complete
    (folder / "other.dd").write_text("p 1 1 1 0\na 0 0 0 1\n")
    assert not gm.load(folder / "other.dd").complete  # which dataset.json does not list
    one, two = dataset.instances.values()
    assert one.optimum == one.best_known == 5.0 and two.optimum is None and two.best_known == 5.0
    assert two.ground_truth == ((0, 1), ())
    with pytest.raises(gm.InputError, match="did you mean 'two'"):
        dataset["twoo"]


@pytest.mark.parametrize(
    "content, message",
    [
        ("{", "is no JSON"),
        ("[]", "must hold an object"),
        ('{"instances": 3}', "'instances' must be a list of names"),
        ('{"instances": ["none"]}', "no file for instance 'none'"),
        ('{"instances": ["../one"]}', "plain name"),
        ('{"instances": [], "complete": 1}', "'complete' must be true or false"),
    ],
)
def test_broken_descriptions(folder, content, message):
    (folder / "dataset.json").write_text(content)
    with pytest.raises(gm.FileFormatError, match=message):
        gm.load_dataset(folder)


def test_accuracy():
    assert gm.accuracy([0, 1, 2], [0, 1, 1]) == pytest.approx(2 / 3)
    # unknown nodes do not count, unmatched ones do
    assert gm.accuracy(np.array([0, -1, 2]), np.array([0, 1, -1])) == 0.5
    assert gm.accuracy([5, 1, 0], [[4, 5], None, ()]) == 1.0
    assert math.isnan(gm.accuracy([0, 1], [None, -1]))
    with pytest.raises(gm.InputError, match="one length"):
        gm.accuracy([0, 1], [0])


@pytest.mark.data
def test_the_study_datasets(data):
    dataset = gm.load_dataset(data / "car")
    assert (
        len(dataset) == 20
        and dataset["car1"].complete
        and dataset.instances["car1"].optimum == pytest.approx(-34.877467)
    )
    small = gm.load_dataset(data / "caltech-small")
    assert not small["caltech-small10"].complete and small.instances[
        "caltech-small10"
    ].ground_truth[18] == (4, 5, 7, 8)
