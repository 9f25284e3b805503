"""Random problems of every door, each answered by brute force as well: see campaign.py.

The evaluators of this package share no code with gmtoolbox. A module lists its doors in DOORS:
{name: check}, where check(rng) draws a problem, asks gmtoolbox, compares with exhaustive search and
returns one of the words below (a Counter of them for several problems), or raises Wrong.
"""

PROVEN = "proven"  # the answer is optimal, and called so
UNPROVEN = "unproven"  # it is not called optimal; its bound and value are true
REFUSED = "refused"  # there is no answer, and that was said


class Wrong(AssertionError):
    """A false answer or claim."""
