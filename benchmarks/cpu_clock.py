"""Time limits in CPU seconds of this process instead of wall seconds: for benchmarks on machines
that others use, too. Run with OMP_NUM_THREADS=1.
"""

import math
import time

from gmtoolbox.engine.progress import Budget


def use(reached=None):
    """Every Budget made from now on measures CPU time; stamps of improvements in C do not.
    reached(cost) returns whether a run may end, since its cost is as good as the target.
    """
    make, note = Budget.__init__, Budget.record

    def begin(self, *given, **named):
        make(self, *given, **named)
        self._cpu_started = time.process_time()

    def record(self, cost=None, **rest):
        note(self, cost=cost, **rest)
        if reached is not None and cost is not None and reached(cost):
            self._cpu_started = -math.inf  # the time is over

    Budget.__init__, Budget.record = begin, record
    Budget.elapsed = lambda self: time.process_time() - self._cpu_started
