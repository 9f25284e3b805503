"""From a plain dd file to a ready problem: gmtoolbox against pylibmgm, side by side in one run.

    python benchmarks/bench_dd.py [FILE.dd[.gz|.xz] ...]

Without files: the study's instances over 500 kB under GMTOOLBOX_DATA, and one made here. pylibmgm
stops at comment lines and cannot decompress, so both read the same plain copy without comments.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gmtoolbox as gm
from gmtoolbox.io.files import read_bytes

SMALLEST = 500_000


def made_here(folder):
    """A dd text of some 4 MB: 200 x 300 with 10 candidates per node."""
    rng = np.random.default_rng(0)
    n1, n2, k, m = 200, 300, 10, 150_000
    right = np.concatenate([rng.choice(n2, k, replace=False) for _ in range(n1)])
    a, b = np.unique(np.sort(rng.integers(0, n1 * k, (m, 2)), axis=1), axis=0).T
    left = np.repeat(np.arange(n1), k)
    # pylibmgm refuses edges between conflicting pairs
    keep = (left[a] != left[b]) & (right[a] != right[b])
    problem = gm.Problem(
        (n1, n2),
        left,
        right,
        rng.normal(size=n1 * k),
        a[keep],
        b[keep],
        rng.normal(size=keep.sum()),
    )
    gm.save(problem, folder / "made.dd")
    return folder / "made.dd"


def plain_copies(paths, folder):
    """Copies without comments and compression, of files that are large enough."""
    for path in paths:
        text = read_bytes(path)[:-1]
        lines = [line for line in text.split(b"\n") if line[:1] != b"c"]
        text = b"\n".join(lines)
        if len(text) >= SMALLEST:
            copy = folder / (Path(path).name.split(".dd")[0] + ".plain.dd")
            copy.write_bytes(text)
            yield copy


def best_seconds(read, path, repeats=7):
    """The least wall time of several reads."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        read(path)
        times.append(time.perf_counter() - start)
    return min(times)


def main(paths):
    from pylibmgm.io import parse_dd_file_gm

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        data = os.environ.get("GMTOOLBOX_DATA")
        paths = paths or [
            made_here(folder),
            *(sorted(Path(data).glob("*/*.dd.xz"))[::5] if data else []),
        ]
        print(f"{'file':28} {'MB':>6} {'gmtoolbox ms':>13} {'pylibmgm ms':>12} {'ratio':>6}")
        worst = np.inf
        for path in plain_copies(paths, folder):
            ours, theirs = best_seconds(gm.load, path), best_seconds(parse_dd_file_gm, path)
            worst = min(worst, theirs / ours)
            print(
                f"{path.name:28} {path.stat().st_size / 1e6:6.2f} {1e3 * ours:13.2f}"
                f" {1e3 * theirs:12.2f} {theirs / ours:6.2f}"
            )
        print(f"smallest ratio {worst:.2f} (wanted: at least 2)")


if __name__ == "__main__":
    main(sys.argv[1:])
