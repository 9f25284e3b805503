"""
A solver of your own
====================

*For researchers with a new method: compare it with the others before it is part of a package.*

A method is a function of a problem. It returns labels, or scores that are rounded to a matching.
Value, accuracy and time are computed for you.
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


problem = gm.synth.caltech_small(seed=2, size=25)
methods = ("power-walk", "sm", "rrwm", "fm-bca")
results = {name: gm.gm_solve(problem, name, time_limit=2) for name in methods}
for name, result in results.items():
    accuracy = gm.accuracy(result.labels, problem.ground_truth)
    print(f"{name:10s} value {result.value:9.1f}  accuracy {accuracy:.2f}")

# %%
# The matching of the new method: green lines are correct, red ones wrong.

truth = problem.ground_truth
picture = gm.plot.matching(problem, results["power-walk"], ground_truth=truth, title="power-walk")

# %%
# The values of all methods over time.

trace = gm.plot.trace({name: result.trace for name, result in results.items()})
