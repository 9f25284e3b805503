"""A store without running anything: three methods on two datasets, with traces, labels, coordinates
and a failure.
"""

import numpy as np

from gmtoolbox.bench.store.store import InstanceRow, Run
from gmtoolbox.core.result import trace_dtype

MACHINE = dict(
    versions={"gmtoolbox": "1"},
    host="somewhere",
    cpu="some processor",
    load=0.5,
    started="2026-01-01T00:00:00",
)
OPTIMUM = -100.0


def fill(store):
    """Put the sample into a store; the store."""
    rng = np.random.default_rng(0)
    for dataset in ("points", "a <b>&'\"ad name"):
        for k in (1, 2, 10):
            P, order = rng.random((6, 2)), rng.permutation(6)
            truth = [[int(s)] for s in np.argsort(order)]
            truth[0] = []
            store.add_instance(
                InstanceRow(
                    dataset,
                    f"{dataset}{k}",
                    k,
                    "",
                    6,
                    6,
                    36,
                    90,
                    optimum=OPTIMUM if k < 10 else None,
                    best_known=OPTIMUM,
                    ground_truth=truth,
                    points1=P,
                    points2=P[order],
                )
            )
            good = np.argsort(order).astype(np.int32)
            wrong = good.copy()
            wrong[[1, 2]] = -1
            wrong[3], wrong[4] = good[4], good[3]
            for trial in (1, 2):
                add(
                    store,
                    dataset,
                    k,
                    "exact",
                    trial,
                    [(0.05 * k, -60.0, -200.0), (0.4 * k, OPTIMUM, OPTIMUM)],
                    good,
                    [(0.05 * k, wrong)],
                )
                add(store, dataset, k, "quick", trial, [(0.02, -99.95, -np.inf)], good, [])
                if k != 2:
                    add(store, dataset, k, "poor", trial, [(2.0, -60.0, -150.0)], wrong, [])
                else:
                    run = Run(
                        dataset,
                        f"{dataset}2",
                        "poor",
                        trial,
                        "crash",
                        "killed by SIGSEGV",
                        time_limit=10.0,
                        **MACHINE,
                    )
                    store.add(run)
    return store


def add(store, dataset, k, method, trial, trace, labels, snapshots, **rest):
    """Put one run into a store; a second trial is a tenth slower."""
    trace = np.array(
        [(t * (1 + 0.1 * (trial - 1)), v, b) for t, v, b in trace], dtype=trace_dtype()
    )
    last = trace[-1]
    store.add(
        Run(
            dataset,
            f"{dataset}{k}",
            method,
            trial,
            status="converged",
            value=float(last["value"]),
            bound=float(last["bound"]),
            time=float(last["time"]),
            n_iter=5,
            labels=labels,
            trace=trace,
            snapshots=snapshots,
            time_limit=10.0,
            wall=1.0,
            memory=50.0,
            **MACHINE,
            **rest,
        )
    )
