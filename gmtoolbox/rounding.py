"""From continuous scores to a matching."""

from gmtoolbox.lazy import np
from gmtoolbox.linalg import candidate_lap, munkres

# Above this size the originals' dense Munkres is replaced by the sparse LAP (ties may differ).
MUNKRES_LIMIT = 500


def round_scores(problem, scores):
    """Labels of the matching with the largest total score (scores: one per candidate)."""
    if max(problem.shape) <= MUNKRES_LIMIT:
        P = np.full(problem.shape, np.inf)
        shifted = -scores
        P[problem.left, problem.right] = shifted - shifted.min()
        return munkres(P)
    lap, order = candidate_lap(problem)
    return lap.solve(-(scores - scores.min())[order], complete=problem.complete)
