"""
Quadratic assignment
====================

*For operations research: place departments so that the total transport between them is small.*

Twelve departments on a 3 x 4 grid, as in Nugent's problems. A file in the format of QAPLIB is read
by the same call.
"""

import tempfile
from pathlib import Path

import numpy as np

import gmtoolbox as gm

rng = np.random.default_rng(7)
spots = np.array([(x, y) for y in range(3) for x in range(4)])
distance = np.abs(spots[:, None] - spots[None]).sum(axis=2)
flow = np.triu(rng.integers(0, 7, (12, 12)) * (rng.random((12, 12)) < 0.5), 1)
flow = flow + flow.T

path = Path(tempfile.mkdtemp()) / "departments.dat"
rows = "\n".join(" ".join(map(str, row)) for matrix in (flow, distance) for row in matrix)
path.write_text(f"12\n{rows}\n")

problem = gm.load(path)
result = gm.gm_solve(problem, time_limit=20)
print(result.summary())

# %%
# Value and bound meet, so no placement is better. Each line leads from a department (left, in the
# order of the file) to its place on the grid.

grid = 100 * spots
picture = gm.plot.matching((grid, grid), result, title="Twelve departments and their places")
