"""A loop over cases in one test: an error names the case that it comes from.

A test of its own costs four milliseconds, more than most of these cases.
"""

from contextlib import contextmanager


@contextmanager
def named_case(name):
    """Add the name of the case to an error that is raised in it."""
    try:
        yield
    except Exception as error:
        error.add_note(f"in the case {name!r}")
        raise
