"""Write the proof of a whole search, as `tree_checker` reads it: the duals of every leaf.

The tree is made for the proof: a subproblem whose linear bound reaches the value is a leaf,
any other one branches. It does not depend on how the value was proven.
"""

import json
import math
from functools import cache

from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.engine.pipeline import solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.io.files import replace_file

STEPS = 3000  # of the ascent, at a subproblem that may branch
DUALS = {"certify": True, "branch": False, "fix": False, "sdp": "off"}
OF_CANDIDATES = ("a", "b", "star")  # fields of a certificate that hold numbers of candidates


def write_proof(problem, result, path):
    """Write a file with which `gmtoolbox verify` proves the value of an optimal result; return the
    number of leaves.

    Raises
    ------
    InputError
        If the result is not optimal, or nodes may stay unmatched.
    """
    if result.status != "optimal":
        raise InputError(f"a proof needs an optimal result, this one is {result.status!r}")
    if not problem.complete:
        raise InputError("a proof of a whole search needs a problem with complete=True")
    claims = {"labels": result.labels.tolist(), "value": result.value, "bound": result.bound}
    record = {**claims, "sense": problem.sense, "shape": list(problem.shape), "tree": True}
    with replace_file(path) as draft, open(draft, "w", encoding="utf-8") as file:
        tree = Tree(problem, result, file)
        tree.write(record)
        tree.write_subtree({})
    return tree.n_leaves


@cache
def certifying_method():
    """Return the name of the method that gives certificates."""
    names = [m.name for m in gm_methods() if any(x.name == "certify" for x in m.options)]
    return names[0]


class Tree:
    """The subproblems of a proof, written in preorder.

    Nodes are those of the smaller side; candidates are numbered in the order of (label, node).
    """

    def __init__(self, problem, result, file):
        self.problem, self.file, self.n_leaves = problem.materialise(), file, 0
        self.goal = problem.signed(result.value) - problem.tolerance  # of a leaf's bound, minimised
        left, right = self.problem.left.tolist(), self.problem.right.tolist()
        n1, n2 = problem.shape
        self.side = 0 if n1 <= n2 else 1  # the entry of a pair that is its node
        by_label = lambda pair: (pair[1 - self.side], pair[self.side])
        self.pairs = sorted(zip(left, right, strict=True), key=by_label)
        self.order = self.branching_order(left if n1 <= n2 else right)

    def branching_order(self, node):
        """Return the nodes, those with the largest pair costs first."""
        weight = [0.0] * min(self.problem.shape)
        edges = self.problem.edges.written_out()
        for p, q, cost in zip(edges.a.tolist(), edges.b.tolist(), edges.cost.tolist(), strict=True):
            weight[node[p]] += abs(cost)
            weight[node[q]] += abs(cost)
        return sorted(range(len(weight)), key=lambda i: -weight[i])

    def write(self, fields):
        """Write an object on a line."""
        self.file.write(json.dumps(fields, allow_nan=False) + "\n")

    def write_subtree(self, decided):
        """Write the subproblem with the decided {node: candidate}, and those below it."""
        remaining = self.remaining(decided)
        duals, bound = self.find_duals(remaining)
        if bound >= self.goal or len(decided) == len(self.order):
            self.n_leaves += 1
            self.write({"leaf": duals})
            return
        i = next(i for i in self.order if i not in decided)
        self.write({"branch": i})
        for p in remaining:
            if self.pairs[p][self.side] == i:
                self.write_subtree({**decided, i: p})

    def remaining(self, decided):
        """Return the candidates that agree with the decisions."""
        chosen = set(decided.values())
        taken = {self.pairs[p][1 - self.side] for p in chosen}
        return [
            p
            for p, pair in enumerate(self.pairs)
            if p in chosen or (pair[self.side] not in decided and pair[1 - self.side] not in taken)
        ]

    def find_duals(self, remaining):
        """Return (duals, bound) of the matchings of the remaining candidates; +inf: none."""
        kept = set(remaining)
        gone = [pair for p, pair in enumerate(self.pairs) if p not in kept]
        problem = self.problem.forbid(gone).problem
        try:
            with Budget() as budget:
                options = {**DUALS, "maxiter": STEPS}
                answer = solve_matching(budget, problem, certifying_method(), options=options)
        except InfeasibleError:
            return {}, math.inf
        found = answer.extra["certificate"]
        duals = {name: array.tolist() for name, array in found.items() if len(array)}
        for name in OF_CANDIDATES:
            if name in duals:
                duals[name] = [remaining[p] for p in duals[name]]
        return duals, self.problem.signed(answer.bound)
