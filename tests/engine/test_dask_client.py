"""A client of a Dask cluster, or one clear error."""

import pytest
from dask_cluster import AVAILABLE

import gmtoolbox as gm
from gmtoolbox.engine import dask_client


@pytest.mark.skipif(not AVAILABLE, reason="wants dask.distributed")
def test_no_scheduler_is_one_error(monkeypatch):
    monkeypatch.setattr(dask_client, "CONNECT", 0.3)
    with pytest.raises(gm.InputError, match="no Dask scheduler answers there"):
        with dask_client.connect("tcp://127.0.0.1:1"):
            pass


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(gm.InputError, match="pip install"):
        with dask_client.connect("tcp://127.0.0.1:1"):
            pass
