"""A problem made from another one, with the ways of a matching between the two."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lifted:
    """problem, lift (its labels -> labels of the original), lower (labels of the original -> its
    labels, for warm starts).
    """

    problem: object
    lift: object = staticmethod(lambda labels: labels)
    lower: object = staticmethod(lambda labels: labels)

    def then(self, made):
        """Return self followed by a further transform of self.problem."""
        return Lifted(
            made.problem,
            lambda labels: self.lift(made.lift(labels)),
            lambda labels: made.lower(self.lower(labels)),
        )
