"""How good a matching is if the truth is known."""

import math
import warnings
from dataclasses import dataclass, field

from gmtoolbox.core.alignment import edge_measures, rank_measures
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.text import rate_text, show
from gmtoolbox.core.tracks import links
from gmtoolbox.core.values import as_array, as_list, as_numbers, check_flag

VERDICTS = ("correct", "wrong", "missed", "spurious", "unmatched", "unknown")


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Rates of gm.evaluate; nan if nothing can be counted.

    Attributes
    ----------
    recall : float
        Nodes matched correctly among those that have a partner: the study's accuracy.
    precision : float
        Correct matches among all matches that can be judged.
    f1 : float
        Harmonic mean of the two.
    edge_correctness : float
        Left edges whose two ends are matched to the ends of a right edge, among all left edges.
    ics : float
        Induced conserved structure: the same common edges among the right edges between matched
        nodes.
    s3 : float
        Symmetric substructure score: common edges among those that at least one side has between
        matched nodes (of the left side: all).
    lccc : float
        Share of the left nodes in the largest common connected component.
    mrr : float
        Mean reciprocal rank of the true labels by the scores.
    hits : dict
        {k: share of nodes whose true label is among the k highest scores} for k = 1, 5, 10; empty
        without scores.
    nodes : numpy.ndarray
        Structured array with a row for each left node: node, label, truth (-1 = none) and verdict
        (correct, wrong, missed, spurious, unmatched, unknown). pandas.DataFrame takes it.
    """

    recall: float
    precision: float
    f1: float
    edge_correctness: float
    nodes: object
    ics: float = math.nan
    s3: float = math.nan
    lccc: float = math.nan
    mrr: float = math.nan
    hits: dict = field(default_factory=dict)

    def rates(self):
        """{name: rate}, nan if nothing can be counted."""
        rates = {name: getattr(self, name) for name in RATES}
        return {**rates, **{f"hits@{k}": share for k, share in self.hits.items()}}

    def counts(self):
        """{verdict: number of nodes}."""
        return {kind: int(np.sum(self.nodes["verdict"] == kind)) for kind in VERDICTS}

    def to_dict(self):
        """The rates and the counts, as plain numbers."""
        return {**self.rates(), **self.counts()}

    def __repr__(self):
        rates = ", ".join(
            f"{name.replace('_', ' ')} {rate_text(rate)}"
            for name, rate in self.rates().items()
            if not math.isnan(rate)
        )
        return f"<Evaluation {rates or 'nothing to count'}>"


RATES = ("recall", "precision", "f1", "edge_correctness", "ics", "s3", "lccc", "mrr")


def accuracy(labels, ground_truth):
    """Return the share of correctly labelled nodes among those with a known label; nan if none has.

    Parameters
    ----------
    labels : sequence of int, Result or MultiResult
        Label of each left node, -1 = unmatched.
    ground_truth : sequence, or a Problem that has it
        For each left node its right label, a collection of labels that all count as correct, or -1,
        None or an empty collection if nothing is known.

    Returns
    -------
    float

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.accuracy([0, 2, 1], [0, (1, 2), -1])
    1.0
    """
    if hasattr(labels, "tracks"):
        labels, ground_truth = links(labels, ground_truth)
    labels = getattr(labels, "labels", labels)  # of a Result
    if hasattr(ground_truth, "ground_truth"):
        ground_truth = ground_truth.ground_truth
        if ground_truth is None:
            raise InputError("the problem has no ground_truth")
    labels, ground_truth = (
        given if getattr(given, "ndim", 0) else as_list(name, given)
        for name, given in (("labels", labels), ("ground_truth", ground_truth))
    )
    if len(labels) != len(ground_truth):
        raise InputError(
            f"labels and ground_truth must have one length, got {len(labels)} and"
            f" {len(ground_truth)}"
        )
    labels = as_numbers("labels", labels, np.int64).tolist()
    right = map(right_labels, ground_truth)
    hits = [label in accepted for label, accepted in zip(labels, right, strict=True) if accepted]
    return sum(hits) / len(hits) if hits else float("nan")


def right_labels(truth):
    """Return the labels that are correct for a node, empty if nothing is known; see accuracy."""
    if truth is None:
        return ()
    if isinstance(truth, (set, frozenset)):
        truth = list(truth)
    accepted = np.ravel(as_numbers("ground_truth", truth, np.int64)).tolist()
    return tuple(label for label in accepted if label >= 0)


def evaluate(answer, truth, *, problem=None, outliers=True, scores=None):
    """Compute recall, precision and F1 of a matching, its common edges, and ranks by scores.

    Parameters
    ----------
    answer : Result, MultiResult, labels, X or dict
        A Result; a MultiResult, whose matches between every two graphs count; (n1,) 0-based labels,
        -1 = unmatched; an (n1, n2) 0/1 matrix; or a dict {left: right} of indices or of node names.
    truth : Problem, or any of the above
        Of a MultiResult the true track of each node (d int arrays, -1 = none), or a MultiProblem
        that has it. A Problem brings its ground_truth, and its neighbours for the measures of
        common edges; if it has two graphs, the ground_truth may be missing. A list may hold for a
        node a collection of labels that all count as correct.
    problem : Problem, optional
        Source of the neighbours and node names, if truth is not a Problem.
    outliers : bool
        True: a node without a truth has no partner, and matching it is wrong ("spurious").
        False: its partner is not known, and it is not counted.
    scores : (n1, n2) array or sparse matrix, optional
        How similar each pair is, for MRR and Hits@k. Default: the scores of the Result, if it has
        them.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputError
        If the sizes do not fit, or the labels are out of range or look 1-based. If labels of the
        truth fit both ways and agree better with 1 subtracted, a warning says so.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> gm.evaluate([0, 2, 1, -1], [0, 1, 2, 3])
    <Evaluation recall 0.250, precision 0.333, f1 0.286>
    """
    outliers = check_flag("outliers", outliers)
    if hasattr(answer, "tracks"):
        if problem is not None or scores is not None:
            raise InputError("problem and scores go with a matching of two graphs")
        answer, truth = links(answer, truth)
    if hasattr(truth, "ground_truth"):
        problem = truth if problem is None else problem
        truth = truth.ground_truth
        if truth is None:
            if problem.neighbours1 is None or problem.neighbours2 is None:
                raise InputError("the problem has no ground_truth")
            truth, outliers = np.full(problem.shape[0], -1), False
    shape, names = sizes(answer, truth, problem)
    labels = [only(accepted) for accepted in collections("answer", answer, shape, names)]
    right = collections("truth", truth, shape, names)
    if len(labels) != len(right):
        raise InputError(
            f"answer and truth must have one length, got {len(labels)} and {len(right)}"
        )
    warn_of_one_based(labels, right)
    verdicts = [verdict(s, accepted, outliers) for s, accepted in zip(labels, right, strict=True)]
    count = {kind: verdicts.count(kind) for kind in VERDICTS}
    recall = ratio(count["correct"], count["correct"] + count["wrong"] + count["missed"])
    precision = ratio(count["correct"], count["correct"] + count["wrong"] + count["spurious"])
    n_known = 2 * count["correct"] + 2 * count["wrong"] + count["missed"] + count["spurious"]
    nodes = np.empty(
        len(labels), [("node", "i4"), ("label", "i4"), ("truth", "i4"), ("verdict", "U9")]
    )
    nodes["node"], nodes["label"] = np.arange(len(labels)), labels
    nodes["truth"], nodes["verdict"] = [first(accepted) for accepted in right], verdicts
    f1 = ratio(2 * count["correct"], n_known)
    edges = (getattr(problem, name, None) for name in ("neighbours1", "neighbours2"))
    measures = {"edge_correctness": math.nan, **edge_measures(labels, *edges)}
    scores = getattr(answer, "scores", None) if scores is None else scores
    if scores is not None:
        measures.update(rank_measures(scores, right))
    return Evaluation(recall, precision, f1, nodes=nodes, **measures)


def warn_of_one_based(labels, right):
    """Warn of a truth without label 0 that would agree better with 1 subtracted."""
    known = [(s, accepted) for s, accepted in zip(labels, right, strict=True) if accepted]
    if any(0 in accepted for _, accepted in known):
        return
    as_given = sum(s in accepted for s, accepted in known)
    shifted = sum(s + 1 in accepted for s, accepted in known if s >= 0)
    if shifted > max(as_given, len(known) // 2):
        warnings.warn(
            f"truth looks 1-based: no label in it is 0, and with 1 subtracted {shifted} instead of"
            f" {as_given} of {len(known)} nodes are correct; subtract 1 if so",
            stacklevel=3,
        )


def verdict(label, accepted, outliers):
    """Return one of VERDICTS for a node: its label compared with the correct ones."""
    if label in accepted:
        return "correct"
    if accepted:
        return "wrong" if label >= 0 else "missed"
    if label < 0:
        return "unmatched"
    return "spurious" if outliers else "unknown"


def ratio(part, whole):
    """part / whole, nan of nothing."""
    return part / whole if whole else float("nan")


def first(accepted):
    """The first of several labels, -1 for none."""
    return accepted[0] if accepted else -1


def only(accepted):
    """The label of a node of an answer, -1 for none; several are refused."""
    if len(accepted) > 1:
        raise InputError(f"answer must hold one label for a node, got {show(accepted)}")
    return first(accepted)


# ---- whatever people have -> for each left node a tuple of labels


def sizes(answer, truth, problem):
    """Return ((n1, n2), (nodes1, nodes2)), None if neither problem nor answer has them."""
    for source in (problem, answer, truth):
        if isinstance(getattr(source, "shape", None), tuple) and hasattr(source, "sense"):
            return source.shape, (getattr(source, "nodes1", None), getattr(source, "nodes2", None))
    for source in (answer, truth):
        if getattr(source, "ndim", 0) == 2:
            return source.shape, (None, None)
    check_form("answer", answer)
    check_form("truth", truth)
    lengths = [len(source) for source in (answer, truth) if not isinstance(source, dict)]
    return (lengths[0] if lengths else None, None), (None, None)


def check_form(name, given):
    """That a matching is given in one of the forms that evaluate takes."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__len__"):
        kinds = "a Result, labels, a matrix or a dict"
        raise InputError(f"{name} must be {kinds}, got {show(given)}")


def collections(name, given, shape, names):
    """A list with a tuple of labels for each left node; empty: none or not known."""
    given = getattr(given, "labels", given)
    check_form(name, given)
    if isinstance(given, dict):
        accepted = of_dict(name, given, shape, names)
    else:
        given = given.toarray() if hasattr(given, "toarray") else given
        if getattr(given, "ndim", 0) == 2 or is_nested_matrix(given, shape):
            accepted = of_matrix(name, as_array(name, given), shape)
        else:
            given = as_array(name, given) if hasattr(given, "dtype") else given
            accepted = [of_entry(name, entry) for entry in given]
    check_range(name, accepted, shape)
    return accepted


def is_nested_matrix(given, shape):
    """Whether a plain list is an (n1, n2) matrix of zeros and ones, not a list of collections."""
    n1, n2 = shape
    return (
        n2 is not None
        and len(given) == n1
        and all(isinstance(row, (list, tuple)) and len(row) == n2 for row in given)
        and all(entry in (0, 1) for row in given for entry in row)
    )


def of_matrix(name, X, shape):
    """A tuple of labels for each row of a 0/1 matrix."""
    if X.dtype.kind not in "biuf" or not np.all((X == 0) | (X == 1)):
        raise InputError(f"{name} must be a matrix of 0 and 1: round scores to a matching before")
    if None not in shape and X.shape != tuple(shape):
        raise InputError(f"{name} must have shape (n1, n2) = {tuple(shape)}, got {X.shape}")
    return [tuple(np.flatnonzero(row).tolist()) for row in X]


def of_entry(name, entry):
    """A tuple of labels from one entry of a list; empty: none or not known."""
    if entry is None:
        return ()
    if isinstance(entry, (set, frozenset, list, tuple, np.ndarray)):
        return of_several(name, entry)
    if entry != entry:  # NaN, as pandas has it
        return ()
    if not isinstance(entry, (int, float, np.number)) or entry % 1 or not -1 <= entry < 2**31:
        raise InputError(f"{name} must hold 0-based labels, -1 where there is none, got {entry!r}")
    return (int(entry),) if entry >= 0 else ()


def of_several(name, entry):
    """A tuple of the different labels of one node."""
    labels = [label for part in entry for label in of_entry(name, part)]
    if len(labels) != len(entry) or len(set(labels)) != len(labels):
        raise InputError(
            f"{name} must hold different labels for a node, got {show(entry)}; a matrix of 0 and 1"
            " must be an array"
        )
    return tuple(labels)


def of_dict(name, given, shape, names):
    """Return a tuple of labels for each left node of {left: right}, by name if nodes have names."""
    index = [
        None if known is None else {node: k for k, node in enumerate(known)} for known in names
    ]
    n1 = shape[0] if shape[0] is not None else 1 + max(given, default=-1)
    accepted = [() for _ in range(n1)]
    for left, right in given.items():
        left = position(name, left, index[0], n1)
        if right is not None:
            label = right if index[1] is None else position(name, right, index[1], shape[1])
            accepted[left] = of_entry(name, label)
    return accepted


def position(name, node, index, n):
    """Return the index of a node given by its name, or by its index if nodes have no names."""
    found = node if index is None else index.get(node)
    if found is None or not hasattr(found, "__index__") or not 0 <= found < (n or found + 1):
        raise InputError(f"{name} has the node {node!r}, which the problem has not")
    return int(found)


def check_range(name, accepted, shape):
    """Raise InputError for labels beyond n2; a truth 1 .. n2 without a 0 is 1-based."""
    n1, n2 = shape
    used = {label for labels in accepted for label in labels}
    limit = n2 if n2 is not None else n1
    if not used or limit is None:
        return
    if n2 is not None and max(used) >= n2 or n2 is None and used == set(range(1, limit + 1)):
        hint = "; it looks 1-based: subtract 1" if max(used) == limit else ""
        raise InputError(f"{name} must hold labels in 0..{limit - 1}, got {max(used)}{hint}")
