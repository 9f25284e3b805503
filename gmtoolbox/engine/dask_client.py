"""A client of a Dask cluster, for everything that sends work there."""

from contextlib import contextmanager

from gmtoolbox.core.errors import InputError

CONNECT = 30.0  # seconds until the scheduler must answer


@contextmanager
def connect(cluster):
    """Yield the Client of a cluster, given by the address of its scheduler, a Client, or a Cluster
    of dask.distributed; a Client that was made here is closed again.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(f"a cluster needs Dask: pip install distributed ({error})") from error

    if isinstance(cluster, Client):
        yield cluster
        return
    try:
        client = Client(cluster, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{cluster}: no Dask scheduler answers there: {error}") from error
    try:
        yield client
    finally:
        client.close()
