"""Problems from tables: candidate pairs of records with a score, as record linkage has them."""

from gmtoolbox.core.checks import DESCRIBING, check_rest
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.problem import Problem
from gmtoolbox.core.values import check_finite_scalar


def from_table(
    table,
    left="left",
    right="right",
    score="score",
    *,
    relations1=None,
    relations2=None,
    relation=1.0,
    threshold=0.0,
    sense="max",
    complete=False,
    **rest,
):
    """Build a problem from a table of candidate pairs with scores, and relations of the records.

        maximise  sum (score - threshold) x  +  relation * (relations that both matched ends keep)

    Parameters
    ----------
    table : pandas.DataFrame, or a dict of columns
        A row for each candidate pair.
    left, right, score : str
        Names of the columns. Records may be anything hashable; each keeps its name in the answer's
        `mapping`.
    relations1, relations2 : lists of pairs, optional
        Records of one side that belong together (households, citations, neighbours): pairs (a, b)
        or triples (a, b, weight). A DataFrame of two or three columns will do. Both sides need
        them; repeated ones add up, and those of records without a candidate cannot be kept.
    relation : float
        The value of a relation on the left that is mapped to one on the right.
    threshold : float
        Score above which a pair is worth matching; below it costs.
    sense : "max" or "min"
        "min" if the column holds costs.
    complete : bool
        Every record of the smaller side must be matched.
    **rest
        Further fields of the Problem.

    Returns
    -------
    Problem

    Raises
    ------
    InputError
        If a column is missing, a pair repeats, or a score is not a finite number.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> names = ["Ann", "Ann", "Bob"], ["A.", "B.", "B."]
    >>> table = {"a": names[0], "b": names[1], "sim": [0.9, 0.4, 0.8]}
    >>> gm.gm_solve(gm.models.from_table(table, "a", "b", "sim")).mapping
    {'Ann': 'A.', 'Bob': 'B.'}
    """
    check_rest(from_table, rest, *DESCRIBING, "points1", "points2")
    columns = [column_of(table, name) for name in (left, right, score)]
    if not len(columns[0]):
        raise InputError("the table has no rows")
    nodes1, i = number_records(columns[0], left)
    nodes2, s = number_records(columns[1], right)
    try:
        scores = np.asarray(columns[2], dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"column {score!r} must hold numbers: {error}") from error
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        raise InputError(
            f"column {score!r} must be finite, got {scores[bad[0]]} in row {bad[0]} (0-based)"
        )
    check_repeated(i, s, nodes1, nodes2)
    if sense not in ("min", "max"):
        raise InputError(f"sense must be 'min' or 'max', got {sense!r}")
    if (relations1 is None) != (relations2 is None):
        raise InputError("relations1 and relations2 go together: give both or none")
    if relations1 is None and check_finite_scalar("relation", relation) != 1.0:
        raise InputError("relation goes with relations1 and relations2")
    threshold = check_finite_scalar("threshold", threshold)
    cost = threshold - scores if sense == "max" else scores - threshold
    graphs = [
        relate(name, pairs, nodes)
        for name, pairs, nodes in (
            ("relations1", relations1, nodes1),
            ("relations2", relations2, nodes2),
        )
    ]
    a, b, value = keep_relations(i, s, *graphs)
    return Problem(
        (len(nodes1), len(nodes2)), i, s, cost, a, b, -relation * value,
        sense=sense, complete=complete, nodes1=nodes1, nodes2=nodes2,
        neighbours1=graph_pairs(graphs[0]), neighbours2=graph_pairs(graphs[1]), **rest,
    )  # fmt: skip


def column_of(table, name):
    """The column of that name as a list."""
    try:
        column = table[name]
    except (KeyError, TypeError, IndexError) as error:
        known = ", ".join(
            map(repr, getattr(table, "keys", list)())  # a DataFrame has keys, too
        )
        raise InputError(f"the table has no column {name!r}; it has {known}") from error
    return column.tolist() if hasattr(column, "tolist") else list(column)


def number_records(column, name):
    """(records in the order of their first row, number of each row's record)."""
    index = {}
    for row, record in enumerate(column):
        if record is None or record != record:
            raise InputError(f"column {name!r} has no record in row {row} (0-based)")
        index.setdefault(record, len(index))
    return tuple(index), np.array([index[record] for record in column], dtype=np.int64)


def check_repeated(i, s, nodes1, nodes2):
    """InputError if a pair is given twice."""
    key, first = np.unique(i * len(nodes2) + s, return_index=True)
    if len(key) < len(i):
        row = np.setdiff1d(np.arange(len(i)), first)[0]
        raise InputError(
            f"the pair ({nodes1[i[row]]!r}, {nodes2[s[row]]!r}) is given twice, again in row {row}"
        )


def relate(name, pairs, nodes):
    """{(i, j): weight} with i < j, of relations between records."""
    if pairs is None:
        return {}
    pairs = pairs.itertuples(index=False) if hasattr(pairs, "itertuples") else pairs
    index = {record: k for k, record in enumerate(nodes)}
    found, pairs = {}, list(pairs)
    for pair in pairs:
        if len(pair) not in (2, 3):
            raise InputError(f"{name} must hold pairs or (a, b, weight), got {tuple(pair)!r}")
        i, j = (index.get(record) for record in tuple(pair)[:2])
        if i is None or j is None or i == j:
            continue  # a record without candidates cannot be matched
        weight = float(pair[2]) if len(pair) == 3 else 1.0
        found[min(i, j), max(i, j)] = found.get((min(i, j), max(i, j)), 0.0) + weight
    if pairs and not found:
        first, second = tuple(pairs[0])[:2]
        raise InputError(
            f"{name} joins no two records of the table; its first pair is ({first!r}, {second!r})"
        )
    return found


def graph_pairs(relations):
    """(m, 2) pairs of related records, or None."""
    return np.array(sorted(relations), dtype=np.int64).reshape(-1, 2) if relations else None


def keep_relations(left, right, relations1, relations2):
    """(a, b, weight) of all pairs of candidates that keep a relation."""
    candidates = {}
    for k, i in enumerate(left.tolist()):
        candidates.setdefault(i, []).append(k)
    a, b, value = [], [], []
    for (i, j), weight in relations1.items():
        for p in candidates[i]:
            for q in candidates[j]:
                s, t = int(right[p]), int(right[q])
                other = relations2.get((min(s, t), max(s, t)))
                if other is not None:
                    a.append(p)
                    b.append(q)
                    value.append(weight * other)
    return np.array(a, dtype=np.int64), np.array(b, dtype=np.int64), np.array(value, dtype=float)
