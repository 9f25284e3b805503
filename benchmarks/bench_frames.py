"""Many point sets without arguments: multi_from_points next to affine ICP with linear assignment.

    python benchmarks/bench_frames.py [--seeds 3] [--time-limit 5]

Ten frames of 82 nuclei that keep apart, in a square or in a long block in space: turned, bent by
three sine waves, 15 % missing, 10 % of clutter.
F1 of all matched pairs of points, build and solve in CPU seconds. ICP: nearest points and an affine
fit in turn, from the centred frames, then linear assignment within half a spacing, for every pair.
"""

import argparse
import time

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from scipy.spatial.transform import Rotation

import gmtoolbox as gm

PLANE, SPACE = np.array([1.0, 1.0]), np.array([1.0, 0.3, 0.3])  # sides of the scenes
KINDS = {
    "turned a little": {},
    "turned by any angle": {"any_angle": True},
    "25 % missing, 20 % clutter": {"missing": 0.25, "clutter": 0.2},
    "bent twice as much": {"bend": 0.03},
    "in space, turned a little": {"sides": SPACE},
    "in space, turned by any angle": {"sides": SPACE, "any_angle": True},
    "in space, 25 % missing, 20 % clutter": {"sides": SPACE, "missing": 0.25, "clutter": 0.2},
}


def frames(seed, d=10, n=82, bend=0.015, missing=0.15, clutter=0.1, any_angle=False, sides=PLANE):
    """Return (points of each frame, true tracks)."""
    rng = np.random.default_rng(seed)
    scene = []
    while len(scene) < n:
        place = sides * rng.uniform(0, 1, len(sides))
        if all(np.linalg.norm(place - other) > 0.06 for other in scene) or rng.random() < 0.02:
            scene.append(place)
    scene = np.array(scene) - sides / 2
    points, truth = [], []
    for _ in range(d):
        kept = np.flatnonzero(rng.random(n) > missing)
        R = rotation(rng, any_angle, len(sides))
        waves, phases = 4 * rng.normal(0, 1, (3, len(sides))), rng.uniform(0, 6, 3)
        heights = rng.normal(0, bend, (3, len(sides)))
        moved = scene[kept] + np.sin(scene[kept] @ waves.T + phases) @ heights
        moved = moved @ R.T + rng.normal(0, 0.05, len(sides)) + rng.normal(0, 0.004, moved.shape)
        stray = rng.uniform(moved.min(0), moved.max(0), (int(clutter * n), len(sides)))
        order = rng.permutation(len(kept) + len(stray))
        points.append(100 * np.concatenate([moved, stray])[order])
        truth.append(np.concatenate([kept, np.full(len(stray), -1)])[order])
    return points, truth


def rotation(rng, any_angle, dimension):
    """Return a rotation matrix: any one, or a small one."""
    if dimension == 3:
        small = Rotation.from_rotvec(rng.normal(0, 0.2, 3))
        return (Rotation.from_quat(rng.normal(size=4)) if any_angle else small).as_matrix()
    angle = rng.uniform(-np.pi, np.pi) if any_angle else rng.normal(0, 0.35)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def icp(P, Q, rounds=30):
    """Return (m, 2) matches by affine ICP and linear assignment."""
    moved, tree = P - P.mean(0) + Q.mean(0), cKDTree(Q)
    for _ in range(rounds):
        near = tree.query(moved)[1]
        ends = np.column_stack([P, np.ones(len(P))])
        moved = ends @ np.linalg.lstsq(ends, Q[near], rcond=None)[0]
    reach = np.median(tree.query(Q, 2)[0][:, 1]) / 2
    D = np.minimum(cdist(moved, Q), reach)
    rows, columns = linear_sum_assignment(D)
    kept = D[rows, columns] < reach
    return np.column_stack([rows[kept], columns[kept]])


def pairwise_f1(matches, truth):
    """Return the F1 score of matches of all pairs of frames."""
    hits = found = true = 0
    for (g, h), pairs in matches.items():
        one, other = truth[g][pairs[:, 0]], truth[h][pairs[:, 1]]
        hits += int(((one == other) & (one >= 0)).sum())
        found += len(pairs)
        true += len(set(truth[g][truth[g] >= 0]) & set(truth[h][truth[h] >= 0]))
    return 2 * hits / (found + true)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=5.0)
    given = parser.parse_args()
    print("| frames | ICP + assignment | gmtoolbox | build | solve |\n|---|---|---|---|---|")
    for name, kind in KINDS.items():
        rows = []
        for seed in range(100, 100 + given.seeds):
            points, truth = frames(seed, **kind)
            pairs = [(g, h) for g in range(len(points)) for h in range(g + 1, len(points))]
            other = pairwise_f1({(g, h): icp(points[g], points[h]) for g, h in pairs}, truth)
            started = time.process_time()
            m = gm.models.multi_from_points(points)
            built = time.process_time()
            r = gm.gm_solve_multi(m, time_limit=given.time_limit)
            solved = time.process_time()
            score = gm.track_f1(r.tracks, truth)
            rows.append((other, score, built - started, solved - built))
        other, score, build, solve = np.mean(rows, axis=0)
        print(f"| {name} | {other:.2f} | {score:.2f} | {build:.1f} s | {solve:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
