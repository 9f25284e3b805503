"""Return how often tests repeat: the whole number with --all or --slow, else a fifth of it."""

is_whole = False  # set by conftest.py before the tests are collected


def times(n):
    """Return the number of repetitions, examples or seeds."""
    return n if is_whole else -(-n // 5)
