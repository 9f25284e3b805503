"""Values that an option of a method must refuse."""

import math

from gmtoolbox import Choice, Range


def bad_values(option):
    """Return values of another type, and some that the rule of the option excludes."""
    bad = [object(), [1, 2]] + ([] if option.type is str else ["text"])
    if option.type in (int, float):
        bad.append(math.nan)
    if isinstance(option.rule, Choice):
        bad.append("no-such-choice")
    if isinstance(option.rule, Range):
        bad += [end for end in (option.rule.low - 1, option.rule.high + 1) if math.isfinite(end)]
    return bad
