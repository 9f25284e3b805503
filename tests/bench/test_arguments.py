"""Arguments that several commands have in common."""

import argparse

import pytest

from gmtoolbox.bench.arguments import all_seeds, fraction, seeds


def test_seeds_and_parts():
    assert seeds("5") == (5,) and seeds("0-3") == (0, 1, 2, 3)
    assert all_seeds(argparse.Namespace(seed=[(3,), (0, 1)])) == (3, 0, 1)
    assert fraction("2/3") == (2, 3)


@pytest.mark.parametrize("text", ["", "-", "a", "3-1", "1-", "-2", "0-99999999", "1.5"])
def test_no_seeds(text):
    with pytest.raises(argparse.ArgumentTypeError):
        seeds(text)
