"""Check results of this package: problems and records as proofs.checker takes them, and back.

Everything that decides lies in `checker`, which imports nothing of gmtoolbox.
"""

import json
import math
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace

from gmtoolbox.core.errors import FileFormatError, GMError, InputError, VerificationError
from gmtoolbox.io.results import load_result
from gmtoolbox.proofs import checker, tree_checker


@dataclass
class Verification:
    """The value of the labels and the bound of the certificate, computed again.

    Attributes
    ----------
    value : float
        Of the labels: the claimed one, which is true up to the rounding of a sum of doubles.
    bound : float
        That is proven, in the sense of the problem, offset included, rounded to the side on which
        it holds; -inf (minimised) or +inf (maximised) without a certificate.
    claimed_value, claimed_bound : float
        The claims of the result.
    proven : bool
        The certificate alone proves that the value is optimal, up to the gap that counts as closed.
    gap : float
        No matching is better by more than this (rounded up); inf without a certificate.
    """

    value: float
    bound: float
    claimed_value: float
    claimed_bound: float
    proven: bool
    gap: float = math.inf


def verify(problem, labels, value, bound, certificate=None, prove=None):
    """Return the Verification of a result.

    labels must be a matching of allowed pairs, complete if the problem asks for it, with the
    claimed value, and the claimed bound must not lie beyond it. A certificate makes no claim of its
    own: the bound that its numbers prove is returned. prove: see checker.check.

    Raises
    ------
    VerificationError
        If a claim is false.
    InputError
        If the certificate does not fit the problem.
    """
    with translate_errors():
        verdict = checker.check(as_given(problem), labels, value, bound, certificate, prove)
    sign = 1 if problem.sense == "min" else -1  # an integer: a product with a double is rounded
    proven, gap = -sign * math.inf, math.inf
    if verdict.bound is not None:
        proven = sign * round_down(sign * verdict.bound)
        gap = abs(round_down(-verdict.gap))
    return Verification(float(value), proven, value, bound, verdict.is_proven, gap)


@contextmanager
def translate_errors():
    """Raise the checker's complaints as errors of this package."""
    try:
        yield
    except checker.FalseClaim as error:
        raise VerificationError(str(error)) from error
    except checker.Refused as error:
        raise InputError(str(error)) from error


def as_given(problem):
    """Return the problem as the plain lists that the checker takes."""
    lists = {
        name: getattr(problem, name).tolist()
        for name in ("left", "right", "cost", "a", "b", "edge_cost")
    }
    names = ("shape", "complete", "sense", "offset", "tolerance")
    return SimpleNamespace(**lists, **{name: getattr(problem, name) for name in names})


def round_down(x):
    """Return the largest double that is not above x; -inf if there is none."""
    try:
        near = float(x)
    except OverflowError:
        return -math.inf
    return near if near <= x else math.nextafter(near, -math.inf)


def read_result(path):
    """Return the last record with labels of a file that `gmtoolbox solve --json` or Result.save
    wrote; its certificate, if there is one, is at the top.
    """
    try:
        found = last_record(path)
    except FileFormatError as not_json:
        try:
            found = load_result(path).to_dict()
        except GMError:
            raise not_json from None
    try:
        check_record(found)
    except InputError as error:
        raise FileFormatError(path, str(error)) from error
    return found


def last_record(path):
    """Return the last record with labels of a file of JSON texts, one on a line."""
    found = None
    with open(path, "rb") as file:
        for line, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                record = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise FileFormatError(path, f"is not JSON: {error}", line) from error
            if isinstance(record, dict) and "labels" in record:
                found = record
    if found is None:
        raise FileFormatError(
            path, "holds no record with 'labels' (write it with: gmtoolbox solve --json)"
        )
    return found


def check_record(record):
    """Check the fields of a record that `verify` uses; lift a certificate out of `extra`."""
    for name in ("labels", "value", "bound"):
        if name not in record:
            raise InputError(f"the record has no {name!r}")
    with translate_errors():
        checker.numbers("labels", record["labels"], "i")
        checker.numbers("value", [record["value"]])
        checker.numbers("bound", [0 if record["bound"] is None else record["bound"]])
    if record.get("kind", "Result") != "Result":
        raise InputError(f"holds a {record['kind']!r}, verify checks a Result")
    extra = record.get("extra")
    if isinstance(extra, dict) and "certificate" in extra:
        record.setdefault("certificate", extra["certificate"])
    if not isinstance(record.get("certificate", {}), dict):
        raise InputError("certificate must be an object")


def tree_nodes(path):
    """Yield the objects of a proof by a tree (proofs.tree) after its record, one at a time."""
    with open(path, "rb") as file:
        for line, text in enumerate(file, 1):
            try:
                found = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise FileFormatError(path, f"is not JSON: {error}", line) from error
            if line > 1:
                yield found


def verify_record(problem, record, path=None):
    """Return the Verification of a record that read_result gave; it must be of this problem.
    path: the file of a record with a tree.
    """
    for name, wanted in (("sense", problem.sense), ("shape", list(problem.shape))):
        if record.get(name, wanted) != wanted:
            raise VerificationError(
                f"the result has the {name} {record[name]!r}, the problem {wanted!r}"
            )
    bound = problem.signed(-math.inf) if record["bound"] is None else record["bound"]
    claims = record["labels"], record["value"], bound
    if record.get("tree"):
        return verify(problem, *claims, tree_nodes(path), tree_checker.prove_tree)
    return verify(problem, *claims, record.get("certificate"))
