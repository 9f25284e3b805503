"""
A benchmark
===========

*For researchers: run several methods and evaluate them as the study does.*

Every run has a process of its own. Here five methods solve ten small synthetic problems; the
command line has the same as ``gmtoolbox bench`` and writes a report with ``gmtoolbox report``.
"""

import gmtoolbox as gm

problems = {f"{seed}": gm.synth.caltech_small(seed=seed, size=25) for seed in range(10)}
methods = ["sm", "rrwm", "ga", "fw", "fm-bca"]
runs = gm.gm_batch(problems, methods, time_limit=1)

# %%
# The table: mean gap to the best value, mean value E and bound D, mean accuracy in per cent.

print(runs.table())

# %%
# The performance profile: on how many instances does a method reach the best value, and is at most
# tau times slower than the fastest? ``sm`` reaches it on none.

picture = gm.plot.profile(runs)
