"""Keypoints of real photographs: match_keypoints and from_matches next to OpenCV.

    python benchmarks/bench_keypoints.py [--kind KIND] [--n 500] [--confidence]
        [--more | --unseen]

Pairs of photographs with known correspondences (keypoint_pairs.py): the first nine are those on
which constants were chosen, the others were not looked at. F1 counts matches within 4 pixels of the
truth, against the largest possible number of such matches of the keypoints. OpenCV: the ratio test
(0.75) and mutual nearest neighbours, filtered by RANSAC or MAGSAC with a homography (H) or a
fundamental matrix (F). from_matches gets the mutual matches, and those of the ratio test at 0.8: F1
against the correct ones among them, and the same for MAGSAC. Times are CPU milliseconds from
keypoints to matches. --confidence prints how many matches of each confidence are correct.
Needs opencv-python, scikit-image and Debian's opencv-doc.
"""

import argparse
import os
import time
from contextlib import suppress

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import numpy as np
from keypoint_pairs import NEAR, more_pairs, pairs, unseen_pairs
from scipy.optimize import linear_sum_assignment

import gmtoolbox as gm

CHOSEN = 9  # pairs on which constants were chosen
BINS = (0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1)


def detect(kind, image, n):
    """Return the n strongest (keypoints, descriptors); AKAZE and BRISK are not in OpenCV 5."""
    create = getattr(cv2, f"{kind.upper()}_create")
    detector = create(n) if kind in ("sift", "orb") else create()
    keys, rows = detector.detectAndCompute(image, None)
    order = np.argsort([-key.response for key in keys], kind="stable")[:n]
    if kind in ("sift", "orb"):
        order = range(min(n, len(keys)))
    return [keys[k] for k in order], rows[list(order)]


class Case:
    """The keypoints of a pair, and which of their pairs are correct."""

    def __init__(self, pair, kind, n):
        found = [detect(kind, image, n) for image in (pair.first, pair.second)]
        (self.k1, self.d1), (self.k2, self.d2) = found
        self.name, self.geometry = pair.name, pair.kind
        self.P, self.Q = (np.array([k.pt for k in keys]) for keys in (self.k1, self.k2))
        there = pair.truth(self.P)
        self.known = np.isfinite(there).all(axis=1)  # matches elsewhere are not judged
        with np.errstate(invalid="ignore"):
            off = np.linalg.norm(there[:, None] - self.Q, axis=2)
        self.correct = off < NEAR
        rows, columns = linear_sum_assignment(-self.correct.astype(float))
        self.n_common = int(self.correct[rows, columns].sum())
        matcher = cv2.BFMatcher(cv2.NORM_L2 if kind == "sift" else cv2.NORM_HAMMING)
        two = matcher.knnMatch(self.d1, self.d2, 2)
        self.ratio = {
            limit: [m for m, other in two if m.distance < limit * other.distance]
            for limit in (0.75, 0.8)
        }
        norm = cv2.NORM_L2 if kind == "sift" else cv2.NORM_HAMMING
        self.mutual = cv2.BFMatcher(norm, crossCheck=True).match(self.d1, self.d2)

    def judge(self, matches, n_common=None):
        """Return the F1 score of matches (m, 2), or of a list of DMatch."""
        matches = as_pairs(matches)
        matches = matches[self.known[matches[:, 0]]]
        n_correct = self.correct[matches[:, 0], matches[:, 1]].sum()
        return 2 * n_correct / max(len(matches) + (n_common or self.n_common), 1)

    def n_correct(self, matches):
        """Return how many matches are correct."""
        matches = as_pairs(matches)
        return int(self.correct[matches[:, 0], matches[:, 1]].sum())


def as_pairs(matches):
    """Return (m, 2) indices."""
    if len(matches) and hasattr(matches[0], "queryIdx"):
        matches = [(m.queryIdx, m.trainIdx) for m in matches]
    return np.asarray(matches, int).reshape(-1, 2)


def filtered(case, matches, how, model):
    """Return the matches that OpenCV's robust estimators keep."""
    found = as_pairs(matches)
    if len(found) < 9:
        return found
    P, Q = case.P[found[:, 0]], case.Q[found[:, 1]]
    robust = {"RANSAC": (cv2.RANSAC, cv2.FM_RANSAC), "MAGSAC": (cv2.USAC_MAGSAC,) * 2}[how]
    limit = {"RANSAC": (5.0, 3.0), "MAGSAC": (3.0, 1.5)}[how]
    try:
        if model == "H":
            kept = cv2.findHomography(P, Q, robust[0], limit[0])[1]
        else:
            kept = cv2.findFundamentalMat(P, Q, robust[1], limit[1], 0.999)[1]
    except cv2.error:
        kept = None
    return found[:0] if kept is None else found[kept.ravel() > 0]


def row(case):
    """Return the scores of a case by column."""
    scores = {
        f"{base} {how} {model}": case.judge(filtered(case, given, how, model))
        for base, given, how in (("ratio", case.ratio[0.75], "RANSAC"),
                                 ("mutual", case.mutual, "MAGSAC"))
        for model in "HF"
    }  # fmt: skip
    started = time.process_time()
    found = gm.match_keypoints(case.k1, case.d1, case.k2, case.d2)
    scores["ms"] = 1000 * (time.process_time() - started)
    scores["ours"] = case.judge(found.matches)
    kind = {"plane": "homography", "stereo": "epipolar"}.get(case.geometry)
    if kind:
        with suppress(gm.InputError):  # too few reliable matches for a model
            found2 = gm.match_keypoints(case.k1, case.d1, case.k2, case.d2, geometry=kind)
            scores["with model"] = case.judge(found2.matches)
    for name, given in (("mutual", case.mutual), ("ratio", case.ratio[0.8])):
        n = case.n_correct(given)
        kept = given
        if len(given):
            kept = gm.gm_solve(gm.models.from_matches(case.k1, case.k2, given)).pairs
        scores[f"from {name}"] = case.judge(kept, n)
        scores[f"MAGSAC F from {name}"] = case.judge(filtered(case, given, "MAGSAC", "F"), n)
    return scores, found


COLUMNS = (
    "ratio RANSAC H", "ratio RANSAC F", "mutual MAGSAC H", "mutual MAGSAC F", "ours", "with model",
    "from mutual", "MAGSAC F from mutual", "from ratio", "MAGSAC F from ratio",
)  # fmt: skip


def printed(name, scores, n_common=""):
    """Return a line of the table; the best of the first five columns is bold."""
    best = max(scores.get(column, 0) for column in COLUMNS[:5])
    cells = []
    for number, column in enumerate(COLUMNS):
        text = f"{scores[column]:.2f}" if column in scores else ""
        is_best = text and number < 5 and scores[column] > best - 0.005
        cells.append(f"**{text}**" if is_best else text)
    return f"| {name} | {n_common} | {' | '.join(cells)} | {scores['ms']:.0f} |"


def mean(rows):
    """Return the mean of each column over the rows that have it, the median of times."""
    columns = dict.fromkeys(column for one in rows for column in one)
    means = {c: float(np.mean([one[c] for one in rows if c in one])) for c in columns}
    return means | {"ms": float(np.median([one["ms"] for one in rows]))}


def reliability(judged):
    """Print the share of correct matches by their confidence."""
    sure, correct = (np.concatenate(part) for part in zip(*judged, strict=True))
    print("\n| confidence | matches | mean confidence | correct |\n|---|---|---|---|")
    for low, high in zip(BINS[:-1], BINS[1:], strict=True):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            shares = f"{sure[inside].mean():.3f} | {correct[inside].mean():.3f}"
            print(f"| {low} to {high} | {inside.sum()} | {shares} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=("sift", "orb", "akaze", "brisk"), default="sift")
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--confidence", action="store_true")
    parser.add_argument("--more", action="store_true", help="other pairs, which decided nothing")
    parser.add_argument("--unseen", action="store_true", help="other pictures and other warps")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    head = [column.replace("MAGSAC F from", "MAGSAC on") for column in COLUMNS]
    head = [name.replace("from", "from_matches") for name in head]
    print(f"| pair | common | {' | '.join(head)} | ms |\n|{'---|' * (len(COLUMNS) + 3)}")
    rows, judged = [], []
    is_whole = given.more or given.unseen  # no part of it has chosen a constant
    for pair in (unseen_pairs if given.unseen else more_pairs if given.more else pairs)():
        case = Case(pair, given.kind, given.n)
        scores, found = row(case)
        rows.append(scores)
        known = case.known[found.matches[:, 0]]
        correct = case.correct[found.matches[:, 0], found.matches[:, 1]]
        judged.append((found.confidence[known], correct[known]))
        print(printed(case.name, scores, case.n_common), flush=True)
    n_chosen = 0 if is_whole else CHOSEN
    if n_chosen:
        print(printed(f"mean of the first {n_chosen}", mean(rows[:n_chosen])))
    other = "mean" if is_whole else f"mean of the other {len(rows) - n_chosen}"
    print(printed(other, mean(rows[n_chosen:])))
    if given.confidence:
        reliability(judged[n_chosen:])


if __name__ == "__main__":
    main()
