"""The optional fields of problems and results that a file keeps, and the warnings on saving if a
format does not keep one of them.

Without the fields of MEANING a file would hold another problem, without those that a result must
have no answer: it is not written. All other losses are reported by a LossWarning.
"""

import warnings
from dataclasses import fields

from gmtoolbox.core.errors import InputError, LossWarning
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.result import BaseResult
from gmtoolbox.core.saved import has_plain_name, is_required, is_saved

MEANING = {"sense": "min", "complete": False, "offset": 0.0}  # with their usual values
DESCRIPTION = (
    "points1", "points2", "neighbours1", "neighbours2", "ground_truth", "nodes1", "nodes2",
)  # fmt: skip
OF_MANY = ("names", "truth", "points")  # of many graphs; the others are those of the pairs


def lost_fields(thing, form):
    """The fields of a thing that a file of this format does not keep."""
    return [name for name in carried_fields(thing) if not form.keeps_field(name)]


def refuse_another(thing, path, form):
    """InputError if a file would hold another problem, or no answer."""
    needed = [name for name in lost_fields(thing, form) if is_needed(thing, name)]
    if needed:
        raise InputError(
            f"{path}: a {form.suffix} file does not keep {' '.join(needed)}, so that it would hold"
            f" another {form.holds}"
        )


def warn_of_loss(thing, path, form):
    """Warn with LossWarning of fields that a file does not keep, and of names that change."""
    lost = lost_fields(thing, form)
    said = [f"a {form.suffix} file does not keep {' '.join(lost)}"] if lost else []
    changed = [name for name in ("nodes1", "nodes2") if has_other_names(thing, name)]
    if changed:
        said.append(
            f"{' and '.join(changed)} become text: names that come back as they are are text,"
            " numbers, None and tuples of them"
        )
    for text in said:
        warnings.warn(f"{path}: {text}", LossWarning, stacklevel=4)


def carried_fields(thing):
    """The optional fields that a problem has, and those of a result that say something."""
    if isinstance(thing, BaseResult):
        return [f.name for f in fields(thing) if is_saved(f) and has_value(f, thing)]
    if isinstance(thing, Problem):
        own = [name for name, usual in MEANING.items() if getattr(thing, name) != usual]
        return own + [name for name in DESCRIPTION if getattr(thing, name) is not None]
    own = ["sense"] if thing.sense != "min" else []
    own += [name for name in OF_MANY if getattr(thing, name) is not None]
    pairs = [pair for pair in thing.pairs.values() if pair is not None]
    own += ["offset"] if any(pair.offset for pair in pairs) else []
    return own + [
        name for name in DESCRIPTION if any(getattr(pair, name) is not None for pair in pairs)
    ]


def has_value(field, result):
    """Whether a field of a result says something."""
    value = getattr(result, field.name)
    if isinstance(value, np.ndarray):
        return is_required(field) or value.size > 0
    return is_required(field) or value not in (None, {}, field.default)


def is_needed(thing, name):
    """Whether a file without the field would hold another problem, or no answer."""
    if isinstance(thing, BaseResult):
        return any(f.name == name and is_required(f) for f in fields(thing))
    return name in MEANING


def has_other_names(thing, field):
    """Return whether some node has a name that is not a text, number, None or tuple of them."""
    pairs = thing.pairs.values() if isinstance(thing, MultiProblem) else [thing]
    known = [getattr(pair, field, None) or () for pair in pairs]
    return not all(has_plain_name(name) for names in known for name in names)
