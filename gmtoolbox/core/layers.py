"""Layers: edges that are the sum of several products of two matrices."""

from dataclasses import dataclass
from functools import cached_property

from gmtoolbox.core.edges import Implicit
from gmtoolbox.core.lazy import np


@dataclass(frozen=True, eq=False, repr=False)
class Layers(Implicit):
    """A_ij B_sl of each layer, summed, for i -> s and j -> l, over ordered pairs i != j.

    terms : tuple of Products, one for each layer
    """

    terms: tuple
    candidates: object = None

    @property
    def shape(self):
        """(n1, n2)."""
        return self.terms[0].shape

    def _changed_terms(self, make, candidates=None):
        """Return the Layers of make(term) for every term."""
        terms = tuple(make(term) for term in self.terms)
        return self.changed(terms=terms, candidates=candidates)

    def over(self, candidates, order=None):
        """Products speak of nodes: the order of the candidates does not matter."""
        return self._changed_terms(lambda term: term.over(candidates, order), candidates)

    def among(self, candidates, nodes1, nodes2):
        return self._changed_terms(
            lambda term: term.among(candidates, nodes1, nodes2), candidates
        )  # fmt: skip

    def swap_sides(self):
        return self._changed_terms(lambda term: term.swap_sides())

    def widen(self, shape):
        return self._changed_terms(lambda term: term.widen(shape))

    @cached_property
    def at_most(self):
        return sum(term.at_most for term in self.terms)

    @cached_property
    def nonpositive(self):
        return all(term.nonpositive for term in self.terms)

    @cached_property
    def largest(self):
        return sum(term.largest for term in self.terms)

    @property
    def magnitude(self):
        return sum(term.magnitude for term in self.terms)

    @cached_property
    def scale(self):
        return min(term.scale for term in self.terms)

    def size_among(self, chosen):
        return sum(term.size_among(chosen) for term in self.terms)

    def expand(self):
        parts = zip(*(term.expand() for term in self.terms), strict=True)
        return tuple(map(np.concatenate, parts))

    def product(self, x):
        return sum(term.product(x) for term in self.terms)

    def total(self, labels):
        return sum(term.total(labels) for term in self.terms)

    def total_among(self, chosen):
        return sum(term.total_among(chosen) for term in self.terms)

    def merge(self):
        """Return the Products of the sums of the matrices, which adds products of unlike layers."""
        first = self.terms[0]
        A, B = (sum(getattr(term, name) for term in self.terms) for name in "AB")
        return first.changed(A=A, B=B)
