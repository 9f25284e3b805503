"""
A benchmark
===========

*For researchers: run several methods and evaluate them as the study does.*

Every run has a process of its own. Here four methods solve eight small synthetic problems; the
command line has the same as ``gmtoolbox bench`` and writes a report with ``gmtoolbox report``.
"""

import gmtoolbox as gm

problems = {f"flow-{seed}": gm.synth.flow(seed=seed, size=20) for seed in range(8)}
methods = ["sm", "rrwm", "fw", "fm-bca"]
runs = gm.gm_batch(problems, methods, time_limit=1)

# %%
# The table: solved instances in percent, mean gap, mean value E and bound D, mean accuracy.

print(runs.table())

# %%
# The performance profile: on how many instances is a method at most tau times slower than the
# fastest?

picture = gm.plot.profile(runs)
