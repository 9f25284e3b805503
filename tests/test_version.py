"""One version, told everywhere the same."""

from importlib import metadata

import gmtoolbox as gm


def test_installed_and_imported_agree():
    assert metadata.version("gmtoolbox") == gm.__version__
    assert all(part.isdigit() for part in gm.__version__.split(".")[:2])
