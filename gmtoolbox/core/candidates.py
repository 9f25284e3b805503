"""Candidates: the allowed pairs of a left and a right node, in the order that everything uses;
Dummies: a rectangle of pairs that are allowed for nothing and never stored.
"""

from dataclasses import dataclass
from functools import cached_property

from gmtoolbox.core.errors import InputError, label_text, labels_range, pair, type_name
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import Value, as_array, check_index, freeze


@dataclass(frozen=True, eq=False)
class Candidates(Value):
    """Allowed pairs, sorted column-major (by right, then left): candidate k is row k of reducedK.

    Make them with `sorted_candidates`; the constructor itself checks nothing.
    """

    shape: tuple
    left: object
    right: object

    def __len__(self):
        return len(self.left)

    @cached_property
    def key(self):
        """left + n1 * right: the row of each candidate in K, strictly increasing."""
        return column_major(self.left, self.right, self.shape[0])

    def of(self, labels):
        """Return the candidate of every matched left node, in node order; InputError if labels are
        not a matching of candidates.
        """
        labels = as_array("labels", labels)
        n1, n2 = self.shape
        if labels.shape != (n1,) or labels.dtype.kind not in "iu":
            raise InputError(
                f"labels must be n1 = {n1} integers, got shape {labels.shape} of"
                f" {type_name(labels.dtype)}"
            )
        nodes = np.flatnonzero(labels != -1)
        used = labels[nodes].astype(np.int64)
        if len(used) and (used.min() < 0 or used.max() >= n2):
            raise InputError(
                f"labels must be in {labels_range(n2)}, got"
                f" {label_text(used[(used < 0) | (used >= n2)][0])}"
            )
        if np.bincount(used).max(initial=0) > 1:
            raise InputError("labels must be one-to-one, but a label is used twice")
        found = self.index(nodes, used)
        missing = np.flatnonzero(found < 0)
        if len(missing):
            raise InputError(
                f"labels use the forbidden pair {pair(nodes[missing[0]], used[missing[0]])}"
            )
        return found

    def indicator(self, labels):
        """A matching as a vector: 1 at its candidates, 0 at the others."""
        x = np.zeros(len(self))
        x[self.of(labels)] = 1.0
        return x

    def index(self, left, right):
        """Return the candidate of each pair (left[k], right[k]), -1 if the pair is forbidden."""
        wanted = column_major(left, right, self.shape[0])
        if len(self) == self.shape[0] * self.shape[1]:  # all pairs are allowed
            return wanted
        found = np.minimum(np.searchsorted(self.key, wanted), len(self) - 1)
        return np.where(self.key[found] == wanted, found, -1)

    def allows(self, left, right):
        """Whether each pair (left[k], right[k]) is a candidate."""
        return self.index(left, right) >= 0

    def pairs(self, chosen):
        """(left, right) of some candidates."""
        return self.left[chosen], self.right[chosen]

    def alone(self):
        """(left, right) of the candidates that are the only one of their left node."""
        count = np.bincount(self.left, minlength=self.shape[0])
        return self.pairs(np.flatnonzero(count[self.left] == 1))

    def at(self, nodes):
        """All candidates of each given left node: (position in nodes, candidate), flat."""
        order = np.argsort(self.left, kind="stable")
        start = np.searchsorted(self.left[order], np.arange(self.shape[0] + 1))
        begin, end = start[nodes], start[np.asarray(nodes) + 1]
        return np.repeat(np.arange(len(nodes)), end - begin), order[ranges(begin, end)]

    def scatter(self, x):
        """Candidate vector -> (n1, n2) matrix, zero on forbidden pairs."""
        X = np.zeros(self.shape)
        X[self.left, self.right] = x
        return X


def sort_candidates(shape, left, right):
    """Return (Candidates, order that sorts the given ones; None if they are sorted)."""
    n1, n2 = shape
    left, right = check_index("left", left, n1), check_index("right", right, n2)
    if len(left) != len(right):
        raise InputError(f"left and right must have one length, got {len(left)} and {len(right)}")
    if len(left) == 0:
        raise InputError("a problem must have at least one candidate assignment, got none")
    if are_all_in_order(shape, left, right):  # without keys, which would take most of the memory
        return Candidates(shape, freeze(left), freeze(right)), None
    key, order = column_major(left, right, n1), None
    if np.any(key[1:] <= key[:-1]):
        order = np.argsort(key, kind="stable")
        key, left, right = key[order], left[order], right[order]
        repeated = np.flatnonzero(key[1:] == key[:-1])
        if len(repeated):
            k = repeated[0]
            raise InputError(f"candidates must not repeat, {pair(left[k], right[k])} does")
    return Candidates(shape, freeze(left), freeze(right)), order


def are_all_in_order(shape, left, right):
    """Whether these are all pairs, column by column."""
    n1, n2 = shape
    if len(left) != n1 * n2:
        return False
    rows, columns = left.reshape(n2, n1), right.reshape(n2, n1)
    return bool(np.all(rows == np.arange(n1)) and np.all(columns == np.arange(n2)[:, None]))


def pairs_where(allowed):
    """(left, right) of the true cells of an (n1, n2) mask, column by column."""
    n1, n2 = allowed.shape
    if allowed.all():
        left, right = np.arange(n1, dtype=np.int32), np.arange(n2, dtype=np.int32)
        return np.tile(left, n2), np.repeat(right, n1)
    right, left = np.nonzero(allowed.T)
    return left.astype(np.int32), right.astype(np.int32)


def values_at(M, left, right):
    """Entries of a matrix at pairs that are sorted column by column."""
    if len(left) < M.size:
        return M[left, right]
    return M.T.reshape(-1) if M.any() else np.zeros(M.size)


def column_major(left, right, n1):
    """left + n1 * right, in 64 bits."""
    return np.asarray(right).astype(np.int64) * n1 + left


def ranges(begin, end):
    """begin[0] .. end[0]-1, then begin[1] .. end[1]-1, and so on."""
    count = end - begin
    return np.repeat(begin - np.cumsum(count) + count, count) + np.arange(count.sum())


def lay_out(known, shape, left, right):
    """Return (Candidates, order that sorts the given ones); the known ones if these are meant, so
    that dataclasses.replace checks nothing again.
    """
    if known is not None and known.shape == shape:
        meant = known.left is left and known.right is right if left is not None else right is None
        if meant:
            return known, None
    return sort_candidates(shape, left, right)


@dataclass(frozen=True)
class Dummies:
    """Every pair with left >= row and right >= col is a candidate of cost 0 that no edge touches.

    A problem extended by a copy of each node has up to n1 * n2 of them. Without any, the rectangle
    begins behind the last node.
    """

    shape: tuple  # of the whole problem
    row: int
    col: int

    @classmethod
    def none(cls, shape):
        """No dummies in a problem of this shape."""
        return cls(shape, *shape)

    @property
    def corner(self):
        """Return (row, col), the corner of the rectangle."""
        return self.row, self.col

    @property
    def sides(self):
        """Numbers of left and of right nodes in the rectangle."""
        return self.shape[0] - self.row, self.shape[1] - self.col

    def __len__(self):
        rows, cols = self.sides
        return rows * cols

    def pairs(self):
        """(left, right) of all of them, column-major."""
        rows, cols = (np.arange(first, n) for first, n in zip(self.corner, self.shape, strict=True))
        return np.tile(rows, len(cols)), np.repeat(cols, len(rows))

    def swap_sides(self):
        """The same with left and right exchanged."""
        return Dummies(self.shape[::-1], self.col, self.row)
