"""
Matches of a keypoint matcher
=============================

*For users of OpenCV, LightGlue or any other matcher: remove its wrong matches.*

A matcher gives pairs and scores, many of them wrong. ``from_matches`` keeps those that agree about
the geometry of the scene.
"""

import numpy as np

import gmtoolbox as gm

rng = np.random.default_rng(4)
P = rng.uniform(0, 300, (60, 2))
turn = np.deg2rad(20)
Q = 0.8 * P @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]] + (60, 20)
Q += rng.normal(0, 1.0, Q.shape)

# %%
# Here is such an output: each true match with probability 0.8, and 100 wrong ones whose scores look
# only a little worse.

right = np.flatnonzero(rng.random(60) < 0.8)
wrong = rng.integers(0, 60, (100, 2))
matches = np.concatenate([np.stack([right, right], 1), wrong[wrong[:, 0] != wrong[:, 1]]])
scores = np.concatenate(
    [rng.uniform(0.5, 1, len(right)), rng.uniform(0.3, 0.9, len(matches) - len(right))]
)

problem = gm.models.from_matches(P, Q, matches, scores=scores)
result = gm.gm_solve(problem)
judged = gm.evaluate(result, np.arange(60))
print(f"{len(right)} of {len(matches)} given matches are correct")
print(f"kept {len(result.pairs)}: precision {judged.precision:.2f}, {result.status}")

# %%
picture = gm.plot.matching(problem, result, ground_truth=np.arange(60), title="Matches kept")
