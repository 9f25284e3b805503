"""
A solver of your own
====================

*For researchers with a new method: compare it with the others before it is part of a package.*

A method is a function of a problem. It returns labels or scores; the driver rounds, scores and
times it.
"""

import numpy as np

import gmtoolbox as gm


@gm.solver("power-walk", needs=(gm.BIJECTIVE, gm.NONPOSITIVE))
def power_walk(problem, budget, *, maxiter: int = 60, jump: float = 0.2):
    """A random walk on the pairs that now and then starts again anywhere."""
    W = -problem.reducedK
    x = np.ones(problem.n_candidates)
    for k in budget.iterations(maxiter):
        x = W @ x
        x = (1 - jump) * x / x.sum() + jump / len(x)
        budget.preview(lambda x=x, k=k: gm.Outcome(scores=x, n_iter=k + 1))
    return gm.Outcome(scores=x, n_iter=k + 1)


problem = gm.synth.hotel(seed=5, size=14)
results = {name: gm.gm_solve(problem, name) for name in ("power-walk", "sm", "rrwm", "fm-bca")}
for name, result in results.items():
    accuracy = gm.accuracy(result.labels, problem.ground_truth)
    print(f"{name:10s} value {result.value:8.3f}  accuracy {accuracy:.2f}")

# %%
# Value over time; dotted is the bound of the one that has one.

picture = gm.plot.trace({name: result.trace for name, result in results.items()})
