"""
From MATLAB or Octave
=====================

*For MATLAB users: the same call, the same answer.*

The lines are the same in MATLAB and GNU Octave. Before them, ``addpath`` takes the folder that
``gmtoolbox matlab-path`` prints. The matrix ``K`` is an affinity and maximised; row
``left + n1*(right-1)`` belongs to the pair (left, right).
"""

# %%
# .. code-block:: matlab
#
#     t = 0.7 * (1:12)';
#     P = [t .* cos(t), t .* sin(t)];        % twelve points on a spiral
#     order = [3 8 1 12 5 10 2 7 11 4 9 6];
#     Q = P(order, :) * [0 1; -1 0];         % the same ones, turned and in another order
#     D = sqrt((P(:, 1) - P(:, 1)').^2 + (P(:, 2) - P(:, 2)').^2);
#     E = sqrt((Q(:, 1) - Q(:, 1)').^2 + (Q(:, 2) - Q(:, 2)').^2);
#     K = exp(-(kron(ones(12), D) - kron(E, ones(12))).^2);
#     [X, info] = gm_solve(K, 'rrwm');
#     [~, truth] = sort(order);
#     fprintf('%s: value %.1f, %d of 12 correct\n', info.method, info.value, ...
#             sum(info.labels(:) == truth(:)))
#
# The output of Octave:

# sphinx_gallery_start_ignore
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

package = Path(find_spec("gmtoolbox").origin).parent
folders = [package / "wrappers" / "matlab", package.parent / "wrappers" / "matlab"]
folder = next(path for path in folders if (path / "gm_solve.m").is_file())
page = Path(sys.argv[0]).read_text("utf-8")  # the program is the one that the page shows
lines = page.split(".. code-block:: matlab\n#\n")[1].split("\n#\n# The output of")[0].splitlines()
program = "\n".join(line.removeprefix("#").strip() for line in lines)
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
    from_octave = done.stdout
else:
    from_octave = "There is no Octave on the machine that built this page."
# sphinx_gallery_end_ignore
print(from_octave)

# %%
# The same points in Python, drawn.

import numpy as np

import gmtoolbox as gm

t = 0.7 * np.arange(1, 13)
P = np.column_stack([t * np.cos(t), t * np.sin(t)])
order = np.array([3, 8, 1, 12, 5, 10, 2, 7, 11, 4, 9, 6]) - 1
Q = P[order] @ [[0, 1], [-1, 0]]
result = gm.gm_solve(gm.models.from_points(P, Q), "rrwm")
picture = gm.plot.matching((P, Q), result.labels, ground_truth=np.argsort(order))
