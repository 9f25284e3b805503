"""Threads for a kernel that offers pieces that may run side by side."""

from concurrent.futures import ThreadPoolExecutor, wait

from gmtoolbox.core._ffi import check


class Crew:
    """n_jobs threads for the pieces that a kernel offers between two of its slices.

    n_pieces(run) and piece(run, k, seconds) are functions of the C module: they release the GIL
    while they run. Every piece has ended when run_pieces() returns, also if it is interrupted,
    since the run may be freed then.
    """

    def __init__(self, n_jobs, n_pieces, piece, budget):
        self.n_jobs, self.n_pieces, self.piece, self.budget = n_jobs, n_pieces, piece, budget
        self.pool = None

    def __enter__(self):
        return self

    def run_pieces(self, run):
        """Do all pieces that the kernel offers now."""
        if self.n_jobs == 1:
            return
        n, seconds = self.n_pieces(run), self.budget.remaining()
        if n == 0 or seconds <= 0:
            return
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.n_jobs, thread_name_prefix="gmtoolbox")
        begun = [self.pool.submit(self.piece, run, k, seconds) for k in range(n)]
        try:
            for piece in begun:
                check(piece.result())
        finally:
            for piece in begun:
                piece.cancel()
            wait(begun)

    def __exit__(self, *error):
        if self.pool is not None:
            self.pool.shutdown()
