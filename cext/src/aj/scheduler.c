#include "aj/scheduler.h"
#include "base/watch.h"

#include "model/slots.h"

#include <math.h>

/* ---- whose turn it is */

/* Work on matchings per unit of work on the proof: more as long as better ones keep coming. Before
 * the root of a large problem is built it is more still, and lasts for AJ_EARLY_TURNS proposals per
 * node, times the number of regions: they stall independently, and all must be right at once. */
static double usual_ratio(const aj_search *S)
{
    const aj_matchings *M = &S->matchings;
    const int opened = S->tree.opened;
    const double regions = opened ? 1.0 : fmax(1.0, (double)S->index->n1 / AJ_REGION);
    const double turns =
        opened ? 0.0 : AJ_EARLY_TURNS * regions * S->index->n1 * gm_primal_work(&M->fusion);
    const int hopeful =
        aj_effort_is_recent(&M->descended) || M->fused.spent < AJ_RECENT * M->fused.success + turns;
    const double patient = S->tree.rounds.most_tasks > 0 ? AJ_ROUND_RATIO : AJ_RATIO;
    return hopeful ? regions * AJ_HOPEFUL_RATIO : patient;
}

static const double WIDE_GAP = 1e-2;      /* relative: wider than this is wide */
static const double RATIO_PER_GAP = 50.0; /* the larger ratio is this times the relative gap, */
static const double WIDE_PART = 0.4;      /* until this part of the work before the sdp phase */

/* The ratio of the moment: larger than usual if the proof had its chance, the gap is still wide and
 * the work is not yet many times that of the best matching; but not if the semidefinite phase
 * follows, which closes wide gaps. */
static double ratio(const aj_search *S)
{
    const aj_tree *T = &S->tree;
    const double gap = gm_relative_gap(S->run.value, S->run.bound, S->run.tolerance);
    const double usual = usual_ratio(S);
    const double spent = aj_matchings_spent(&S->matchings);
    const int semidefinite = T->semidefinite.tried || aj_tree_expects_dense(T) ||
                             (T->chance > 0.0 && spent > WIDE_PART * T->chance);
    if (semidefinite || T->spent < AJ_CHANCE * T->root_work || gap <= WIDE_GAP ||
        spent > AJ_HOPE * S->matchings.spent_when_found)
        return usual;
    return fmin(fmax(AJ_HOPEFUL_RATIO, RATIO_PER_GAP * gap), AJ_LARGEST_RATIO);
}

/* Whether the search for matchings is next, by the work spent. */
static int is_matchings_turn(const aj_search *S)
{
    const aj_tree *T = &S->tree;
    if (S->index->n_slots == 0)
        return 0;
    if (aj_matchings_must_begin(&S->matchings))
        return 1;
    if (S->matchings.plain)
        return 0;
    if (T->rounds.most_tasks > 0 && !T->rounds.going_on)
        return 0; /* it comes next to a round, whose threads may do it */
    if (T->rounds.going_on && S->run.iteration + T->rounds.reserved >= S->last)
        return 0; /* the round needs the iterations that remain */
    const double spent = aj_matchings_spent(&S->matchings);
    if (T->sweeps.going_on && !T->opened) { /* alternately: the sweeps' costs guide the proposals */
        const int large = S->index->n1 > AJ_REGION;
        const double sweep_ratio = large ? AJ_LARGE_SWEEP_RATIO : AJ_SWEEP_RATIO;
        return spent < sweep_ratio * (T->spent - T->root_work);
    }
    return spent < ratio(S) * T->spent;
}

/* ---- exchange between matchings and proof */

static void count_units(aj_search *S)
{
    S->run.iteration = S->quick.n_units + S->tree.n_units + S->matchings.n_units;
}

/* Takes the bound of the sweeps on all other matchings than the best one, which is higher if that
 * is the only one of its cost. Not used if a certificate is asked for: see below. */
static void look_at_others(aj_search *S)
{
    const gm_bca *bca = S->tree.sweeps.bca;
    if (bca && S->tree.sweeps.n > 0 && isfinite(S->run.value) && !S->tree.certified.wanted) {
        gm_take_others(&S->run, S->index, gm_bca_bound_of_others(bca, S->run.labels));
        S->tree.sweeps.bound = fmax(S->tree.sweeps.bound, S->run.bound * S->grain.scale);
    }
}

/* Raises the run's bound to that of the tree. */
static void raise_bound(aj_search *S)
{
    look_at_others(S);
    double lower = aj_tree_lower(&S->tree);
    if (S->tree.opened) /* deleted matchings cost at least the cutoff */
        lower = fmin(lower, S->matchings.cutoff);
    gm_run_raise(&S->run, aj_grain_round_up(&S->grain, lower));
}

/* Passes the matchings of the tree to the search for matchings. */
static void offer_proposals(aj_search *S)
{
    aj_proposals *proposals = &S->tree.proposals;
    for (int32_t k = 0; k < proposals->n; k++)
        aj_matchings_offer(&S->matchings, proposals->slots[k], proposals->lower[k]);
    proposals->n = 0;
}

/* A unit of work of the tree. */
static int prove(aj_search *S)
{
    int event;
    do {
        event = aj_tree_advance(&S->tree, S->matchings.cutoff);
        if (S->tree.opened)
            aj_quick_end(&S->quick);
        count_units(S);
        offer_proposals(S);
        if (event == AJ_PROVED || event == AJ_NEEDS_CUTOFF)
            raise_bound(S);
    } while (event == AJ_NEEDS_CUTOFF);
    if (event == AJ_CONVERGED)
        S->run.finished = 1;
    return event < 0 ? event : GM_OK;
}

/* A unit of work of the search for matchings. */
static int find_matchings(aj_search *S)
{
    const int status = aj_matchings_advance(&S->matchings, aj_sweeps_guide(&S->tree.sweeps));
    count_units(S);
    return status;
}

/* Whether mp, which was paused, had come farther than the sweeps, which are over. */
static int is_mp_ahead(const aj_search *S)
{
    const aj_quick *Q = &S->quick;
    return Q->mp && Q->gains && !S->tree.opened && !S->tree.sweeps.going_on &&
           Q->mp->bound * S->grain.scale > S->tree.sweeps.window_bound;
}

static const double MP_BESIDE_RATIO = 2.0; /* of iterations of mp, if that has the higher bound */

/* Whether the bound gets a sweep while the search for matchings keeps a large root waiting. */
static int is_sweeps_turn(const aj_search *S)
{
    const int ahead = is_mp_ahead(S);
    return (ahead || aj_tree_can_sweep_beside(&S->tree)) &&
           S->tree.beside <
               (ahead ? MP_BESIDE_RATIO : AJ_BESIDE_RATIO) * aj_matchings_spent(&S->matchings);
}

/* An iteration of mp; its bound and matching count at once. */
static int iterate_mp(aj_search *S)
{
    aj_quick *Q = &S->quick;
    const double seconds = S->tree.semidefinite.deadline - gm_clock();
    const int status = Q->paused ? aj_quick_step_beside(Q, S->run.value, seconds)
                                 : aj_quick_step(Q, S->run.value, seconds);
    count_units(S);
    if (isfinite(Q->mp->value))
        gm_run_offer(&S->run, Q->mp->value, Q->mp->labels);
    S->run.proven |= Q->mp->proven;
    S->tree.sweeps.bound = fmax(S->tree.sweeps.bound, Q->mp->bound * S->grain.scale);
    raise_bound(S);
    return status;
}

/* The best matching, which mp may have found. */
static void offer_best(aj_search *S)
{
    if (isfinite(S->run.value)) {
        gm_labels_to_slots(S->index, S->run.labels, S->matchings.slots);
        aj_matchings_offer(&S->matchings, S->matchings.slots, -INFINITY);
    }
}

/* A sweep, or an iteration of mp if that has the higher bound. */
static int sweep_beside(aj_search *S)
{
    if (is_mp_ahead(S)) {
        const double before = S->run.value;
        const int status = iterate_mp(S);
        S->tree.beside += S->quick.work;
        if (S->run.value < before)
            offer_best(S);
        return status;
    }
    const int event = aj_tree_sweep_beside(&S->tree, S->matchings.cutoff);
    count_units(S);
    raise_bound(S);
    return event < 0 ? event : GM_OK;
}

/* Not if a certificate is asked for: the root must prove the bound by itself. */
static void stop_when_closed(aj_search *S)
{
    if (!S->tree.certified.wanted)
        gm_run_stop_when_closed(&S->run);
}

int aj_search_begin(aj_search *S)
{
    S->begun = 1;
    const int status =
        aj_matchings_init(&S->matchings, &S->pool, &S->run, S->index, &S->grain, S->seed);
    return status == GM_OK ? aj_tree_begin(&S->tree) : status;
}

/* An iteration of mp; after the last one the search for matchings and the tree take over its
 * matching and bound. */
static int prove_quickly(aj_search *S)
{
    aj_quick *Q = &S->quick;
    int status = iterate_mp(S);
    stop_when_closed(S);
    if (status == GM_OK && !S->run.finished && aj_quick_is_over(Q)) {
        if (!Q->patient || Q->mp->finished)
            aj_quick_end(Q);
        if (!S->begun)
            status = aj_search_begin(S);
        if (status == GM_OK)
            offer_best(S);
    }
    return status;
}

int32_t aj_search_n_pieces(const aj_search *S)
{
    const aj_rounds *R = &S->tree.rounds;
    const int busy = R->going_on && (aj_rounds_next(R) >= 0 || is_matchings_turn(S));
    return busy ? R->n_tasks + 1 : 0;
}

int aj_search_piece(aj_search *S, int32_t piece, double deadline)
{
    aj_rounds *R = &S->tree.rounds;
    int status = GM_OK, late = 0;
    if (piece == 0) {
        while (status == GM_OK && !S->run.finished && is_matchings_turn(S) &&
               !(late = gm_is_late(deadline))) {
            status = find_matchings(S);
            stop_when_closed(S);
        }
    } else if (piece <= R->n_tasks) {
        const gm_watch *watch = &R->tasks[piece - 1]->watch;
        while (aj_rounds_is_open(R, piece - 1) && !watch->is_over && !(late = gm_is_late(deadline)))
            aj_rounds_unit(R, piece - 1);
    }
    if (status != GM_OK || !late)
        return status;
    return piece == 0 ? 1 : 1 + (int)(999.0 * R->tasks[piece - 1]->granted / R->grant);
}

static int advance(aj_search *S)
{
    S->tree.units_remaining = S->last - S->run.iteration;
    S->tree.width = S->run.value * S->grain.scale - S->matchings.cutoff;
    if (!aj_quick_is_over(&S->quick))
        return prove_quickly(S);
    if (!aj_tree_is_done(&S->tree)) {
        if (!is_matchings_turn(S))
            return prove(S);
        return is_sweeps_turn(S) ? sweep_beside(S) : find_matchings(S);
    }
    if (S->run.value == INFINITY && S->matchings.ceiling == INFINITY)
        return GM_EINFEASIBLE;
    raise_bound(S);
    S->run.finished = 1;
    return GM_OK;
}

int aj_search_advance(aj_search *S)
{
    const int status = advance(S);
    if (!S->run.watch->is_over)
        stop_when_closed(S);
    return status;
}
