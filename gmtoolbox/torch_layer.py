"""A solver as a layer of a torch network: matchings forward, blackbox_gradient backward.

torch is not among this package's requirements; this module imports it.
"""

import torch

from gmtoolbox.core.edges import Listed
from gmtoolbox.core.errors import InputError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.values import check_costs, freeze
from gmtoolbox.engine.registry import DEFAULT_METHOD
from gmtoolbox.learning import blackbox_gradient
from gmtoolbox.many import gm_solve_many

__all__ = ["matching"]


def matching(cost, edge_cost, problems, lam, *, method=DEFAULT_METHOD, n_jobs=1, **options):
    """The matchings of problems whose costs a network computes, with a gradient.

    Parameters
    ----------
    cost : torch.Tensor
        Unary costs of all problems, one behind the other, each in the order of its candidates.
    edge_cost : torch.Tensor
        Costs of their edges, likewise.
    problems : list of Problem
        Candidates and edges; their costs are not used.
    lam : float
        See gm.blackbox_gradient.
    method, n_jobs, **options
        As in gm.gm_solve_many.

    Returns
    -------
    torch.Tensor
        1 at the matched candidates, 0 at the others; as long as cost.

    Examples
    --------
    >>> x = matching(unaries(features), pairs(features), problems, lam=1.0)  # doctest: +SKIP
    >>> loss = (x * (1 - truth) + (1 - x) * truth).sum()  # doctest: +SKIP
    >>> loss.backward()  # doctest: +SKIP
    """
    settings = {"method": method, "n_jobs": n_jobs, **options}
    return Matching.apply(cost, edge_cost, problems, lam, settings)


class Matching(torch.autograd.Function):
    """Forward: solve. Backward: solve once more, with costs moved along the gradient."""

    @staticmethod
    def forward(ctx, cost, edge_cost, problems, lam, settings):
        """1 at the matched candidates, of all problems one behind the other."""
        numbers = [given.detach().cpu().numpy() for given in (cost, edge_cost)]
        ctx.problems, ctx.lam, ctx.settings = price_problems(problems, *numbers), lam, settings
        ctx.results = gm_solve_many(ctx.problems, **settings)
        answers = zip(ctx.problems, ctx.results, strict=True)
        x = [problem.candidates.indicator(result.labels) for problem, result in answers]
        return like(cost, x)

    @staticmethod
    def backward(ctx, grad):
        """Gradients of the two tensors of costs; None for the other arguments."""
        sizes = [problem.n_candidates for problem in ctx.problems]
        parts = np.split(grad.detach().cpu().numpy().astype(float), np.cumsum(sizes)[:-1])
        found = blackbox_gradient(ctx.problems, ctx.results, parts, ctx.lam, **ctx.settings)
        by_cost, by_edge = zip(*found, strict=True)
        return like(grad, by_cost), like(grad, by_edge), None, None, None


def like(tensor, parts):
    """Arrays one behind the other as a tensor of the same type on the same device."""
    return torch.as_tensor(np.concatenate(parts), dtype=tensor.dtype, device=tensor.device)


def price_problems(problems, cost, edge_cost):
    """The problems with these costs."""
    cost, edge_cost = check_costs("cost", cost), check_costs("edge_cost", edge_cost)
    first, first_edge, made = 0, 0, []
    for problem in problems:
        end, end_edge = first + problem.n_candidates, first_edge + len(problem.a)
        edges = Listed(
            problem.candidates, problem.a, problem.b, freeze(edge_cost[first_edge:end_edge])
        )
        made.append(problem.changed(cost=freeze(cost[first:end]), edges=edges))
        first, first_edge = end, end_edge
    for name, given, wanted in (("cost", cost, first), ("edge_cost", edge_cost, first_edge)):
        if len(given) != wanted:
            raise InputError(
                f"{name} must have {wanted} entries, as all problems together, got {len(given)}"
            )
    return made
