"""Plans: what a batch accepts and what it refuses before any run."""

import numpy as np
import pytest
from small import random_problem

import gmtoolbox as gm
from gmtoolbox.core.errors import InputError, OptionError, UnknownMethodError

METHODS = ["fw", "sm"]


def problems(n=3):
    return {f"p{k}": random_problem(np.random.default_rng(k), 4, 5) for k in range(n)}


@pytest.mark.usefixtures("without_processes")
def test_what_a_batch_accepts(tmp_path):
    problem = problems(1)["p0"]
    gm.save(problem, tmp_path / "a.dd")
    K = np.random.default_rng(0).random((9, 9))
    runs = gm.gm_batch([problem, tmp_path / "a.dd", K], {"fw": {"maxiter": 5}})
    assert [(run.dataset, run.instance) for run in runs] == [
        ("batch", "problem1"),
        ("files", "a"),
        ("batch", "problem3"),
    ]
    assert all(run.options["maxiter"] == 5 for run in runs) and runs[0].value == runs[1].value


def test_bad_arguments_are_refused_before_any_run(tmp_path):
    p = problems(1)
    for error, arguments, options in [
        (UnknownMethodError, (p, ["no-such"]), {}),
        (OptionError, (p, {"fw": {"maxiter": -1}}), {}),
        (InputError, (p, []), {}),
        (InputError, ([], METHODS), {}),
        (InputError, (p, METHODS), {"n_jobs": 0}),
        (InputError, (p, METHODS), {"trials": 0}),
        (InputError, (p, METHODS), {"time_limit": -1}),
        (InputError, ("no/such/file.dd", METHODS), {}),
        (InputError, (tmp_path, METHODS), {}),
        (InputError, ([p["p0"]] * 0 + [str(tmp_path / "x.png")], METHODS), {}),
    ]:
        with pytest.raises(error):
            gm.gm_batch(*arguments, **options)
