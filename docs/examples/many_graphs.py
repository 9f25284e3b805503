"""
Many graphs at once
===================

*For videos, atlases and photo collections: matchings that agree around every cycle.*

Points of a moving scene in six frames, some hidden in some of them. The answer is a set of tracks.
"""

import numpy as np

import gmtoolbox as gm

rng = np.random.default_rng(3)
scene = rng.uniform(0, 200, (14, 2))
frames, truth = [], []
for t in range(6):
    turn = 0.08 * t
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    seen = np.sort(rng.permutation(14)[:12])
    frames.append((scene @ rotation + 6 * t)[seen] + rng.normal(0, 0.7, (12, 2)))
    truth.append(seen)

problem = gm.models.multi_from_points(frames, unary=0.7, both=True, width=60.0, truth=truth)
result = gm.gm_solve_multi(problem, seed=0, maxiter=1500, bound="pairs")
print(f"value {result.value:.2f}, bound {result.bound:.2f}")
print(f"F1 of the tracks: {gm.track_f1(result.tracks, truth):.2f}")

# %%
# Each column is a frame, each line a link of a track; green ones are correct.

picture = gm.plot.tracks(problem.points, result.tracks, problem.truth)
