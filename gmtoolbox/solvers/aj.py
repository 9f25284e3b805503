"""aj: proves its answers (sparse Adams-Johnson relaxation, star bound, fixing, branch and
bound).
"""

import os
from contextlib import nullcontext
from typing import Annotated

from gmtoolbox.core._ffi import ffi, lib, pointer, view
from gmtoolbox.core.errors import OptionError
from gmtoolbox.core.lazy import np
from gmtoolbox.core.transforms import LEFT_COMPLETE
from gmtoolbox.core.values import check_jobs
from gmtoolbox.engine.kernels import run_kernel
from gmtoolbox.engine.lapack import BorrowedLapack
from gmtoolbox.engine.options import Choice, Jobs, Range
from gmtoolbox.engine.registry import solver
from gmtoolbox.solvers._linear import is_linear, solve_linear

TURN = 0.005  # seconds of a thread with a piece of the search, before others have their turn
CERTIFYING = 60.0  # seconds after the end for a step that cannot be cut, and for the certificate
SEMIDEFINITE = ("off", "stalled", "at once")  # as gm_aj_options.sdp counts


def kernel(
    seed, *, maxiter, branch, fix, lift, memory, sdp, certify, cutoff, n_jobs, checkpoint, cluster
):
    """Return the kernel for gm_solve_many, None if these options need Python; see solver()."""
    on_disk = checkpoint is not None or cluster is not None
    if certify or cutoff is not None or n_jobs != 1 or on_disk:
        return None  # these take or give more than numbers, or need threads of their own
    fields = {"branch": branch, "fix": fix, "lift_limit": lift, "memory": memory}
    return "aj", maxiter, {"seed": seed, **fields, "sdp": SEMIDEFINITE.index(sdp)}


@solver(
    "aj",
    family="exact",
    paper="Adams and Johnson 1994; this package",
    needs=(LEFT_COMPLETE,),
    has_bound=True,
    kernel=kernel,
    without_kernel=is_linear,
)
def aj(
    problem,
    budget,
    *,
    init=None,
    branch: Annotated[
        bool, "branch when the root bound stalls; False gives the root bound only"
    ] = True,
    fix: Annotated[bool, "delete candidates and pairs whose reduced costs exceed the gap"] = True,
    lift: Annotated[
        int,
        Range(0),
        "largest number of entries for which a stalled relaxation is lifted to full tables",
    ] = 250000,
    memory: Annotated[
        int,
        Range(0),
        "megabytes for the subproblems on the path of the search; the others are built again",
    ] = 200,
    certify: Annotated[
        bool, "keep the duals of the root bound for `gmtoolbox verify` in Result.extra"
    ] = False,
    sdp: Annotated[
        str,
        Choice(SEMIDEFINITE),
        "semidefinite phase of the root: if it stalls (up to 1200 candidates), or at once (2600)",
    ] = "stalled",
    cutoff: Annotated[
        float,
        "cost (offset included) above which matchings are of no interest: the search may end with"
        " a bound above it",
    ] = None,
    n_jobs: Annotated[
        int,
        Jobs(),
        "threads for the subproblems of dense complete problems (-1: one on each processor); the"
        " answer does not depend on it",
    ] = 1,
    checkpoint: Annotated[
        str,
        "file for the open subproblems, written every few seconds: the same call goes on from it"
        " after a time limit, Ctrl-C or a crash; a folder: several processes share the search",
    ] = None,
    cluster: Annotated[
        str,
        "address of a Dask scheduler, whose workers share the search in the folder `checkpoint`",
    ] = None,
    maxiter: Annotated[
        int, Range(1), "steps of the ascent, evaluations and subproblems, together"
    ] = 10_000_000,
):
    r"""Exact method: branch and bound with the relaxation of Adams and Johnson, solved by PDHG.

    The relaxation is that of `ilp`,

    .. math::

        \underset{x \ge 0}{\min} \; \sum_{i,s} c_{is}\, x_{is}
        + \sum_{is,jl} d_{is,jl}\, x_{is,jl}, \qquad
        \sum_{l} x_{is,jl} = x_{is}, \quad \sum_{s} x_{is,jl} = x_{jl} ,

    with these equations for both sides (Adams and Johnson 1994). The search branches if a gap
    remains.
    """
    if certify and checkpoint is not None:
        raise OptionError("certify keeps the duals of one run: it does not go with checkpoint")
    if cluster is not None and checkpoint is None:
        raise OptionError("cluster shares a search in a folder: it needs checkpoint")
    if not certify and checkpoint is None and is_linear(problem):
        return solve_linear(problem, budget)
    from gmtoolbox.engine.crew import Crew  # threads cost more time than listing the methods

    n_jobs = check_jobs(n_jobs)
    start = None if init is None else np.ascontiguousarray(init, np.int32)
    if start is not None and problem.complete and np.any(start < 0):
        start = None
    if certify:
        budget.patience = CERTIFYING
    limit = None if cutoff is None else np.array([cutoff - budget.offset - problem.offset])

    def search(saved, start, n_before=0):
        """Run the kernel, from the state of a Checkpoint if there is one; n_before: iterations of
        other runs of this call.
        """
        with (
            BorrowedLapack() as lapack,
            Crew(n_jobs, lib.gm_aj_n_pieces, lib.gm_aj_piece, budget, TURN) as crew,
        ):

            def between_steps(run):
                lapack.lend(run)
                crew.run_pieces(run)
                if saved is not None:
                    saved.take(run)

            def finish(run):
                if saved is not None:
                    return saved.finish(run)
                return certificate(run) if certify else None

            return run_kernel(
                "aj",
                problem,
                budget,
                maxiter=maxiter - n_before,
                finish=finish,
                between=between_steps,
                n_jobs=n_jobs,
                seed=budget.seed,
                branch=branch,
                fix=fix,
                certify=certify,
                lift_limit=lift,
                memory=memory,
                init=ffi.NULL if start is None else pointer(start),
                seconds=budget.remaining(),
                lapack=lapack.struct,
                sdp=SEMIDEFINITE.index(sdp),
                cutoff=ffi.NULL if limit is None else pointer(limit),
                resume=ffi.NULL if saved is None else saved.resume(),
                root=ffi.NULL if saved is None else saved.kept_root.struct(),
            )

    if checkpoint is None:
        return search(None, start)
    same = {"branch": branch, "fix": fix, "lift": lift, "sdp": sdp, "cutoff": cutoff}
    mine = {"memory": memory, "n_jobs": n_jobs, "maxiter": maxiter}
    with help_by_cluster(cluster, checkpoint, problem, budget, {**same, **mine}):
        return search_on_disk(checkpoint, problem, budget, same, search, start)


def help_by_cluster(cluster, checkpoint, problem, budget, options):
    """Return the context in which workers of a cluster, if there is one, share the search."""
    if cluster is None:
        return nullcontext()
    from gmtoolbox.solvers import _helpers, _sharing  # few runs need their imports

    if not _sharing.is_folder(checkpoint):
        raise OptionError(f"cluster needs a folder as checkpoint (NAME/), got {checkpoint!r}")
    given = problem if budget.given is None else budget.given
    folder = {"checkpoint": os.path.join(os.path.abspath(checkpoint), "")}
    return _helpers.let_workers_help(cluster, given, budget, {**options, **folder})


def search_on_disk(checkpoint, problem, budget, options, search, start):
    """Return the Outcome of search(checkpoint, start) with a file or a folder as its state."""
    from gmtoolbox.solvers import _checkpoint, _sharing  # few runs need their imports

    if _sharing.is_folder(checkpoint):
        return _sharing.work(checkpoint, problem, budget, options, search, start)
    identity = _checkpoint.Checkpoint.identity_of(problem, budget, options)
    saved = _checkpoint.Checkpoint(checkpoint, problem, budget, identity)
    if saved.is_finished:
        return saved.final_outcome()
    return search(saved, saved.better_start(start))


def certificate(run):
    """Return the duals of the root bound, and the stages of a proof by deletions if there are any,
    as gmtoolbox.proofs.verify reads them.
    """
    proof, cutoff = ffi.new("gm_aj_proof *"), ffi.new("double *")
    lib.gm_aj_certificate(run, proof)
    arrays = duals(proof)
    n_stages = lib.gm_aj_n_stages(run, cutoff)
    if n_stages:
        arrays["cutoff"], arrays["stages"] = cutoff[0], []
    for k in range(n_stages):
        lib.gm_aj_stage(run, k, proof)
        stage = duals(proof)
        stage.update(fields(proof, "n_gone", "gone"))
        stage.update(fields(proof, "n_gone_duals", "gone_star", "gone_label", "gone_dual"))
        stage.update(fields(proof, "n_gone_pairs", "pair_a", "pair_b"))
        arrays["stages"].append(stage)
    return {"certificate": arrays}


def fields(proof, count, *names):
    """Copies of the named arrays, whose length is the field `count` or a number."""
    n = getattr(proof, count) if isinstance(count, str) else count
    floats = ffi.typeof("double const *")
    return {
        name: view(
            getattr(proof, name),
            n,
            np.float64 if ffi.typeof(getattr(proof, name)) is floats else np.int32,
        )
        for name in names
    }


def duals(proof):
    """The arrays of the root bound, or of one stage."""
    arrays = fields(proof, "n_pairs", "a", "b", "split")
    arrays.update(fields(proof, "n_stars", "star", "star_label", "star_dual"))
    arrays.update(fields(proof, "n_labels", "label_dual"))
    if proof.n_variables:  # of the semidefinite bound
        arrays.update(fields(proof, "n_variables", "variable"))
        arrays.update(fields(proof, proof.n_variables**2, "Z"))
        arrays.update(fields(proof, proof.n_slacks * proof.n_labels, "slack_dual"))
    return arrays
