"""Dummies: a rectangle of pairs that are allowed for nothing and never stored."""

from dataclasses import dataclass

from gmtoolbox.core.lazy import np


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

    def swapped(self):
        """The same with left and right exchanged."""
        return Dummies(self.shape[::-1], self.col, self.row)
