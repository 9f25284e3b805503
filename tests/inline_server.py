"""A fork server that forks nothing: runs are made in this process, for tests of everything around
them.
"""

from contextlib import contextmanager

import pytest
import repetition

from gmtoolbox.bench.run.fork_server import Ending
from gmtoolbox.bench.run.worker import carry_out


class InlineServer:
    """The interface of ForkServer."""

    def __init__(self, threads=1):
        self.threads = threads

    def run(self, task, wall=None, memory=None):
        """Carry the task out; its Ending."""
        messages = []
        carry_out(task, messages.append)
        return Ending(0, messages)

    def close(self):
        """Nothing to end."""

    def kill(self):
        """Nothing to end."""


@contextmanager
def runs_in_this_process():
    """Make the runs of batches here: a fork server takes half a second to start. With --all they
    have processes of their own.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not repetition.is_whole:
            patch.setattr("gmtoolbox.bench.run.pool.ForkServer", InlineServer)
        yield
