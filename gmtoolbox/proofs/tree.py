"""Write the proof of a whole search, as `tree_checker` reads it: the duals of every subproblem.

The tree is made for the proof, and does not depend on how the value was proven. A subproblem is a
leaf if the checker derives the value from its duals, which are those of the linear bound, or of the
semidefinite one if that is not enough. Any other one branches, with its best duals, and a child
that they bound by the value needs none of its own. Numbers of duals are hints, so they are written
with few digits if the checker is content with them.
"""

import json
import math
from functools import cache

from gmtoolbox.core.errors import InfeasibleError, InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.engine.pipeline import solve_matching
from gmtoolbox.engine.progress import Budget
from gmtoolbox.engine.registry import gm_methods
from gmtoolbox.io.files import replace_file
from gmtoolbox.proofs import tree_checker
from gmtoolbox.proofs.checker import Model, matched_candidates
from gmtoolbox.proofs.verify import as_given

STEPS = 3000  # iterations of the method, for each bound of a subproblem
BOUNDS = ("off", "at once")  # the option `sdp`, in the order of trials
DIGITS = (8, 17)  # of the numbers, in the order of trials
RATE = 3.0  # a child is expected to have exp(-RATE * rise of its bound / gap) subproblems
OF_CANDIDATES = ("a", "b", "star", "variable")  # fields that hold numbers of candidates


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
    """The subproblems of a proof, written in preorder. Candidates have the numbers of `checker`."""

    def __init__(self, problem, result, file):
        self.problem, self.file, self.n_leaves = problem.materialise(), file, 0
        given = as_given(self.problem)
        self.model = Model(given)
        left, right = self.problem.left.tolist(), self.problem.right.tolist()
        n1, n2 = problem.shape
        self.pairs = sorted(zip(left, right, strict=True), key=lambda x: x[::-1] if n1 <= n2 else x)
        self.cutoff = problem.total_cost(result.labels) - problem.tolerance
        cost = sum_in_grains(self.model, given, result.labels.tolist())
        self.goal = cost - self.model.grains(problem.tolerance)  # of the bound of a leaf

    def write(self, fields):
        """Write an object on a line."""
        self.file.write(json.dumps(fields, allow_nan=False) + "\n")

    def write_subtree(self, decided):
        """Write the subproblem with the decided {node: candidate}, and those below it."""
        remaining = tree_checker.remaining_candidates(self.model, decided)
        duals, bound = self.find_duals(remaining)
        if bound >= self.goal or len(decided) == self.model.n1:
            self.n_leaves += 1
            self.write({"leaf": duals})
            return
        i, children = self.choose_node(remaining, duals, decided)
        self.write({"branch": i, "duals": duals})
        for p, lower in children.items():
            if lower >= self.goal:
                self.write({"above": True})
            else:
                self.write_subtree({**decided, i: p})

    def choose_node(self, remaining, duals, decided):
        """Return the open node whose children are expected to take the least work, and the bounds
        {candidate: bound} of its children.
        """
        slacks = tree_checker.find_slacks(self.model, remaining, duals, "branch")
        gap = self.goal - tree_checker.round_up(self.model, slacks[0])
        found = {}
        for p in remaining:
            if self.model.node[p] not in decided:
                lower = tree_checker.bound_child(self.model, slacks, p)
                found.setdefault(self.model.node[p], {})[p] = lower

        def work(children):
            open_ones = [x for x in children.values() if x < self.goal]
            return sum(math.exp(-RATE * (1 - (self.goal - x) / gap)) for x in open_ones)

        i = min(found, key=lambda i: work(found[i]))
        return i, found[i]

    def find_duals(self, remaining):
        """Return (duals, bound) of the matchings of the remaining candidates; +inf: none."""
        kept, best = set(remaining), ({}, -math.inf)
        gone = [pair for p, pair in enumerate(self.pairs) if p not in kept]
        problem = self.problem.forbid(gone).problem
        for sdp in BOUNDS:
            try:
                duals, is_enough = self.solve(problem, sdp)
            except InfeasibleError:
                return {}, math.inf
            for digits in DIGITS if is_enough else DIGITS[:1]:
                written = write_out(duals, digits, remaining)
                bound = tree_checker.bound_leaf(self.model, remaining, written, "leaf")
                best = max(best, (written, bound), key=lambda x: x[1])
                if bound >= self.goal:
                    return best
        return best

    def solve(self, problem, sdp):
        """Return the duals of the root bound of a subproblem, and whether it reaches the value."""
        options = {"certify": True, "branch": False, "fix": False, "maxiter": STEPS}
        options.update(sdp=sdp, cutoff=self.cutoff)
        with Budget() as budget:
            answer = solve_matching(budget, problem, certifying_method(), options=options)
        return answer.extra["certificate"], self.problem.signed(answer.bound) >= self.cutoff


def sum_in_grains(model, given, labels):
    """Return the cost of a matching as `checker` counts."""
    taken = set(matched_candidates(given, labels))
    costs = [given.cost[k] for k in taken]
    pairs = zip(given.a, given.b, given.edge_cost, strict=True)
    costs += [x for a, b, x in pairs if a in taken and b in taken]
    return sum(map(model.grains, costs))


def write_out(duals, digits, remaining):
    """Return the duals as lists for the numbers of the whole problem, without empty ones."""
    lists = {}
    for name, array in duals.items():
        if name in ("stages", "cutoff") or not len(array):
            continue
        if name == "Z":
            array = lower_triangle(array)
        found = array.tolist()
        if array.dtype.kind == "f":
            found = [float(f"{x:.{digits}g}") if x else 0 for x in found]
        if name in OF_CANDIDATES:
            found = [remaining[p] if p >= 0 else p for p in found]
        lists[name] = found
    return lists


def lower_triangle(Z):
    """Return a matrix with zeros above the diagonal whose symmetric part is that of Z."""
    n = math.isqrt(len(Z))
    Z = Z.reshape(n, n)
    return np.tril(Z + Z.T, -1).ravel() + np.diag(np.diag(Z)).ravel()
