"""Linear assignment over the candidates of a problem, and rounding by it: from continuous scores
to a matching.
"""

import math

from gmtoolbox.core._ffi import check, ffi, lib, pointer, view
from gmtoolbox.core.free_pairs import FreePairs
from gmtoolbox.core.lazy import np, optimize, sparse
from gmtoolbox.core.transforms import match_copies, swap
from gmtoolbox.engine.limits import OutOfTime

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


class Lap:
    """Linear assignment on a sparse pattern (CSR), solved again and again with other costs.

    solve(cost) minimises over matchings; complete=True matches every row. Warm starts from the
    column duals of the previous solve. Duals: cost - u - v >= 0, sum(u) + sum(v) == value.
    """

    def __init__(self, n_rows, n_cols, start, col):
        self.n_rows, self.n_cols = n_rows, n_cols
        self.start = np.ascontiguousarray(start, np.int64)
        self.col = np.ascontiguousarray(col, np.int32)
        self._lap = ffi.gc(
            lib.gm_lap_new(n_rows, n_cols, pointer(self.start), pointer(self.col)), lib.gm_lap_free
        )
        if self._lap == ffi.NULL:
            raise MemoryError("linear assignment: out of memory")
        self._watch = ffi.new("gm_watch *")
        lib.gm_lap_heed(self._lap, self._watch)

    def solve(self, cost, complete=False, warm=False, budget=None):
        """Matched column of each row, -1 = unmatched; OutOfTime if a budget is over before."""
        cost = np.ascontiguousarray(cost, np.float64)
        if budget is not None:
            self._watch.is_over, self._watch.stop = 0, budget.stop.flag
            seconds = max(budget.remaining(), 0.0)
            self._watch.deadline = lib.gm_clock() + seconds if math.isfinite(seconds) else 0.0
        status = lib.gm_lap_solve(self._lap, pointer(cost), complete, warm)
        self._watch[0] = {}  # of this solve only
        if status == lib.GM_ECUT:
            budget.cut()
            raise OutOfTime
        check(status)
        return view(lib.gm_lap_match(self._lap), self.n_rows, np.int32)

    @property
    def value(self):
        """Cost of the last matching."""
        return lib.gm_lap_value(self._lap)

    @property
    def u(self):
        """Duals of the rows."""
        return view(lib.gm_lap_u(self._lap), self.n_rows, np.float64)

    @property
    def v(self):
        """Duals of the columns."""
        return view(lib.gm_lap_v(self._lap), self.n_cols, np.float64)


def candidate_lap(problem):
    """(Lap over a problem's candidates with left nodes as rows, order): solve with cost[order]."""
    order = np.lexsort((problem.right, problem.left))
    start = np.searchsorted(problem.left[order], np.arange(problem.shape[0] + 1))
    return Lap(*problem.shape, start, problem.right[order]), order


def largest_matching(problem):
    """How many pairs can be matched at once."""
    if isinstance(problem.candidates, FreePairs):
        return problem.candidates.most_matched
    lap, _ = candidate_lap(problem)
    return int(np.count_nonzero(most_pairs(lap) >= 0))


def most_pairs(lap):
    """Return the labels of a matching with as many pairs of a Lap's pattern as possible."""
    return largest_labels(lap.n_rows, lap.n_cols, lap.start, lap.col)


def largest_labels(n_rows, n_cols, start, col):
    """Return the same for a pattern in CSR form."""
    arrays = np.ascontiguousarray(start, np.int64), np.ascontiguousarray(col, np.int32)
    match = np.empty(n_rows, np.int32)
    check(lib.gm_largest_matching(n_rows, n_cols, *map(pointer, arrays), pointer(match)))
    return match


def fill_up(problem, labels):
    """A complete matching, whatever it costs, which keeps the labels if it can."""
    labels = np.array(labels, dtype=np.int32)
    n1, n2 = problem.shape
    nodes, free = np.flatnonzero(labels < 0), np.setdiff1d(np.arange(n2), labels)
    if problem.n_candidates == n1 * n2:
        k = min(len(nodes), len(free))
        labels[nodes[:k]] = free[:k]
        return labels
    pattern = sparse.csr_array(
        (np.ones(problem.n_candidates, bool), (problem.left, problem.right)), shape=(n1, n2)
    )
    for rows, columns in ((nodes, free), (np.arange(n1), np.arange(n2))):
        among = sparse.csr_array(pattern[rows][:, columns])
        found = largest_labels(*among.shape, among.indptr, among.indices)
        if np.count_nonzero(found >= 0) == min(len(rows), len(columns)):
            break
    labels[rows] = np.where(found >= 0, columns[found], -1)
    return labels


def munkres(cost):
    """Dense assignment with the scan order of the MATLAB originals; +inf = forbidden, -1 = row
    without column.
    """
    n_rows, n_cols = cost.shape
    scratch = np.array(cost, dtype=np.float64, order="F")
    match = np.empty(n_rows, dtype=np.int32)
    check(lib.gm_munkres(n_rows, n_cols, pointer(scratch.reshape(-1, order="F")), pointer(match)))
    return match


def dense_labels(matrix, maximize=False):
    """Labels of the best complete assignment over a whole matrix, by the shortest augmenting paths
    of scipy; -1 = row without column.
    """
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    rows, columns = optimize.linear_sum_assignment(matrix, maximize=maximize)
    labels[rows] = columns
    return labels
