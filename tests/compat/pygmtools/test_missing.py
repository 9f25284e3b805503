"""Hints for names of pygmtools that are not here."""

import pytest

from gmtoolbox.compat import pygmtools


def test_names_that_are_not_here_lead_to_those_that_are():
    with pytest.raises(AttributeError, match="has no 'pca_gm'; there is hungarian, .*migration"):
        pygmtools.pca_gm  # noqa: B018
    with pytest.raises(AttributeError, match="has no 'hungarain' .did you mean 'hungarian'"):
        pygmtools.hungarain  # noqa: B018
    with pytest.raises(AttributeError, match="utils has no 'from_networkx'; there is build_aff"):
        pygmtools.utils.from_networkx  # noqa: B018
