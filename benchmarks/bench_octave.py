"""Overhead of a call of gm_solve.m over the same call in Python: `python
benchmarks/bench_octave.py`.

A sparse K between two graphs of 100 nodes (10^4 x 10^4), one of 70 nodes (4900 x 4900) and a tiny
one. The overhead is the wall time in Octave minus the wall time of gm_solve in Python on the same
matrix; the first call, which starts Python, is listed apart. Finally a dense K of 4900 x 4900 in
Python itself: CPU seconds of gm_solve, and of the method alone.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.io import savemat

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from octave_process import octave_command, octave_environment  # noqa: E402

import gmtoolbox as gm  # noqa: E402

CALLS = 30
CODE = """
load problems.mat
t = tic; gm_setup; printf('start %g\\n', toc(t));
for name = fieldnames(problems)'
  K = problems.(name{1});
  gm_solve(K, 'fw', 'maxiter', 1);
  seconds = zeros(1, CALLS);
  for k = 1:CALLS
    t = tic; [X, info] = gm_solve(K, 'fw', 'maxiter', 1); seconds(k) = toc(t);
  end
  printf('%s %g %g\\n', name{1}, min(seconds), median(seconds));
end
"""


def main():
    rng = np.random.default_rng(0)
    problems = {
        "nodes100": sparse_affinity(rng, 100, 1e-3),
        "nodes70": sparse_affinity(rng, 70, 2e-3),
        "nodes2": sparse.eye(4, format="csc"),
    }
    ours = {}
    for name, K in problems.items():
        seconds = []
        for _ in range(CALLS + 1):
            begin = time.perf_counter()
            gm.gm_solve(K, "fw", maxiter=1)
            seconds.append(time.perf_counter() - begin)
        ours[name] = min(seconds[1:]), float(np.median(seconds[1:]))
    with tempfile.TemporaryDirectory() as folder:
        savemat(Path(folder) / "problems.mat", {"problems": problems})
        command = octave_command(CODE.replace("CALLS", str(CALLS)))
        environment = octave_environment(Path(folder) / "tmp")
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
    print(
        f"{'':10} {'nnz':>8} {'Octave':>16} {'Python':>16} {'overhead':>16}   ms: fastest, median"
        f" of {CALLS}"
    )
    for line in done.stdout.splitlines():
        name, *numbers = line.split()
        if name == "start":
            print(f"starting Python: {float(numbers[0]) * 1e3:.0f} ms, once")
        elif name in ours:
            pairs = (
                tuple(map(float, numbers)),
                ours[name],
                tuple(float(x) - y for x, y in zip(numbers, ours[name], strict=True)),
            )
            text = " ".join(f"{low * 1e3:7.1f}, {middle * 1e3:7.1f}" for low, middle in pairs)
            print(f"{name:10} {problems[name].nnz:8d} {text}")
    dense_in_python(rng)


def sparse_affinity(rng, n, density):
    """A symmetric affinity of n x n pairs."""
    K = sparse.random(n * n, n * n, density, format="csc", random_state=rng)
    return (K + K.T + sparse.eye(n * n, format="csc")).tocsc()


def dense_in_python(rng):
    """Print CPU seconds of a dense K in Python."""
    K = rng.random((4900, 4900))
    begin = time.process_time()
    r = gm.gm_solve(K + K.T, "rrwm", maxiter=10)
    seconds = time.process_time() - begin
    shown = f"{seconds:.2f} CPU s, the method {r.solver_time:.2f} s of them (wall)"
    print(f"dense 4900 x 4900 in Python, rrwm, 10 iterations: {shown}")


if __name__ == "__main__":
    main()
