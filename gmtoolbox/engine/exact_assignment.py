"""Linear assignment in integers, for costs whose differences doubles lose.

Doubles are integers times powers of two, so nothing is rounded. The start is an assignment that is
best or nearly so. Moves of rows to other columns lead from column to column; a cycle of moves that
costs less than nothing makes a better assignment, and without one the assignment is optimal (Klein
1967). The labels of Bellman and Ford find such cycles.
"""

from gmtoolbox.core.lazy import np


def improve_exactly(n_columns, rows, columns, entries, chosen):
    """Return the column of each row in a cheapest assignment of all rows.

    Parameters
    ----------
    n_columns : int
        At least as many as there are rows.
    rows, columns, entries : array
        Costs of the allowed pairs, each pair once.
    chosen : array
        Column of each row in an assignment.
    """
    chosen, allowed = chosen.tolist(), [{} for _ in range(len(chosen))]
    for r, c, cost in zip(rows.tolist(), columns.tolist(), as_integers(entries), strict=True):
        allowed[r][c] = cost
    while (cycle := find_cycle(n_columns, allowed, chosen)) is not None:
        for mover, column in cycle:
            chosen[mover] = column
    return np.array(chosen, np.int32)


def as_integers(numbers):
    """Return finite doubles as integers, all multiplied by the same power of two."""
    ratios = [number.as_integer_ratio() for number in numbers.tolist()]
    bits = max(denominator.bit_length() for _, denominator in ratios)
    return [numerator << bits - denominator.bit_length() for numerator, denominator in ratios]


def find_cycle(n_columns, allowed, chosen):
    """Return the moves (row, its new column) of a cycle that costs less than nothing, or None.

    allowed: {column: cost} of each row. A last column stands for all that are free: a chain of
    moves may end there, and leave its first column free.
    """
    free = n_columns
    length, before = [0] * (n_columns + 1), [None] * (n_columns + 1)  # (column, row that moves)
    unused = sorted(set(range(n_columns)).difference(chosen))

    def lower(column, value, origin, mover):
        if value >= length[column]:
            return False
        length[column], before[column] = value, (origin, mover)
        return True

    has_changed = True
    while has_changed:
        has_changed = False
        for r, own in enumerate(chosen):
            base = length[own] - allowed[r][own]
            for c, cost in allowed[r].items():
                has_changed |= c != own and lower(c, base + cost, own, r)
        for c in unused:
            has_changed |= lower(free, length[c], c, None)
        for c in chosen if unused else ():
            has_changed |= lower(c, length[free], free, None)
        if (start := column_on_cycle(before)) is not None:
            return list_moves(before, start)
    return None


def column_on_cycle(before):
    """Return a column that comes before itself, or None."""
    seen = {}
    for first in range(len(before)):
        at = first
        while at not in seen and before[at] is not None:
            seen[at] = first
            at = before[at][0]
        if before[at] is not None and seen[at] == first:
            return at
    return None


def list_moves(before, start):
    """Return (row, its new column) of the moves of a cycle."""
    moves, at = [], start
    while True:
        origin, mover = before[at]
        if mover is not None:
            moves.append((mover, at))
        at = origin
        if at == start:
            return moves
