"""
A benchmark
===========

*For researchers: methods beside each other, evaluated as the study does.*

Every run has a process of its own. Here four methods solve eight small synthetic problems; the
command line has the same as ``gmtoolbox bench`` and writes a report with ``gmtoolbox report``.
"""

import tempfile
from pathlib import Path

import gmtoolbox as gm
from gmtoolbox.bench.evaluate.evaluation import evaluate
from gmtoolbox.bench.evaluate.profiles import performance_profile, times_of
from gmtoolbox.bench.evaluate.tables import as_text, default_groups, make_table
from gmtoolbox.bench.store.store import Store

problems = {f"flow-{seed}": gm.synth.flow(seed=seed, size=20) for seed in range(8)}
path = Path(tempfile.mkdtemp()) / "runs.db"
methods = ["sm", "rrwm", "fw", "fm-bca"]
runs = gm.gm_batch(problems, methods, time_limit=1, store=path)

# %%
# The study's table: solved instances in percent, mean value E and bound D, mean accuracy.

with Store(path) as store:
    found = evaluate(store.loaded())
for dataset in found.problems:
    print(as_text(make_table(found, default_groups(found, dataset))))

# %%
# The performance profile: on how many instances is a method at most tau times slower than the
# fastest?

picture = gm.plot.profile(performance_profile(times_of(found)))
