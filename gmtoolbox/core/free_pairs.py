"""Candidates that need no list: every pair of free nodes, and one label for each node that is not
free, such as a seed.

With 10,000 nodes the two lists of all pairs would take 800 MB; here they are created when they are
read.
"""

from functools import cached_property

from gmtoolbox.core.candidates import Candidates, column_major
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import freeze


class FreePairs(Candidates):
    """The same questions as of listed candidates, in the same order.

    Parameters
    ----------
    shape : (int, int)
    label_of : (n1,) array of int, optional
        -1 for a free node, else the only label of the node, which no other may use. Default: all
        nodes are free.
    """

    def __init__(self, shape, label_of=None):
        label_of = np.full(shape[0], -1) if label_of is None else np.asarray(label_of)
        self.__dict__.update(shape=shape, label_of=freeze(label_of.astype(np.int32)))

    def __getstate__(self):
        return {"shape": self.shape, "label_of": self.label_of}

    @cached_property
    def nodes(self):
        """The free nodes."""
        return np.flatnonzero(self.label_of < 0)

    @cached_property
    def labels(self):
        """The free labels."""
        free = np.ones(self.shape[1], dtype=bool)
        free[self.label_of[self.label_of >= 0]] = False
        return np.flatnonzero(free)

    @property
    def are_all(self):
        """Whether all nodes are free: then all pairs are allowed."""
        return len(self.nodes) == self.shape[0]

    @cached_property
    def start(self):
        """(n2 + 1,) first candidate of each label."""
        count = np.ones(self.shape[1], dtype=np.int64)
        count[self.labels] = len(self.nodes)
        return np.concatenate([[0], np.cumsum(count)])

    def __len__(self):
        return len(self.nodes) * len(self.labels) + self.shape[0] - len(self.nodes)

    @cached_property
    def right(self):
        """Right node of each candidate."""
        labels = np.arange(self.shape[1], dtype=np.int32)
        return freeze(np.repeat(labels, np.diff(self.start)))

    @cached_property
    def left(self):
        """Left node of each candidate."""
        nodes = np.tile(self.nodes.astype(np.int32), len(self.labels))
        if self.are_all:
            return freeze(nodes)
        given = np.flatnonzero(self.label_of >= 0)
        place = self.start[self.label_of[given]]
        found, is_free = np.empty(len(self), dtype=np.int32), np.ones(len(self), dtype=bool)
        found[place], is_free[place] = given, False
        found[is_free] = nodes
        return freeze(found)

    def index(self, left, right):
        left, right = np.asarray(left), np.asarray(right)
        if self.are_all:
            return column_major(left, right, self.shape[0])
        rank = np.cumsum(self.label_of < 0) - 1
        is_free = np.zeros(self.shape[1], dtype=bool)
        is_free[self.labels] = True
        label = self.label_of[left]
        return np.where(
            (label < 0) & is_free[right],
            self.start[right] + rank[left],
            np.where(label == right, self.start[right], -1),
        )

    def pairs(self, chosen):
        if self.are_all:
            return np.divmod(chosen, self.shape[0])[::-1]
        right = np.searchsorted(self.start, chosen, side="right") - 1
        node_of = np.full(self.shape[1], -1)
        given = np.flatnonzero(self.label_of >= 0)
        node_of[self.label_of[given]] = given
        among_free = np.minimum(chosen - self.start[right], len(self.nodes) - 1)
        free = self.nodes[among_free] if len(self.nodes) else node_of[right]
        return np.where(node_of[right] < 0, free, node_of[right]), right

    def alone(self):
        if len(self.labels) == 1:
            return super().alone()
        given = np.flatnonzero(self.label_of >= 0)
        return given, self.label_of[given]

    @property
    def most_matched(self):
        """How many pairs can be matched at once."""
        given = self.shape[0] - len(self.nodes)
        return given + min(len(self.nodes), len(self.labels))

    def without(self, left, right):
        """Return the candidates of all nodes but those of these candidates, with new numbers."""
        n1, n2 = self.shape
        new_label = np.full(n2 + 1, -1)  # the last entry is read for free nodes
        stay = np.delete(np.arange(n2), right)
        new_label[stay] = np.arange(len(stay))
        label_of = np.delete(self.label_of, left)
        return FreePairs((n1 - len(left), len(stay)), new_label[label_of])
