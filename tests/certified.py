"""The bound of a certificate alone, without the claims that come with it."""

from fractions import Fraction

from gmtoolbox.proofs import checker
from gmtoolbox.proofs.verify import as_given, round_down, translate_errors


def certified_bound(problem, certificate):
    """Return the least cost of any matching that the certificate proves, offset included."""
    with translate_errors():
        lower = checker.prove_bound(as_given(problem), certificate)
    return round_down(lower + Fraction(problem.offset))
