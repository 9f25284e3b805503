"""Check a proof by branch and bound: exact, without the solver, one subproblem after the other.

This file imports nothing of gmtoolbox but `checker`, whose theorem bounds the leaves. A tree is a
sequence of objects in preorder. {"branch": i} divides a subproblem: every matching takes one of the
candidates of node i, so the subproblems that follow, one for each of them in their order, hold all
of its matchings. Candidates whose label is taken by an earlier decision are not among them.
{"leaf": {...}} has the duals of a bound on the subproblem. A bound on every leaf is one on all
matchings. Only the path from the root to the present subproblem is in memory, with the children
that wait along it.
"""

import math
from fractions import Fraction

from gmtoolbox.proofs.checker import Model, Refused, evaluate, read_stage


def prove_tree(given, nodes):
    """Return a number that every matching costs at least, without the offset; given: see check."""
    model, nodes = Model(given), enumerate(nodes)
    bound = least_of_tree(model, nodes)
    if (extra := next(nodes, None)) is not None:
        raise Refused(f"the tree has ended before its object {extra[0]}")
    if bound == math.inf:
        raise Refused("the problem has no complete matching")
    if model.divisor == 0:
        return Fraction(0)  # all costs are 0
    return Fraction(bound, 2**model.g)


def least_of_tree(model, nodes):
    """Return a bound in grains on all matchings, +inf if there are none; takes the objects of the
    tree from nodes.
    """
    bound, waiting = math.inf, [({}, {})]  # decisions of a subproblem: its parent's, its own one
    while waiting:
        parents, own = waiting.pop()
        decided = {**parents, **own}  # {node: candidate}
        number, found = next(nodes, (None, None))
        if number is None:
            raise Refused("the tree ends before all of its subproblems are bounded")
        if not isinstance(found, dict) or len(found) != 1 or not found.keys() <= {"branch", "leaf"}:
            raise Refused(f"object {number} of the tree must have one field, 'branch' or 'leaf'")
        remaining = remaining_candidates(model, decided)
        if "leaf" in found:
            bound = min(bound, bound_leaf(model, remaining, found["leaf"], f"leaf {number}"))
            continue
        i = found["branch"]
        if type(i) is not int or not 0 <= i < model.n1 or i in decided:
            wanted = f"object {number} of the tree must branch on a node that is open"
            raise Refused(f"{wanted}, got {i!r}")
        children = [p for p in remaining if model.node[p] == i]
        waiting += [(decided, {i: p}) for p in reversed(children)]
    return bound


def remaining_candidates(model, decided):
    """Return the candidates that agree with the decisions, in ascending order."""
    chosen, taken = set(decided.values()), {model.label[p] for p in decided.values()}
    return [
        p
        for p in range(model.n)
        if p in chosen or (model.node[p] not in decided and model.label[p] not in taken)
    ]


def bound_leaf(model, remaining, duals, name):
    """Return the bound of a leaf: the duals are hints, any numbers give a valid one."""
    stage = read_stage(duals, name, model)
    model.is_alive = [False] * model.n
    for p in remaining:
        model.is_alive[p] = True
    if not model.propagate(model.has_star):
        return math.inf  # no matching
    bound = evaluate(model, stage)[0]
    return -(-bound // model.divisor) * model.divisor if model.divisor else bound
