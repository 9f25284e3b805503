"""Which methods suit a problem, from the measurements of benchmarks/bench_choosing.py."""

import json
import math
from functools import cache
from pathlib import Path

from gmtoolbox.core.edges import MAX_EDGES, Listed
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.products import Products
from gmtoolbox.core.text import gap_text, time_text
from gmtoolbox.engine.signal import signal_of

MEASURED = Path(__file__).with_name("measured.json")
SAME = 1e-4  # gaps that differ by less are equal
EQUAL = 1.5  # times within this factor are equal, since machines are shared
FLOOR = 0.01  # seconds; shorter times are equal
LIMIT = 2.5  # CPU seconds of each measurement
BEYOND = 4.0  # factor of candidates or edges from which a problem is larger than the measured ones
SIGNAL = 2.0  # distance, in decades of size, of problems whose signals differ by a factor of e
# distance of problems that differ in a yes or no, in decades of size
APART = {"complete": 3.0, "products": 3.0, "nonpositive": 1.5, "zero_unary": 1.5}


def features(problem):
    """Return the properties of a problem by which problems are compared."""
    n1, n2 = problem.shape
    return {
        "complete": problem.complete,
        "products": isinstance(problem.edges, Products),
        "nonpositive": bool(problem.edges.nonpositive and not np.any(problem.cost > 0)),
        "zero_unary": not np.any(problem.cost),
        "nodes": max(n1, n2),
        "n_candidates": int(problem.n_candidates),
        "n_edges": int(problem.n_edges),
        "signal": None if (signal := signal_of(problem)) is None else round(signal, 3),
    }


def rank_methods(methods, problem):
    """Return the methods that can take a problem, best first, as [(method, note)], and a sentence
    about the problems on which the notes were measured.

    The order is that of the most similar measured problem: value, then proof, then time. The method
    that chooses among the others is listed behind those only that beat it on both of the two most
    similar problems of their family; first, if the problem is larger than all of these.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"problem must be a Problem, got {type(problem).__name__}")
    can = [
        method
        for method in methods
        if isinstance(problem.edges, Listed)
        or problem.n_edges <= MAX_EDGES
        or method.matrix_free
        or method.chooses
    ]
    return rank_for(can, features(problem))


def rank_for(methods, own):
    """Return the methods that can take a problem with the given features, as rank_methods does."""
    records = read_measurements()
    kind = closest(records, own)
    family = [r for r in records if r["family"] == kind["family"]]
    alike = sorted(family, key=lambda record: distance(record, own))[:2]
    is_beyond = any(
        own[size] > BEYOND * max(record[size] for record in family)
        for size in ("n_candidates", "n_edges")
    )
    factor = max(own["n_edges"], 1) / max(kind["n_edges"], 1)
    can = [m for m in methods if kind["methods"].get(m.name, 0) is not None or factor < 1]
    can.sort(key=lambda method: rank(kind["methods"].get(method.name)))
    chooser = next((method for method in can if method.chooses), None)
    if chooser is not None:
        others = [method for method in can if method is not chooser]
        ahead = [m for m in others if not is_beyond and beats_everywhere(m, chooser, alike)]
        can = ahead + [chooser] + [method for method in others if method not in ahead]
    notes = [note_of(kind["methods"].get(method.name), factor) for method in can]
    return list(zip(can, notes, strict=True)), reason(kind, own, is_beyond)


@cache
def read_measurements():
    """Return the records of measured.json."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def distance(record, own):
    """Return how different two problems are: decades of candidates, of edges per candidate and of
    nodes, the ratio of their signals, and the number of APART for each yes or no in which they
    differ.
    """
    apart = sum(weight for name, weight in APART.items() if record[name] != own[name])
    for size in ("n_candidates", "n_edges", "nodes"):
        apart += abs(math.log10(max(record[size], 1) / max(own[size], 1)))
    # how full the list of candidates is, and the list of edges
    fullness = [
        (math.log10(one["n_candidates"] / one["nodes"] ** 2), per_candidate(one))
        for one in (record, own)
        if one["n_candidates"] and one["nodes"]
    ]
    if len(fullness) == 2:
        apart += sum(abs(a - b) for a, b in zip(*fullness, strict=True))
    if record.get("signal") and own.get("signal"):
        apart += SIGNAL * abs(math.log(record["signal"] / own["signal"]))
    return apart


def per_candidate(one):
    """Return the decades of edges per pair of candidates."""
    return math.log10(max(one["n_edges"], 1) / one["n_candidates"] ** 2)


def closest(records, own):
    """Return the measured problem that is most similar to one with the given features."""
    return min(records, key=lambda record: distance(record, own))


def rank(one):
    """Return the sort key of a measurement, best first; methods without one come last."""
    if one is None:
        return (math.inf,)
    return (round(one["gap"] / SAME), not one["proven"], seconds_of(one))


def seconds_of(one):
    """Return the time of a measurement: the limit if it was cut off there, and not less than times
    that can be distinguished.
    """
    return LIMIT if one["cut"] else max(one["seconds"], FLOOR)


def beats(one, other):
    """Whether a measurement is better than another one: a better value, or the same one, with no
    less proof, in clearly less time.
    """
    if one is None or other is None:
        return other is None and one is not None
    if abs(one["gap"] - other["gap"]) > SAME:
        return one["gap"] < other["gap"]
    if one["proven"] != other["proven"]:
        return one["proven"]
    return EQUAL * seconds_of(one) < seconds_of(other)


def beats_everywhere(method, other, records):
    """Whether a method beats another one on all of some measured problems."""
    return all(beats(r["methods"].get(method.name), r["methods"].get(other.name)) for r in records)


def note_of(one, factor):
    """Return a measurement in words; factor: how many times more edges the problem at hand has."""
    if one is None:
        return "not measured"
    gap = gap_text(max(one["gap"], 0.0))
    value = "best value" if gap == "0" else f"{gap} from the best"
    if one["cut"]:
        return f"{value} within {time_text(LIMIT)}"
    about = time_text(one["seconds"] * max(factor, 0.1))
    about = "less than 1 ms" if about.startswith("<") else f"about {about}"
    return f"{value} in {about}" + ", proven" * one["proven"]


def reason(kind, own, is_beyond):
    """Return the sentence above the table."""
    text = f"Measured on the most similar of {len(read_measurements())} problems: {kind['kind']}"
    if kind["n_edges"] != own["n_edges"]:
        text += ", with times scaled to the edges of yours"
    if is_beyond:
        family = [r for r in read_measurements() if r["family"] == kind["family"]]
        largest = max(family, key=lambda record: (record["nodes"], record["n_edges"]))
        text += (
            f". Yours is larger than any measured problem of this family (the largest:"
            f" {largest['kind']}), so the order is a guess"
        )
    return f"{text}."
