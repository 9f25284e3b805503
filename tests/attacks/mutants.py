"""JSON values with one place of them replaced by something that does not belong there."""

JUNK = [
    None, True, -1, 10**400, 1e308, float("nan"), float("inf"), "\ud800", "x", "\x00", "../x", [],
    [[]], {}, [1, "2"], [[1, 2]], [2**40], "x" * 300,
]  # fmt: skip


def mutant(rng, value):
    """A copy of a JSON value with one place of it replaced or gone."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        changed = dict(value)
        if rng.random() < 0.1:
            del changed[key]
        else:
            changed[key] = mutant(rng, value[key])
        return changed
    if isinstance(value, list) and value and rng.random() < 0.8:
        k = rng.randrange(len(value))
        return [*value[:k], mutant(rng, value[k]), *value[k + 1 :]]
    return rng.choice(JUNK)
