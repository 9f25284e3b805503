"""Seconds that mp, mp-mcf and mp-fw need for the values of the reference programs, and theirs.

    GMTOOLBOX_DATA=... python benchmarks/bench_mp.py [METHOD ...]

Best of three runs of 2 s each, and the median ratio. Values and bounds at the study's checkpoints:
bench_checkpoints.py.
"""

import math
import sys

import numpy as np
import study

import gmtoolbox as gm

# CPU seconds of the reference programs to their best value, and that value (one thread of a server
# CPU).
INSTANCES = ["motor1", "car1", "car5", "car14", "car19"]
REFERENCE = {
    "mp": [
        (0.084, -94.177),
        (0.0035, -34.877),
        (1.36, -65.82),
        (0.057, -97.772),
        (0.017, -115.107),
    ],
    "mp-mcf": [
        (0.044, -94.177),
        (0.13, -34.877),
        (0.42, -64.36),
        (0.40, -97.963),
        (0.014, -115.107),
    ],
    "mp-fw": [
        (0.319, -94.177),
        (0.004, -34.877),
        (0.065, -65.26),
        (0.65, -97.959),
        (0.14, -115.107),
    ],
}


def seconds_to(problem, method, value):
    """Seconds until a method has the value, or inf."""
    trace = gm.gm_solve(problem, method, time_limit=2.0).trace
    reached = trace["time"][trace["value"] <= value + 1e-3]
    return reached[0] if len(reached) else math.inf


def main(methods):
    problems = {name: study.instance(name)[0] for name in INSTANCES}
    for method in methods:
        ratios = []
        for (name, problem), (reference, value) in zip(
            problems.items(), REFERENCE[method], strict=True
        ):
            ours = min(seconds_to(problem, method, value) for _ in range(3))
            ratios.append(ours / reference)
            print(f"{method} {name}: {ours:.4f} s, reference {reference} s, ratio {ratios[-1]:.3f}")
        print(f"{method}: median ratio {np.median(ratios):.3f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(REFERENCE))
