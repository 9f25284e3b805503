"""hbp: Hungarian belief propagation inside branch and bound."""

from typing import Annotated

from gmtoolbox.core.transforms import BIJECTIVE
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.options import Range
from gmtoolbox.engine.registry import solver


@solver(
    "hbp",
    family="dual",
    paper="Zhang et al. 2016, Pairwise matching through max-weight bipartite belief propagation",
    needs=(BIJECTIVE,),
    has_bound=True,
)
def hbp(
    problem,
    budget,
    *,
    maxiter: Annotated[int, Range(1), "search nodes (default 600, with exact: no limit)"] = None,
    exact: Annotated[
        bool, "search to the end with valid duals: an exact solver for small problems"
    ] = False,
):
    r"""Max-product clusters and a Hungarian step as dual ascent, best-first branch and bound around
    it.

    Variables are the labels, their states the nodes. Over matchings x, the affinity is bounded by
    the maxima of the beliefs b,

    .. math::

        \sum_{i} b_i(x_i) + \sum_{ij} b_{ij}(x_i, x_j) \;\le\; \sum_{i} \max b_i
        + \sum_{ij} \max b_{ij} .

    A search node makes five iterations: each cluster of a pair gives half of its max-marginals to
    both variables; each variable collects all of them and divides the sum equally among its pairs;
    the duals of an assignment over the beliefs (in integers, 1/10000) are subtracted from the
    beliefs, and its solution is decoded. The search branches on the variable with most states
    within 1e-4 of its best state, at that state.

    As in the original: penalties of 100 and 200 (whatever the scale of the costs), the incumbent of
    highest cost on ties, and a gap test that ends the search if the affinity of the incumbent is
    negative.

    Departures: pair beliefs are stored as sparse messages. Integers are 64 bits wide, and finer or
    coarser if 1/10000 does not suit the costs. The reported bound takes the maxima of the beliefs;
    that of the original takes the decoded states and can be wrong. exact=True searches with these
    bounds, prohibitive penalties, a correct gap test and without a limit.
    """
    n = problem.shape[0]
    left, right = problem.dummies.corner
    limit = maxiter if maxiter is not None or exact else 600
    # in the extension of a partial problem a dropped pair is two unmatched nodes
    may_drop = 0 < left < n and 0 < right < n
    return run_kernel(
        "hbp",
        problem,
        budget,
        limit,
        block_left=left,
        block_right=right,
        may_drop=may_drop,
        exact=exact,
        size=problem.n_edges + n * n,
    )
