"""
Two photographs
===============

*For computer vision: which keypoint of one photograph is which keypoint of the other?*

SIFT finds keypoints and descriptors in a photograph and in the same one turned and scaled.
``from_points`` needs no constants: candidates are the nearest descriptors, and neighbours are
compared by the rotation and scale that most of them agree on.
"""

import numpy as np
from skimage import data, feature, transform

import gmtoolbox as gm

first = transform.resize(data.astronaut().mean(axis=2) / 255, (256, 256), anti_aliasing=True)
move = transform.SimilarityTransform(scale=0.9, rotation=np.deg2rad(25), translation=(75, -40))
second = transform.warp(first, move.inverse)


def keypoints(picture, most=60):
    sift = feature.SIFT()
    sift.detect_and_extract(picture)
    largest = np.argsort(-sift.scales, kind="stable")[:most]
    return sift.positions[largest, ::-1].astype(float), sift.descriptors[largest]


P, F1 = keypoints(first)
Q, F2 = keypoints(second)
problem = gm.models.from_points(P, Q, F1, F2)
result = gm.gm_solve(problem)
print(result.summary())

# %%
# A match is correct if the point went where the transformation takes it. Green lines are correct,
# red ones wrong, hollow points stayed unmatched: they have no partner in the other photograph.

distance = np.linalg.norm(move(P)[:, None] - Q[None], axis=2)
truth = [np.flatnonzero(row < 3) for row in distance]
picture = gm.plot.matching(
    problem, result, ground_truth=truth, images=(first, second), edges=False, title="Keypoints"
)
