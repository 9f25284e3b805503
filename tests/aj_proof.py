"""Problems as the exact method sees them, for the tests of its parts."""

from c_internals import Indexed


class Proof(Indexed):
    """The whole problem with scratch for its evaluation."""

    def __init__(self, problem, *names):
        super().__init__(problem, "aj/search/proposals.h", "aj/scratch.h", *names)
        ffi, lib = self.ffi, self.lib
        self.P = ffi.gc(lib.aj_problem_new(self.index, 1.0), lib.aj_problem_free)
        self.scratch = ffi.gc(
            ffi.new("aj_scratch *", {"n_nodes": self.index.n1}), lib.aj_scratch_clear
        )
        assert lib.aj_scratch_fit(self.scratch, self.P) == 0
        lib.aj_scratch_keep_all(self.scratch, self.P)

    def masks(self):
        """The masks of candidates and of entries that may stay, as bytes."""
        return (
            bytes(self.ffi.buffer(self.scratch.candidates, self.P.n)),
            bytes(self.ffi.buffer(self.scratch.entries, self.P.m)),
        )

    def first_of(self, node):
        """The first candidate of a node."""
        return self.P.node_start[node]
