"""Edit models whose costs span many magnitudes, made of numbers of one size.

The cost of a matching is the offset, the cost of deleting and inserting everything, minus its
savings. If a deletion costs 1e9 and all nodes are substituted at a cost of 1, that leaves
few digits of the distance. Two changes of the model keep them:

capped          No step costs more than a known path does: see CappedCosts.
substituting    If no substitution costs more than the deletion and insertion that it saves, a
                cheapest path substitutes every node of the smaller graph. The costs of their
                deletion are in no such path, and of those of the other side only the differences
                matter: the rest is paid for as many nodes as one graph has more than the other.
"""

from dataclasses import replace
from functools import cached_property
from math import ceil, fsum, gcd, inf, isfinite

from gmtoolbox.core.lazy import np
from gmtoolbox.core.result import rounding_error
from gmtoolbox.models.edit_costs import CappedCosts
from gmtoolbox.models.edits import EditModel

WIDE = 1e4  # costs that differ by more than this factor


def is_wide(model):
    """Return True if the costs of the steps span many magnitudes."""
    sizes = [cost for cost in model.step_costs if 0.0 < cost < inf]
    return bool(sizes) and max(sizes) > WIDE * min(sizes)


def largest_step(model):
    """Return the largest cost of a step that is not forbidden."""
    return max((cost for cost in model.step_costs if isfinite(cost)), default=0.0)


def cap_steps(model, cost):
    """Return the model with steps that cost no more than twice a known path, which costs `cost`."""
    return replace(
        model,
        costs=CappedCosts(model.costs, 2.0 * cost),
        first=model.first.copy_for_other_costs(),
        second=model.second.copy_for_other_costs(),
    )


def make_substituting(model):
    """Return the model in which every node of the smaller graph is substituted, or the model itself
    if a cheapest path might delete and insert instead.
    """
    if type(model) is not EditModel or not model.complete and np.any(model.unary > 0.0):
        return model  # inf is forbidden
    made = SubstitutingModel(
        model.costs,
        model.first.copy_for_other_costs(),
        model.second.copy_for_other_costs(),
        model.roots,
        True,
    )
    return made


class SubstitutingModel(EditModel):
    """An EditModel of the paths that substitute every node of the smaller graph."""

    @cached_property
    def paid_by_each(self):
        """Return the least cost of each of the nodes by which one graph exceeds the other."""
        delete, insert = super().saved_by_nodes
        return min(delete if len(delete) > len(insert) else insert)

    @property
    def saved_by_nodes(self):
        delete, insert = super().saved_by_nodes
        least = self.paid_by_each
        n1, n2 = len(delete), len(insert)
        delete = [cost - least for cost in delete] if n1 > n2 else n1 * [0.0]
        insert = [cost - least for cost in insert] if n2 > n1 else n2 * [0.0]
        return delete, insert

    @cached_property
    def moved(self):
        edges = self.first.edge_costs(self.costs, "del"), self.second.edge_costs(self.costs, "ins")
        return fsum(cost for part in (*self.saved_by_nodes, *edges) for cost in part)

    @cached_property
    def offset(self):
        return fsum([self.moved, abs(len(self.first) - len(self.second)) * self.paid_by_each])


def raise_to_grid(model, bound):
    """Return the least distance that an EditModel can have at or above a lower bound, whose last
    digits are rounded; the bound itself if sums of costs are rounded.
    """
    if not model.sums_are_exact or not isfinite(bound):
        return bound
    grain = common_divisor(cost for cost in model.step_costs if 0.0 < cost < inf)
    if grain == 0.0:
        return bound
    terms = sum(len(graph.node) + len(graph.edge) for graph in (model.first, model.second))
    error = rounding_error(2 * terms + 8, abs(bound) + 2.0 * model.offset)
    return max(bound, ceil((bound - error) / grain) * grain)


def common_divisor(costs):
    """Return the largest number of which all costs are multiples, 0 without costs."""
    ratios = [cost.as_integer_ratio() for cost in costs]
    below = max((divisor for _, divisor in ratios), default=1)
    return gcd(*(above * (below // divisor) for above, divisor in ratios)) / below
