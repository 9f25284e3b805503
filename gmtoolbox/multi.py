"""Many graphs at once: gm_solve_multi minimises over tracks, synchronise mends given matchings."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from gmtoolbox.core._ffi import ffi, multi_model, pointer
from gmtoolbox.core.checks import refuse_unused
from gmtoolbox.core.errors import InputError, did_you_mean
from gmtoolbox.core.lazy import np
from gmtoolbox.core.multiproblem import MultiProblem
from gmtoolbox.core.multiresult import MultiResult
from gmtoolbox.core.text import show
from gmtoolbox.core.tracks import canonical, connect_groups, split_by_graph
from gmtoolbox.core.values import as_array, check_count, check_sizes
from gmtoolbox.engine.agreement import agreement_of, list_agreement, unite_tracks
from gmtoolbox.engine.kernels import drive, run_kernel
from gmtoolbox.engine.limits import OutOfTime, accept_rng, call_within
from gmtoolbox.engine.match_eig import match_eig, match_eig_seconds
from gmtoolbox.engine.pipeline import conclude, proves_for, report_to, run_unless_late
from gmtoolbox.engine.progress import Budget, watch_progress
from gmtoolbox.engine.registry import Outcome
from gmtoolbox.io import load

METHODS = ("mgm", "sync")
BOUNDS = {"pairs": 0, "auto": 1, "cycles": 2, "none": 3}
SWEEPS = 30  # of the dual of every pair, at first
SECONDS_PER_PAIR = 4e-4  # of adding up the cost of an answer


@accept_rng
def gm_solve_multi(
    problem,
    *,
    method="mgm",
    time_limit=None,
    seed=0,
    init=None,
    bound="auto",
    maxiter=None,
    progress=None,
):
    """Match many graphs at once. The answer is a partition of all nodes into tracks.

    Parameters
    ----------
    problem : MultiProblem, dict {(0, 1): Problem, ...}, or path of a file
    method : str
        "mgm" minimises the sum of all pairs over tracks. "sync" matches every pair by itself and
        then makes the matchings consistent, whatever that costs.
    time_limit : float, optional
        Wall seconds; the best answer so far is returned. Without one (and without maxiter) the
        search ends after as many perturbations without improvement as there are graphs.
    seed : int
        Number that fixes the random choices.
    rng : int or numpy.random.Generator, optional
        Instead of `seed`, which it draws once; the result stores the drawn seed.
    init : d int arrays, optional
        Tracks to start from.
    bound : str
        "pairs": the sum of the bounds of all pairs. "auto": cycle inequalities as well, while the
        search finds nothing better and time remains. "cycles": most of the time for them. "none".
    maxiter : int, optional
        Limit on the steps: a graph matched again, a pair solved, a round of the bound.
    progress : True, "verbose" or function, optional
        As in gm_solve; a function is called with ((time, value, bound), tracks or None, iteration)
        at every improvement.

    Returns
    -------
    MultiResult

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> pairs = {pair: gm.Problem((2, 2), [0, 1], [0, 1], [-1.0, -2.0])
    ...          for pair in ((0, 1), (0, 2), (1, 2))}
    >>> r = gm.gm_solve_multi(gm.MultiProblem(pairs))
    >>> r.value, r.status, [own.tolist() for own in r.tracks]
    (-9.0, 'optimal', [[0, 1], [0, 1], [0, 1]])
    """
    problem = as_multi(problem)
    for name, value, known in (("method", method, METHODS), ("bound", bound, BOUNDS)):
        if value not in known:
            hint = did_you_mean(value, known)
            raise InputError(f"{name} must be one of {' '.join(known)}, got {value!r}{hint}")
    refuse_unused(
        "does not go with method 'sync', whose bound is that of the pairs",
        bound=method == "sync" and bound == "cycles",
    )
    if maxiter is not None:
        check_count("maxiter", maxiter)
    if init is not None:
        init = problem.check_tracks(init)
        problem.bare_cost(init)  # raises if they join forbidden pairs
    with watch_progress(progress, method) as listener:
        on_improve = report_to(listener, problem, lambda flat: split_by_graph(flat, problem.sizes))
        with Budget(time_limit, seed, on_improve, proves=proves_for(problem)) as budget:
            budget.shorten(SECONDS_PER_PAIR * len(problem.pairs))  # for the value of the answer
            measure_tolerances(problem, budget)
            solve = search_tracks if method == "mgm" else synchronise_pairs
            outcome = solve(problem, budget, init, bound, maxiter)
        return answer_multi(problem, budget, outcome, outcome.labels, method, bound)


def measure_tolerances(problem, budget):
    """Let every pair find its tolerance while there is time; the others do so at the end."""
    for pair in problem.pairs.values():
        if budget.cut():
            break
        if pair is not None:
            _ = pair.tolerance  # kept by the pair


def as_multi(problem):
    """Return whatever gm_solve_multi takes as a MultiProblem."""
    if isinstance(problem, (str, Path)):
        problem = load(problem)
    if isinstance(problem, dict):
        problem = MultiProblem(problem)
    if not isinstance(problem, MultiProblem):
        raise InputError(
            "problem must be a MultiProblem, a dict {(0, 1): Problem, ...} or the path of a file,"
            f" got {type(problem).__name__}; gm_solve matches two graphs"
        )
    return problem


def search_tracks(problem, budget, init, bound, maxiter):
    """Return the kernel's Outcome: its labels are the tracks of all nodes, graph by graph."""
    start = None if init is None else np.concatenate(init).astype(np.int32)
    options = {
        "seed": budget.seed,
        "init": ffi.NULL if start is None else pointer(start),
        "bound": BOUNDS[bound],
        "patience": problem.d if np.isinf(budget.time_limit) and maxiter is None else 0,
        "sweeps": SWEEPS,
    }
    size = problem.n_candidates + problem.n_edges

    def run():
        return drive("multi", multi_model(problem), options, budget, maxiter, size=size)

    outcome = run_unless_late(problem, budget, run)
    if outcome.labels is None:  # there was no time
        outcome.labels = np.arange(sum(problem.sizes), dtype=np.int32) if start is None else start
    return outcome


def answer_multi(problem, budget, outcome, flat, method, bound):
    """Return the MultiResult of the tracks of all nodes, one graph after the other."""
    tracks, elapsed = split_by_graph(flat, problem.sizes), budget.elapsed()
    cost = problem.bare_cost(tracks)
    budget.end(cost, outcome.bound, at=budget.started + elapsed)
    answer = conclude(
        problem,
        budget.trace,
        tracks,
        cost,
        outcome.status or budget.stopped,
        time=elapsed,
        n_iter=int(outcome.n_iter),
        method=method,
        options={"bound": bound},
        seed=budget.seed,
    )
    return answer.result(MultiResult, flat=np.concatenate(tracks), sizes=problem.sizes)


# ---- synchronisation


@accept_rng
def synchronise(matchings, sizes, *, method="consensus", time_limit=None, seed=0, rank=None):
    """Tracks that keep as many of the given pairwise matches as possible.

    Parameters
    ----------
    matchings : dict
        ``{(g, h): labels}``: the node of graph h that each node of graph g is matched to, -1 =
        none. Pairs may be missing.
    sizes : sequence of int
        Nodes of each graph.
    method : str
        "consensus": the matches that most third graphs confirm unite their nodes first, then a
        search as in gm_solve_multi. "spectral": MatchEIG (Maset, Arrigoni and Fusiello, Practical
        and efficient multi-view matching, ICCV 2017), its blocks united by consensus.
    time_limit, seed, rng
        As in gm_solve_multi.
    rank : int, optional
        For "spectral": number of tracks to look for; by default from the spectrum.

    Returns
    -------
    MultiResult
        value is the number of given matches that the tracks keep (maximised). Tracks never join
        nodes that no chain of given matches connects.

    Examples
    --------
    >>> import gmtoolbox as gm
    >>> given = {(0, 1): [0, 1], (0, 2): [1, 0], (1, 2): [0, 1]}  # do not agree
    >>> r = gm.synchronise(given, (2, 2, 2))
    >>> r.value
    4.0
    """
    if method not in ("consensus", "spectral"):
        raise InputError(f"method must be consensus or spectral, got {method!r}")
    refuse_unused("goes with method 'spectral'", rank=method != "spectral" and rank is not None)
    with Budget(time_limit, seed) as budget:
        sizes = check_sizes(sizes)
        given = check_matchings(matchings, sizes)
        asked = agreement_of(given, sizes)
        if method == "consensus":
            counted, outcome = asked, search_agreement(asked, budget, "pairs")
        else:  # tracks are worth the repaired matches that they keep, on a clock of its own
            counted = agreement_of(repair_matchings(given, sizes, rank, budget), sizes)
            outcome = search_agreement(counted, part_of_budget(budget), "none")
        outcome.bound = -float(asked.n_matches)  # no tracks keep more than all
        flat = split_unconnected(outcome.labels, counted, asked)
    return answer_multi(asked, budget, outcome, flat, method, "pairs")


def repair_matchings(given, sizes, rank, budget):
    """Return the matchings after MatchEIG; as they are if it takes half of the time."""
    half, seconds = part_of_budget(budget, 0.5), match_eig_seconds(sizes)
    try:
        return call_within(half, 0.0, match_eig, given, sizes, rank, at_most=seconds)
    except OutOfTime:
        return given


def search_agreement(agreement, budget, bound):
    """Return the Outcome of a search for tracks that keep many matches, no fewer than tracks around
    one graph do, even if there is no time.
    """
    budget.cut()  # a look: the matches may have taken a while to read
    around = agreement.tracks_around()
    try:
        outcome = search_tracks(list_agreement(agreement, budget), budget, None, bound, None)
    except OutOfTime:
        outcome = Outcome(labels=around, status=budget.stopped)
    best = min(outcome.labels, around, key=agreement.cost_of)
    outcome.labels = unite_tracks(agreement, best)
    return outcome


def part_of_budget(budget, share=1.0):
    """Return a Budget with a trace of its own and a share of the time that remains."""
    limit = None if np.isinf(budget.time_limit) else max(share * budget.remaining(), 1e-3)
    return Budget(limit, budget.seed, stop=budget.stop)


def check_matchings(matchings, sizes):
    """Return {(g, h): int array} for all g < h, -1 if nothing is given."""
    d = len(sizes)
    if not isinstance(matchings, Mapping):
        raise InputError(f"matchings must be a dict {{(g, h): labels}}, got {show(matchings)}")
    if d < 2:
        raise InputError(f"sizes must name at least two graphs, got {d}")
    given = {
        pair: np.full(sizes[pair[0]], -1, dtype=np.int32) for pair in combinations(range(d), 2)
    }
    for key, labels in matchings.items():
        if key not in given:
            raise InputError(
                f"matchings must be keyed by (g, h) with 0 <= g < h < {d}, got {key!r}"
            )
        labels = as_array(f"matchings[{key}]", labels)
        n1, n2 = (sizes[graph] for graph in key)
        if labels.shape != (n1,) or labels.dtype.kind not in "iu":
            raise InputError(f"matchings[{key}] must be {n1} integers, got shape {labels.shape}")
        if labels.size and (labels.min() < -1 or labels.max() >= n2):
            raise InputError(f"matchings[{key}] must be in -1..{n2 - 1}")
        if np.bincount(labels[labels >= 0]).max(initial=0) > 1:
            raise InputError(f"matchings[{key}] must be one-to-one, but a label is used twice")
        given[key] = labels.astype(np.int32)
    return given


def split_unconnected(flat, *agreements):
    """Return the tracks, split if no chain of matches inside a track connects nodes."""
    for agreement in agreements:
        inside = flat[agreement.first] == flat[agreement.second]
        kept = agreement.first[inside], agreement.second[inside]
        flat = connect_groups(*kept, len(flat))
    return canonical(flat)


def synchronise_pairs(problem, budget, init, bound, maxiter):
    """Match every pair by itself, then find tracks of allowed pairs that keep the most matches."""
    if init is not None:
        raise InputError("method 'sync' cannot use init")
    counted, total = {}, 0.0
    for pair, p in problem.pairs.items():
        counted[pair] = None
        if p is None:
            continue
        bare = p.without_offset()  # an offset added to a bound and taken off again rounds it
        matched = match_pair(bare, budget)
        total += matched.bound
        cost = np.zeros(p.n_candidates)
        if matched.labels is not None:
            cost[matched.labels[p.left] == p.right] = -1.0
        counted[pair] = replace(bare, cost=cost, a=(), b=(), edge_cost=())
    agreeing = MultiProblem(counted, sizes=problem.sizes)
    outcome = search_tracks(agreeing, part_of_budget(budget), None, "none", maxiter)
    known = bound != "none" and np.isfinite(total)
    return Outcome(
        labels=outcome.labels,
        bound=total if known else -np.inf,
        n_iter=outcome.n_iter,
        status=outcome.status,
    )


def match_pair(problem, budget):
    """Return the Outcome of fusion moves on one pair, in half of the time that remains."""
    if budget.cut():
        return Outcome(status=budget.stopped)
    clock = part_of_budget(budget, 0.5)
    fusion = {"improve": 5, "primal_share": 1.8, "patience": SWEEPS, "seed": budget.seed}
    return run_kernel("fm_bca", problem, clock, SWEEPS, **fusion)
