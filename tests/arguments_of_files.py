"""Arguments of gm.load, gm.save, gm.gm_batch and gm.io: see argument_table."""

import contextlib
import json
from io import StringIO
from pathlib import Path

import numpy as np
from argument_samples import (
    EASY,
    HARD,
    MANY,
    counter,
    file,
    folder_of_many,
    mat,
)
from argument_table import Calls, Fresh
from arguments_of_models import UNKNOWN

import gmtoolbox as gm

# ---- files


def dataset():
    folder = Path(f"dataset{next(counter)}")
    folder.mkdir()
    gm.save(EASY, folder / "one.dd")
    described = {"dataset": "mine", "complete": True, "instances": ["one"]}
    (folder / "dataset.json").write_text(json.dumps(described))
    return folder


def result_file(path):
    gm.gm_solve(EASY, "fm").save(path)


def graph_file(path):
    path.write_text("a b\n")


def collection():
    folder = Path(f"collection{next(counter)}")
    for own, nodes in ((folder, 1), (folder / "others", 2)):
        own.mkdir()
        listed = "".join(f'<node id="{k}"/>' for k in range(nodes))
        (own / "a.gxl").write_text(f"<gxl><graph>{listed}</graph></gxl>")
    (folder / "all.xml").write_text('<list><graph file="a.gxl" class="x"/></list>')
    return folder / "all.xml"


def check_folder_of_collection():
    path = collection()
    found = gm.load_graphs(path) + gm.load_graphs(path, folder=path.parent / "others")
    assert [len(graph) for graph in found] == [1, 2]


LOAD = Calls(
    gm.load,
    {"path": file("p.dd", lambda path: gm.save(EASY, path))},
    changes={
        "complete": (False, {}),
        "key": ("A", {"path": mat(A=np.diag([1.0, 5, 5, 1]), B=np.eye(4))}, "B"),
        "sense": ("min", {"path": mat(K=np.eye(4))}),
        "shape": ((1, 4), {"path": mat(K=np.eye(4))}),
    },
    refused={
        "complete": [(True, {"path": Fresh(folder_of_many)})],
        "key": [("K", {}), ("K", {"path": Fresh(folder_of_many)})]
        + [("K", {"path": file("p.h5", lambda path: gm.save(EASY, path))})],
        "sense": [("max", {}), ("max", {"path": Fresh(folder_of_many)})],
        "shape": [((5, 5), {}), ((2, 2), {"path": Fresh(folder_of_many)})],
    },
    watch=lambda problem: (
        gm.Problem.changed(problem, name="") if isinstance(problem, gm.Problem) else problem
    ),
)

SAVE = Calls(
    gm.save,
    {"what": np.eye(4), "path": "saved.mat"},
    changes={"options": [
        ({"shape": (1, 4)}, {}), ({"Ct": np.eye(2)}, {}), ({"sense": "min"}, {}),
        ({"complete": False}, {}), ({"version": "6"}, {}), ({"schema": "costs"}, {}),
    ]},
    refused={"options": [
        (UNKNOWN, {}), (UNKNOWN, {"what": EASY}), ({"sense": "max"}, {"what": EASY}),
        ({"version": "6"}, {"path": "saved.dd"}), ({"shape": (2, 2)}, {"what": EASY}),
        ({"version": "6"}, {"what": gm.gm_solve(EASY, "fm"), "path": "saved.json"}),
        ({"complete": True}, {"what": MANY, "path": "saved.dd"}),
    ]},
    watch=lambda _: Path("saved.mat").read_bytes()[128:] if Path("saved.mat").exists() else None,
)  # fmt: skip

FILES = {
    "load": LOAD,
    "save": SAVE,
    "is_multi": Calls(gm.io.is_multi, {"path": file("p.dd", lambda path: gm.save(EASY, path))}),
}


# ---- batches


def n_runs(expected, **arguments):
    def check():
        assert len(gm.gm_batch([EASY], ["fm"], **arguments)) == expected

    return check


def batch_store():
    path = Path(f"{next(counter)}.db")
    gm.gm_batch([EASY], ["fm"], store=path)
    assert path.exists()


def batch_resume():
    path = Path(f"{next(counter)}.db")
    first, again, new = (
        gm.gm_batch([EASY], ["fm"], store=path, resume=resume)[0].started
        for resume in (True, True, False)
    )
    assert first == again != new


def batch_retry():
    path = Path(f"{next(counter)}.db")
    wrong = [gm.Problem((2, 2), [0], [0], [1.0], complete=True)]
    first, again, new = (
        gm.gm_batch(wrong, ["fm"], store=path, retry_failed=retry)[0].started
        for retry in (False, False, True)
    )
    assert first == again != new


def batch_limit(**limit):
    def check():
        run = gm.gm_batch([HARD], {"fw": {"restarts": 10**9, "maxiter": 10**12}}, **limit)[0]
        assert run.status == "time_limit" or run.outcome in ("timeout", "memory", "crash", "error")

    return check


def batch_progress():
    heard = StringIO()
    with contextlib.redirect_stderr(heard):
        gm.gm_batch([EASY], ["fm"], progress=True)
    assert heard.getvalue()


BATCH = Calls(
    gm.gm_batch,
    {"problems": [EASY], "methods": ["fm"]},
    refused={
        "resume": [(False, {})],
        "retry_failed": [(True, {})],
    },
    always=(
        "time_limit",
        "trials",
        "store",
        "seed",
        "rng",
        "memory",
        "wall",
        "progress",
        "cluster",
        "threads",
    ),
    silent={"n_jobs": 0, "threads": 0},
    effects={
        "time_limit": batch_limit(time_limit=0.05),
        "trials": n_runs(2, trials=2),
        "seed": n_runs(2, seed=[0, 1]),
        "rng": n_runs(1, rng=3),
        "store": batch_store,
        "resume": batch_resume,
        "retry_failed": batch_retry,
        "memory": batch_limit(memory=20.0, time_limit=5.0),
        "wall": batch_limit(wall=0.3, time_limit=30.0),
        "progress": batch_progress,
    },
    elsewhere={"cluster": "bench/cluster/test_dask_runner.py"},
)
