"""Maximum flow against scipy's, its trees, and what forcing a node leaves to repair."""

import numpy as np
from c_internals import internals
from scipy import sparse
from scipy.sparse.csgraph import maximum_flow

ffi, lib = internals("moves/maxflow.h")
FREE, SOURCE, SINK = 0, 1, 2


class Flow:
    def __init__(self, terminal, arcs):
        self.pool = ffi.gc(ffi.new("gm_pool *"), lib.gm_pool_free)
        self.flow = ffi.new("gm_maxflow *")
        n = len(terminal)
        lib.gm_maxflow_take(self.flow, self.pool, n, max(len(arcs), 1))
        assert not self.pool.failed
        lib.gm_maxflow_reset(self.flow, n)
        for i, capacity in enumerate(terminal):
            self.flow.terminal[i] = capacity
        self.arcs = [lib.gm_maxflow_arc(self.flow, u, v, c) for u, v, c in arcs]

    def residual_from_terminals(self):
        return np.array([self.flow.terminal[i] for i in range(self.flow.n_nodes)])

    def sides(self):
        return [self.flow.side[i] for i in range(self.flow.n_nodes)]


def graphs():
    rng = np.random.default_rng(0)
    for _ in range(120):
        n = int(rng.integers(1, 9))
        terminal = rng.integers(-9, 10, n)
        pairs = [(u, v) for u in range(n) for v in range(n) if u != v and rng.random() < 0.4]
        yield terminal, [(u, v, float(rng.integers(0, 9))) for u, v in pairs]


def largest_flow(terminal, arcs):
    n = len(terminal)
    C = np.zeros((n + 2, n + 2), dtype=np.int32)
    for u, v, c in arcs:
        C[u, v] += int(c)
    C[n, :n] = np.maximum(terminal, 0)
    C[:n, n + 1] = np.maximum(-terminal, 0)
    return maximum_flow(sparse.csr_array(C), n, n + 1).flow_value


def reached(starts, neighbours):
    seen, todo = set(starts), list(starts)
    while todo:
        for other in neighbours.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def test_the_flow_is_the_largest():
    for terminal, arcs in graphs():
        flow = Flow(terminal.astype(float), arcs)
        lib.gm_maxflow_solve(flow.flow)
        used = np.maximum(terminal, 0).sum() - np.maximum(flow.residual_from_terminals(), 0).sum()
        assert used == largest_flow(terminal, arcs)


def test_the_trees_are_what_the_terminals_reach():
    for terminal, arcs in graphs():
        flow = Flow(terminal.astype(float), arcs)
        lib.gm_maxflow_solve(flow.flow)
        rest = flow.residual_from_terminals()
        ahead = {}
        for k, (u, v, _) in enumerate(arcs):
            arc = flow.arcs[k]
            for start, end, residual in (
                (u, v, flow.flow.residual[arc]),
                (v, u, flow.flow.residual[arc ^ 1]),
            ):
                if residual > 0:
                    ahead.setdefault(start, set()).add(end)

        from_source = reached(np.flatnonzero(rest > 0).tolist(), ahead)
        behind = {v: {u for u in ahead if v in ahead[u]} for v in range(len(terminal))}
        to_sink = reached(np.flatnonzero(rest < 0).tolist(), behind)
        sides = flow.sides()
        assert {i for i, side in enumerate(sides) if side == SOURCE} == from_source
        assert {i for i, side in enumerate(sides) if side == SINK} == to_sink


def test_a_forced_node_changes_sides():
    for terminal, arcs in graphs():
        flow = Flow(terminal.astype(float), arcs)
        lib.gm_maxflow_solve(flow.flow)
        lib.gm_maxflow_force(flow.flow, 0, 1e6)
        lib.gm_maxflow_continue(flow.flow)
        again = Flow(np.concatenate([[terminal[0] + 1e6], terminal[1:]]).astype(float), arcs)
        lib.gm_maxflow_solve(again.flow)
        assert flow.sides() == again.sides() and flow.sides()[0] == SOURCE
