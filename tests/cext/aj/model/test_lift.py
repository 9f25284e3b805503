"""aj/lift: full tables have every pair of candidates with different labels, and the old costs."""

import numpy as np
from aj_proof import Proof
from small import random_problem


def lifted(proof, tables):
    """The lifted problem, and the old entry of each new one."""
    entry_map = proof.ffi.new("int64_t **")
    P = proof.ffi.gc(
        proof.lib.aj_problem_lift(proof.P, tables, entry_map), proof.lib.aj_problem_free
    )
    return P, list(proof.ffi.unpack(entry_map[0], P.m))


def test_tables_are_full_and_costs_stay():
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 4, 4, edges=0.3, signs="nonpositive")
        proof = Proof(problem)
        old = proof.P
        links = {(old.node[old.a[e]], old.node[old.b[e]]) for e in range(old.m)}
        every = {(i, j) for j in range(old.n_nodes) for i in range(j)}
        for tables, joined in (
            (proof.lib.AJ_POSITIVE, set()),
            (proof.lib.AJ_LINKED, links),
            (proof.lib.AJ_EVERY_PAIR, every),
        ):
            P, entry_map = lifted(proof, tables)
            entries = {(P.a[e], P.b[e]): e for e in range(P.m)}
            wanted = {
                (p, q)
                for q in range(P.n)
                for p in range(q)
                if (P.node[p], P.node[q]) in joined and P.label[p] != P.label[q]
            }
            before = {(old.a[e], old.b[e]) for e in range(old.m)}
            assert set(entries) == wanted | before
            assert P.m <= proof.lib.aj_problem_lifted_entries(old, tables)
            for pair, e in entries.items():
                f = entry_map[e]
                assert P.theta[e] == (0.0 if f < 0 else old.theta[f])
                assert (f >= 0) == (pair in before)
                assert P.equal[e] == ((P.node[pair[0]], P.node[pair[1]]) in joined)
