"""Keypoints of two photographs: from_points and from_matches next to the ratio test.

    python benchmarks/bench_points.py [--write]

Ten scenes from scikit-image's own pictures (SIFT, up to 150 inliers and 100 outliers a side; the
second picture is turned, scaled and noisy). The ratio test gets its best threshold on each scene;
ours gets no constant at all. --write puts the table into docs/results/points.md.
"""

import argparse
import time
from datetime import date
from pathlib import Path

import keep
import numpy as np
from scipy.spatial import cKDTree

import gmtoolbox as gm

SCENES = (  # picture, angle in degrees, scale
    ("astronaut", 25, 0.9),
    ("camera", 25, 0.9),
    ("coins", 25, 0.9),
    ("coffee", 40, 0.8),
    ("brick", 60, 0.9),
    ("rocket", -35, 1.1),
    ("astronaut", 90, 0.7),
    ("coffee", 15, 1.15),
    ("camera", -70, 0.8),
    ("coins", -50, 1.1),
)
INLIERS, OUTLIERS = 150, 100
SIZE = 700  # pictures are halved until they are smaller
NEAR, FAR = 2.0, 5.0  # pixels within which keypoints are the same, beyond which they are not


def grey(name):
    """A picture of scikit-image in grey, not too large."""
    from skimage import color, data, transform

    picture = getattr(data, name)()
    picture = picture / 255.0 if picture.ndim == 2 else color.rgb2gray(picture[..., :3])
    while max(picture.shape) > SIZE:
        picture = transform.rescale(picture, 0.5, anti_aliasing=True)
    return picture


def keypoints(picture):
    """(points (x, y), SIFT descriptors), one for each place."""
    from skimage import feature

    sift = feature.SIFT()
    sift.detect_and_extract(picture)
    points = sift.positions[:, ::-1].astype(float)
    _, first = np.unique(np.round(points).astype(int), axis=0, return_index=True)
    return points[first], sift.descriptors[first].astype(float)


def scene(name, angle, scale, seed):
    """(P, Q, F1, F2, truth): inliers that both pictures show, outliers that one shows."""
    from skimage import transform

    rng = np.random.default_rng(seed)
    picture = grey(name)
    centre = np.array(picture.shape[::-1]) / 2
    move = (
        transform.SimilarityTransform(translation=-centre)
        + transform.SimilarityTransform(scale=scale, rotation=np.deg2rad(angle))
        + transform.SimilarityTransform(translation=centre)
    )
    other = transform.warp(picture, move.inverse)
    other = np.clip(other + rng.normal(0, 0.01, other.shape), 0, 1)
    (P, F1), (Q, F2) = keypoints(picture), keypoints(other)
    moved = move(P)
    far1, label = cKDTree(Q).query(moved)
    far2, node = cKDTree(moved).query(Q)
    same = np.flatnonzero((far1 < NEAR) & (node[label] == np.arange(len(P))))
    inliers = rng.permutation(same)[:INLIERS]
    out1 = rng.permutation(np.flatnonzero(far1 > FAR))[:OUTLIERS]
    out2 = rng.permutation(np.flatnonzero(far2 > FAR))[:OUTLIERS]
    left, right = np.append(inliers, out1), np.append(label[inliers], out2)
    order = rng.permutation(len(right))
    truth = np.full(len(left), -1)
    truth[: len(inliers)] = np.argsort(order)[: len(inliers)]
    return P[left], Q[right][order], F1[left], F2[right][order], truth


def ratio_test(D, threshold, mutual):
    """Labels of the nearest descriptor where the second nearest is far enough."""
    order = np.argsort(D, axis=1)[:, :2]
    near, second = np.take_along_axis(D, order, axis=1).T
    labels = np.where(near < threshold * second, order[:, 0], -1)
    back = D.argmin(axis=0)[order[:, 0]] == np.arange(len(D))
    return np.where(back, labels, -1) if mutual else labels


def best_ratio_test(D, judge, mutual):
    """(the best by F1 over all thresholds, all that were tried)."""
    tried = [judge(ratio_test(D, t, mutual)) for t in np.arange(0.5, 1.001, 0.01)]
    return max(tried, key=lambda found: found.f1 if found.f1 == found.f1 else 0.0), tried


def precision_at(tried, recall):
    """Best precision of the tried ones among those that recall as much; of the one that recalls
    most where none does."""
    enough = [found.precision for found in tried if found.recall >= recall]
    return max(enough) if enough else max(tried, key=lambda found: found.recall).precision


def timed(function):
    """Return (result of the function, CPU milliseconds)."""
    begin = time.process_time()
    return function(), 1000 * (time.process_time() - begin)


def measure(name, angle, scale, seed):
    """A row of the table."""
    P, Q, F1, F2, truth = scene(name, angle, scale, seed)
    D = np.linalg.norm(F1[:, None] - F2, axis=2)
    problem, build = timed(lambda: gm.models.from_points(P, Q, F1, F2))
    result, solve = timed(lambda: gm.gm_solve(problem))

    def judge(labels):
        return gm.evaluate(labels, truth, problem=problem)

    ratio, _ = best_ratio_test(D, judge, mutual=False)
    mutual, tried = best_ratio_test(D, judge, mutual=True)
    label = np.argsort(D, axis=1)[:, :10]
    left = np.repeat(np.arange(len(D)), 10)
    pairs = np.column_stack([left, label.ravel()])
    matched, both = timed(
        lambda: gm.gm_solve(gm.models.from_matches(P, Q, pairs, distances=D[left, label.ravel()]))
    )
    found, from_matches = judge(result), judge(matched)
    return {
        "scene": f"{name} {angle} {scale}",
        "n": f"{np.sum(truth >= 0)}+{np.sum(truth < 0)}",
        "ratio": ratio.f1,
        "mutual": mutual.f1,
        "F1": found.f1,
        "recall": found.recall,
        "precision": found.precision,
        "status": result.status,
        "build": f"{build:.1f} ms",
        "solve": f"{solve:.1f} ms",
        "matches F1": from_matches.f1,
        "precision here": from_matches.precision,
        "mutual precision": precision_at(tried, from_matches.recall),
        "matches": f"{both:.1f} ms",
    }


def at_500():
    """CPU milliseconds of from_matches and the solve: 500 keypoints, 150 of them outliers, 5
    candidates each.
    """
    rng = np.random.default_rng(0)
    P = rng.uniform(0, 600, (500, 2))
    Q = P @ np.array([[0.8, -0.5], [0.5, 0.8]]) + rng.normal(0, 1, P.shape)
    Q[350:] = rng.uniform(0, 600, (150, 2))
    label = np.column_stack([np.arange(500), rng.integers(0, 500, (500, 4))])
    pairs = np.column_stack([np.repeat(np.arange(500), 5), label.ravel()])
    scores = rng.uniform(0.1, 0.9, len(pairs))
    scores[::5] *= (
        1.5  # the scores of a matcher are informative: the first candidate is the correct one
    )

    def run():
        return gm.gm_solve(gm.models.from_matches(P, Q, pairs, scores))

    run()
    return min(timed(run)[1] for _ in range(5))


def cell(value):
    """Return a cell of the table: rates have three digits."""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="into docs/results/points.md")
    given = parser.parse_args()
    gm.gm_solve(gm.models.from_points(*[np.eye(3, 2)] * 4))  # imports
    rows = [measure(*spec, seed) for seed, spec in enumerate(SCENES)]
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(map(cell, row.values())) + " |")
    mean = {
        name: np.mean([row[name] for row in rows])
        for name in names
        if isinstance(rows[0][name], float)
    }
    lines.append("")
    lines.append(
        f"Means: ratio test {mean['ratio']:.3f}, mutual and ratio {mean['mutual']:.3f}, from_points"
        f" {mean['F1']:.3f} ({mean['F1'] - mean['ratio']:+.3f}), from_matches"
        f" {mean['matches F1']:.3f}; precision at equal recall {mean['precision here']:.3f} against"
        f" {mean['mutual precision']:.3f}."
    )
    lines.append(f"from_matches and gm_solve at 500 keypoints: {at_500():.0f} ms of CPU.")
    print("\n".join(lines))
    if given.write:
        target = Path(__file__).parent.parent / "docs" / "results" / "points.md"
        command, day = "benchmarks/bench_points.py", date.today().isoformat()
        target.write_text(keep.kept(target.read_text("utf-8"), command, "\n".join(lines), day))


if __name__ == "__main__":
    main()
