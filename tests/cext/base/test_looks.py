"""The longest time between two looks is measured in a build of its own, not in the product."""

import pytest
from c_internals import internals


def test_the_product_does_not_measure():
    _, lib = internals("base/looks.h")
    with pytest.raises(AttributeError):
        lib.gm_looks_begin()
