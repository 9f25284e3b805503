"""Random problems of every door, each answered by brute force as well: see campaign.py.

The evaluators of this package share no code with gmtoolbox. A module lists its doors in DOORS:
{name: check}, where check(rng) draws a problem, asks gmtoolbox, compares with exhaustive search and
returns one of the words below (a Counter of them for several problems), or raises Wrong.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

PROVEN = "proven"  # the answer is optimal, and called so
UNPROVEN = "unproven"  # it is not called optimal; its bound and value are true
REFUSED = "refused"  # there is no answer, and that was said


class Wrong(AssertionError):
    """A false answer or claim."""


@dataclass
class Claims:
    """What an answer says of itself, if it is no Result."""

    value: float
    bound: float
    status: str


def judge(claims, sign, cost, best, allowed, stated=None, offset=0.0):
    """Return the word for `claims`, anything with value, bound and status; Wrong if one is false.

    Parameters
    ----------
    sign
        1, or -1 of a maximised problem: value and bound are sign * (cost + offset).
    cost, best
        Exact costs of the labels and of the best ones, without the offset.
    allowed, stated
        Rounding of the costs, and of value and bound (default: the same).
    """
    stated = allowed if stated is None else stated
    if abs(sign * Fraction(claims.value) - cost - Fraction(offset)) > stated:
        raise Wrong(f"value {claims.value!r}, the labels are worth {float(sign * cost)!r}")
    is_bound = math.isfinite(claims.bound)
    if is_bound and sign * Fraction(claims.bound) - Fraction(offset) > best + stated:
        raise Wrong(f"bound {claims.bound!r} beyond the optimum {float(sign * best)!r}")
    if claims.status != "optimal":
        return UNPROVEN
    if cost - best > allowed:
        raise Wrong(f"'optimal' {claims.value!r}, the optimum is {float(sign * best)!r}")
    return PROVEN
