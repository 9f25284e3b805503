"""Time limits in CPU seconds of this process instead of wall seconds: for benchmarks on machines
that others use, too. Run with OMP_NUM_THREADS=1.
"""

import time

from gmtoolbox.engine.budget import Budget


def use():
    """Every Budget made from now on measures CPU time; stamps of improvements in C do not."""

    def elapsed(self):
        if not hasattr(self, "_cpu_started"):
            self._cpu_started = time.process_time()
        return time.process_time() - self._cpu_started

    Budget.elapsed = elapsed
