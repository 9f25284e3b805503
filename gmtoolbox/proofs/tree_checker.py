"""Check a proof by branch and bound: exact, without the solver, one subproblem after the other.

This file imports nothing of gmtoolbox but `checker`, whose theorems bound the subproblems. A tree
is a sequence of objects in preorder. {"branch": i} divides a subproblem: every matching takes one
of the candidates of node i, so the subproblems that follow, one for each of them in their order,
hold all of its matchings. Candidates whose label is taken by an earlier decision are not among
them. A branch may have duals, {"branch": i, "duals": {...}}. They bound each of its children: with
l and r as in `checker`, a matching that takes candidate p costs at least

    D + l_p + sum over j of min over partners q at j of (l_q + r_pq + r_qp).

A child {"above": true} has this bound and is not divided. {"leaf": {...}} has the duals of a bound
on the whole subproblem, linear or semidefinite. A bound on every leaf is one on all matchings. Only
the path from the root to the present subproblem is in memory, with the children that wait along it.
"""

import math
from fractions import Fraction

from gmtoolbox.proofs.checker import Model, Refused, evaluate, read_stage

KINDS = ({"branch"}, {"branch", "duals"}, {"leaf"}, {"above"})  # fields of an object


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
    # of a subproblem: the decisions {node: candidate} of its parent, its own one, and the bound by
    # the duals of its parent, None without
    bound, waiting = math.inf, [({}, {}, None)]
    while waiting:
        parents, own, inherited = waiting.pop()
        decided = {**parents, **own}
        number, found = next(nodes, (None, None))
        if number is None:
            raise Refused("the tree ends before all of its subproblems are bounded")
        if not isinstance(found, dict) or found.keys() not in KINDS:
            raise Refused(f"object {number} of the tree must be a branch, a leaf or above")
        if "branch" in found:
            children = divide(model, decided, found, number)
            waiting += [(decided, {i: p}, lower) for i, p, lower in reversed(children)]
            continue
        if "above" in found and (found["above"] is not True or inherited is None):
            raise Refused(f"object {number} of the tree has no duals above it")
        if "leaf" in found:
            remaining = remaining_candidates(model, decided)
            inherited = bound_leaf(model, remaining, found["leaf"], f"leaf {number}")
        bound = min(bound, inherited)
    return bound


def divide(model, decided, branch, number):
    """Return (node, candidate, bound or None) of all children of a subproblem."""
    i = branch["branch"]
    if type(i) is not int or not 0 <= i < model.n1 or i in decided:
        raise Refused(f"object {number} of the tree must branch on a node that is open, got {i!r}")
    remaining = remaining_candidates(model, decided)
    children = [p for p in remaining if model.node[p] == i]
    if "duals" not in branch:
        return [(i, p, None) for p in children]
    slacks = find_slacks(model, remaining, branch["duals"], f"branch {number}")
    return [(i, p, bound_child(model, slacks, p)) for p in children]


def remaining_candidates(model, decided):
    """Return the candidates that agree with the decisions, in ascending order."""
    chosen, taken = set(decided.values()), {model.label[p] for p in decided.values()}
    return [
        p
        for p in range(model.n)
        if p in chosen or (model.node[p] not in decided and model.label[p] not in taken)
    ]


def find_slacks(model, remaining, duals, name):
    """Return (D, l, r) of a subproblem, None if it has no matching: the duals are hints, any
    numbers give valid ones.
    """
    stage = read_stage(duals, name, model)
    model.is_alive = [False] * model.n
    for p in remaining:
        model.is_alive[p] = True
    return evaluate(model, stage) if model.propagate(model.has_star) else None


def bound_leaf(model, remaining, duals, name):
    """Return the bound of a leaf."""
    slacks = find_slacks(model, remaining, duals, name)
    return math.inf if slacks is None else round_up(model, slacks[0])


def bound_child(model, slacks, p):
    """Return the bound on the matchings of a subproblem that take p; slacks: of find_slacks, which
    was called last with this model.
    """
    if slacks is None or not model.is_alive[p]:
        return math.inf  # no matching
    D, l, r = slacks  # noqa: E741
    bound = D + l[p]
    for partners in model.rows(p).values():
        bound += min(l[q] + r[p].get(q, 0) + r[q].get(p, 0) for q in partners)
    return round_up(model, bound)


def round_up(model, bound):
    """Return the least multiple of the divisor of all costs that is not below a bound."""
    return -(-bound // model.divisor) * model.divisor if model.divisor else bound
