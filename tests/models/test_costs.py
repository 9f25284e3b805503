"""Problems of plain cost matrices; tests/test_assignment.py compares their optima."""

import numpy as np

import gmtoolbox as gm


def test_names_price_and_sense():
    p = gm.models.from_costs([[4.0, np.inf], [2.0, 0.0]], unmatched=3.0)
    assert (p.n_candidates, p.complete, p.offset, p.sense) == (3, False, 6.0, "min")
    assert p.energy([0, -1]) == 7.0 and p.energy([-1, -1]) == 6.0
    assert gm.models.from_costs([[1.0]], maximize=True).energy([0]) == 1.0
