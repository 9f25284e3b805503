"""Proposals: each is a matching that is fused into the best; the best never gets worse."""

import numpy as np
import pytest
from c_internals import Indexed
from small import brute_force, random_problem


def test_values_fall_to_the_optimum():
    for seed in range(8):
        problem = random_problem(
            np.random.default_rng(seed), 4, 5, density=0.9, complete=seed % 2 == 0
        )
        setup = Indexed(problem, "base/run.h", "fm/primal.h")
        ffi, lib = setup.ffi, setup.lib
        run, pool, primal = ffi.new("gm_run *"), setup.pool(), ffi.new("gm_primal *")
        assert lib.gm_run_init(run, setup.model) == 0
        run = ffi.gc(run, lib.gm_run_clear)
        lib.gm_primal_take(primal, pool, setup.index, seed, 3)
        assert not pool.failed and lib.gm_primal_work(primal) > 0
        costs = ffi.new("gm_reparametrisation *", {"unary": setup.index.slot_cost})
        values = []
        for _ in range(800):
            assert lib.gm_primal_propose(primal, costs, run) >= 0
            labels = np.array([run.labels[i] for i in range(4)])
            assert problem.total_cost(labels) == pytest.approx(run.value, abs=1e-9)
            values.append(run.value)
        assert values == sorted(values, reverse=True)
        assert values[-1] <= brute_force(problem) + 1e-9
