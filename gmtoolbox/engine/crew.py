"""Threads for a kernel that offers pieces that may run side by side."""

import math
import threading
from concurrent.futures import ThreadPoolExecutor, wait

from gmtoolbox.core._ffi import check

WHOLE = 1000  # the part of a piece that is left before its first turn


class Crew:
    """n_jobs threads for the pieces that a kernel offers between two of its slices.

    n_pieces(run) and piece(run, k, seconds) are functions of the C module: they release the GIL
    while they run. A piece that is not done after its seconds, `turn` of them, returns the
    thousandths of it that are left. The next turn is that of the piece of which the most is left,
    so that slow pieces end together with fast ones. Every piece has ended when run_pieces()
    returns, also if it is interrupted, since the run may be freed then.
    """

    def __init__(self, n_jobs, n_pieces, piece, budget, turn=math.inf):
        self.n_jobs, self.n_pieces, self.piece, self.budget = n_jobs, n_pieces, piece, budget
        self.turn, self.pool, self.lock = turn, None, threading.Lock()

    def __enter__(self):
        return self

    def run_pieces(self, run):
        """Do all pieces that the kernel offers now."""
        if self.n_jobs == 1:
            return
        n = self.n_pieces(run)
        if n == 0 or self.budget.remaining() <= 0:
            return
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.n_jobs, thread_name_prefix="gmtoolbox")
        left, over, begun = dict.fromkeys(range(n), WHOLE), threading.Event(), []
        try:
            for _ in range(min(n, self.n_jobs)):
                begun.append(self.pool.submit(self.take_turns, run, left, over))
            for thread in begun:
                thread.result()
        finally:
            over.set()
            wait(begun)

    def take_turns(self, run, left, over):
        """Do pieces until none waits, all is over or the time is; left: {piece: part} of those that
        wait.
        """
        while not over.is_set() and (seconds := self.budget.remaining()) > 0:
            with self.lock:
                if not left:
                    return
                k = max(left, key=left.get)
                del left[k]
            more = check(self.piece(run, k, min(self.turn, seconds)))
            if more:
                with self.lock:
                    left[k] = more

    def __exit__(self, *error):
        if self.pool is not None:
            self.pool.shutdown()
