"""
From MATLAB or Octave
=====================

*For MATLAB users: the same call, the same answer.*

This page was made by GNU Octave; the lines are the same in MATLAB. The matrix ``K`` is an affinity
and maximised, row ``left + n1*(right-1)`` belongs to the pair (left, right).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import gmtoolbox as gm

program = """
P = [0 0; 4 0; 4 3; 1 5; 6 6];             % five points
order = [3 1 5 2 4];
Q = P(order, :) + 0.1;                     % the same ones, moved and in another order
[i, j] = ndgrid(1:5, 1:5);
D = reshape(sqrt((P(i, 1) - P(j, 1)).^2 + (P(i, 2) - P(j, 2)).^2), 5, 5);
E = reshape(sqrt((Q(i, 1) - Q(j, 1)).^2 + (Q(i, 2) - Q(j, 2)).^2), 5, 5);
K = exp(-(kron(ones(5), D) - kron(E, ones(5))).^2);
[X, info] = gm_solve(K, 'rrwm');
disp(X)
fprintf('%s: value %.3f, %s\\n', info.method, info.value, info.status)
"""

# %%
# ``addpath`` takes the folder that ``gmtoolbox matlab-path`` prints.

package = Path(find_spec("gmtoolbox").origin).parent
folders = [package / "wrappers" / "matlab", package.parent / "wrappers" / "matlab"]
folder = next(path for path in folders if (path / "gm_solve.m").is_file())
if shutil.which("octave"):
    done = subprocess.run(
        ["octave", "--no-gui", "-q", "--eval", f"addpath('{folder}');\n{program}"],
        env={**os.environ, "GMTOOLBOX_PYTHON": sys.executable},
        cwd=tempfile.mkdtemp(),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    print(done.stdout)
else:
    print("There is no Octave on the machine that built this page.")

# %%
# The same five points in Python, drawn.

P = [[0, 0], [4, 0], [4, 3], [1, 5], [6, 6]]
order = [2, 0, 4, 1, 3]
Q = [[P[k][0] + 0.1, P[k][1] + 0.1] for k in order]
result = gm.gm_solve(gm.models.from_points(P, Q), "rrwm")
picture = gm.plot.matching((P, Q), result.labels, ground_truth=[order.index(k) for k in range(5)])
