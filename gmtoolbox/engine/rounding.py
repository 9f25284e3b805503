"""From continuous scores to a matching."""

from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import match_copies, swap
from gmtoolbox.engine.linalg import Lap, candidate_lap, dense_labels, munkres

# Above this size the originals' dense Munkres is replaced by the sparse LAP (ties may differ).
MUNKRES_LIMIT = 500


def round_scores(problem, scores):
    """Labels of the matching with the largest total score.

    scores: one per stored candidate (implicit dummies score 0), or a whole matrix of problem.shape.
    """
    if np.ndim(scores) == 2:
        problem = problem.materialise()
        scores = scores[problem.left, problem.right]
    return make_rounding(problem)(scores)


def make_rounding(problem):
    """A function from candidate scores to the labels of the best matching, made for many calls."""
    if max(problem.shape) <= MUNKRES_LIMIT:
        return lambda scores: munkres_labels(problem, scores)
    if not problem.dummies:
        lap, order = candidate_lap(problem)
        return lambda scores: lap.solve(
            -(scores - scores.min())[order], complete=problem.complete, warm=True
        )
    if problem.dummies.row == 0:
        swapped = swap(problem)
        order = np.lexsort((problem.right, problem.left))
        other_side = make_padded_rounding(swapped.problem)
        return lambda scores: swapped.lift(other_side(scores[order]))
    make = make_padded_rounding if problem.dummies.col == 0 else make_extended_rounding
    return make(problem)


def munkres_labels(problem, scores):
    """As the originals round: costs -scores from 0 upwards, forbidden pairs infinite, their
    Munkres.
    """
    P = np.full(problem.shape, np.inf)
    row, col = problem.dummies.corner
    P[row:, col:] = 0.0
    P[problem.left, problem.right] = -scores
    return munkres(P - P.min())


def make_padded_rounding(problem):
    """The problem whose rows from dummies.row on take any column: only the others are assigned, and
    these rows take the columns that remain.
    """
    n, rows = problem.shape[0], problem.dummies.row
    order = np.lexsort((problem.right, problem.left))
    start = np.searchsorted(problem.left[order], np.arange(rows + 1))
    lap = Lap(rows, n, start, problem.right[order])

    def best(scores):
        labels = np.empty(n, dtype=np.int32)
        labels[:rows] = lap.solve(-scores[order], complete=True, warm=True)
        labels[rows:] = np.setdiff1d(np.arange(n), labels[:rows])
        return labels

    return best


def make_extended_rounding(problem):
    """A complete matching of the n1+n2 extension is a partial one of the real pairs: taking (i,s)
    gives up the scores of the copies of i and s, while the copies of a matched pair match each
    other for nothing.
    """
    n1, n2 = problem.dummies.corner
    left, right = problem.left, problem.right
    real = np.flatnonzero((left < n1) & (right < n2))
    real = real[np.lexsort((right[real], left[real]))]
    node_copy, label_copy = np.flatnonzero(right >= n2), np.flatnonzero(left >= n1)
    lap = Lap(n1, n2, np.searchsorted(left[real], np.arange(n1 + 1)), right[real])

    def best(scores):
        of_node, of_label = np.empty(n1), np.empty(n2)
        of_node[left[node_copy]] = scores[node_copy]
        of_label[right[label_copy]] = scores[label_copy]
        gain = scores[real] - of_node[left[real]] - of_label[right[real]]
        return match_copies(lap.solve(-gain, warm=True), n1, n2)

    return best


def assign_dense(scores):
    """Return labels of the best complete assignment over a matrix: the originals' Munkres, or, if
    that would take minutes, the shortest augmenting paths of scipy.
    """
    if max(scores.shape) <= MUNKRES_LIMIT:
        return munkres(scores.max() - scores)
    return dense_labels(scores, maximize=True)


def round_anywhere(problem, scores):
    """As round_scores, but forbidden pairs may be chosen at score 0 and are then dropped: how pm
    and fgmd round.

    scores: one per stored candidate, or a whole matrix of problem.shape.
    """
    if np.ndim(scores) == 2:
        labels = assign_dense(scores)
        return np.where(problem.allows(np.arange(len(labels)), labels), labels, -1)
    if max(problem.shape) <= MUNKRES_LIMIT:
        return round_anywhere(problem, problem.scatter(scores))
    lap, order = candidate_lap(problem)
    return lap.solve(-scores[order])
