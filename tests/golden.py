"""The originals' answers, which lie beside the study's instances: values, iteration counts and
continuous matrices.
"""

import gzip
import json
from functools import cache

import numpy as np
import scipy.io

import gmtoolbox as gm

FILES = {  # instances of the oracle whose dd file has another name
    "a_complete8x": "a_complete8",
    "c_rect9x14": "c_rect9x14_zerounary",
    "f_rect12x9": "f_rect12x9_mixed",
}
DECLARED_COMPLETE = ("a_complete8", "d_positive8")
SMALL = (
    "a_complete8",
    "a_complete8x",
    "b_forbidden10",
    "c_rect9x14",
    "d_positive8",
    "e_sparse20",
    "f_rect12x9",
)


@cache
def oracle_rows(data):
    """What the originals answered, a dict for each run."""
    return json.loads((data.parent / "oracle" / "octave-results.json").read_text("utf-8"))


@cache
def oracle_problem(data, name):
    """The instance an oracle row was computed on, complete or not as the study declared it."""
    if name in SMALL:
        path = data.parent / "oracle" / "instances" / f"{FILES.get(name, name)}.dd"
        return gm.load(path, complete=name in DECLARED_COMPLETE)
    return dataset_problem(data, "motor1" if name == "qap_000" else name)


@cache
def published_values(data):
    """dataset -> instance -> method -> what the study published after 300 s."""
    with gzip.open(data.parent / "published" / "results.json.gz", "rt") as file:
        return json.load(file)["results"]["per_instance"]["300"]


@cache
def dataset_problem(data, name):
    """An instance of the study, complete as its dataset declares."""
    folder = data / name.rstrip("0123456789")
    declared = json.loads((folder / "dataset.json").read_text("utf-8"))
    return gm.load(folder / f"{name}.dd.xz", complete=declared["complete"])


def continuous(data, method, name):
    """X_cont of the original, real pairs only; None where it is not recorded or not finite."""
    path = data.parent / "oracle" / "continuous" / method / f"{name}.mat"
    if not path.exists():
        return None
    n1, n2 = oracle_problem(data, name).shape
    X = scipy.io.loadmat(path)["X_cont"][:n1, :n2]
    return X if np.all(np.isfinite(X)) else None
