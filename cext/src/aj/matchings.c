/* Matchings for the exact method, and the cutoff that follows from the best of them. */
#include "aj/search.h"
#include "base/gap.h"
#include "model/slots.h"

#include <math.h>

static const double CUTOFF_GAP = 0.5;  /* of the gap that counts as closed */
static const int FIRST_PROPOSALS = 10; /* fusion moves before anything else */
static const int32_t QPBO_PATIENCE = 5;
static const double DESCENT_TOLERANCE = 1e-8;

/* Work on matchings per unit of work on the proof. It is more where better ones can be hoped for:
 * they keep coming (a search had its last success within the later half of its work); or the proof
 * had its chance, and the gap is still wide, and the work not yet 100 times what the best one took.
 */
static const double SHARE = 0.12, HOPEFUL_SHARE = 1.2, RECENT = 2.0;
static const double SWEEP_SHARE = 0.3; /* during the sweeps before the root of a small problem */
static const double CHANCE = 4.0;      /* times the work of building the root */
static const double WIDE_GAP = 1e-2, HOPE = 100.0;
static const double SHARE_PER_GAP = 50.0,
                    LARGEST_SHARE = 5.0; /* the wider, the farther the proof */
static const double PREFERENCE =
    4.0; /* of a search whose last success is recent, before one whose is not */
static const double DESCENT_PREFERENCE = 0.5; /* of Frank-Wolfe, otherwise */

int aj_matchings_new(aj_search *S, uint64_t seed)
{
    gm_primal_take(&S->fusion, &S->pool, S->index, seed, QPBO_PATIENCE);
    gm_moves_take(&S->moves, &S->pool, S->index);
    GM_TAKE(&S->pool, S->index->n1, S->slots);
    GM_TAKE(&S->pool, S->index->n1, S->picks);
    S->random.state = seed;
    S->ceiling = S->cutoff = S->cutoff_value = INFINITY;
    return gm_descent_init(&S->descent, S->index) == GM_OK && !S->pool.failed ? GM_OK : GM_ENOMEM;
}

/* Bound on the rounding error in the cost of a matching. */
static double cost_error(const gm_index *index, const int32_t *slots)
{
    double magnitude = 0.0, terms = 0.0;
    for (int32_t i = 0; i < index->n1; i++) {
        if (slots[i] < 0)
            continue;
        magnitude += fabs(index->slot_cost[slots[i]]);
        terms += 1.0;
        for (int64_t k = index->adjacent_start[slots[i]]; k < index->adjacent_start[slots[i] + 1];
             k++) {
            const int32_t q = index->adjacent_slot[k];
            if (slots[index->slot_node[q]] == q) {
                magnitude += fabs(index->adjacent_cost[k]);
                terms += 1.0;
            }
        }
    }
    return gm_rounding_error(2.0 * terms, magnitude); /* here, and in whoever adds it up again */
}

/* The cutoff of the best matching: integers leave nothing between value - grain and value; else the
 * gap counts, and never less than the value's own error. */
static void update_cutoff(aj_search *S)
{
    if (S->run.value == S->cutoff_value)
        return;
    S->cutoff_value = S->run.value;
    S->found_work = S->fused.work + S->descended.work;
    gm_labels_to_slots(S->index, S->run.labels, S->picks);
    const double below = S->grain > 0.0
                             ? S->grain * (1.0 - 2.0 * AJ_GRAIN_SLACK)
                             : fmax(CUTOFF_GAP * gm_closed_width(S->run.value, S->run.scale),
                                    cost_error(S->index, S->picks));
    S->cutoff = fmin(S->ceiling, (S->run.value - below) * S->scale);
}

/* The ceiling lies above the cutoff: what costs exactly as much is still of interest. */
void aj_matchings_limit(aj_search *S, double cutoff)
{
    if (S->grain > 0.0)
        cutoff =
            S->grain * (floor(cutoff / S->grain + AJ_GRAIN_SLACK) + 1.0 - 2.0 * AJ_GRAIN_SLACK);
    else
        cutoff += CUTOFF_GAP * gm_closed_width(cutoff, S->run.scale);
    S->ceiling = cutoff * S->scale;
    S->cutoff = fmin(S->cutoff, S->ceiling);
}

/* Takes a matching over if it is better. */
static void offer(aj_search *S, const int32_t *slots)
{
    gm_offer_slots(&S->run, S->index, slots, gm_index_cost(S->index, slots, S->fusion.chosen));
}

void aj_polish(aj_search *S)
{
    offer(S, S->slots);
    if (!S->plain) {
        gm_moves_descend(&S->moves, S->slots, S->fusion.proposal);
        offer(S, S->fusion.proposal);
        gm_primal_fuse(&S->fusion, &S->run);
    }
    update_cutoff(S);
}

void aj_collect(aj_search *S, const aj_problem *P, const int32_t *pick)
{
    for (int32_t i = 0; i < S->index->n1; i++)
        S->slots[i] = -1;
    for (int32_t k = 0; k < P->n_chosen; k++)
        S->slots[S->index->slot_node[P->chosen[k]]] = P->chosen[k];
    for (int32_t i = 0; i < P->n_nodes; i++) {
        const int32_t slot = P->origin[pick[i]];
        if (slot >= 0)
            S->slots[S->index->slot_node[slot]] = slot;
    }
}

void aj_try_matchings(aj_search *S, const aj_frame *F)
{
    const aj_problem *P = F->problem;
    const int root = S->depth == 1;
    aj_collect(S, P, S->bound->match);
    /* below the root only what is not far off: local search costs as much as a few steps */
    if (root || gm_index_cost(S->index, S->slots, S->fusion.chosen) <=
                    2.0 * S->run.value - F->lower / S->scale)
        aj_polish(S);
    if (!root || F->pdhg->total == 0)
        return;
    for (int32_t p = 0; p < P->n; p++) /* forced is free until aj_bound_force */
        S->bound->forced[p] = -F->pdhg->xt[p];
    if (gm_lap_solve(P->lap, S->bound->forced, 1, 0) != GM_OK)
        return;
    for (int32_t i = 0; i < P->n_nodes; i++)
        S->picks[i] = (int32_t)gm_lap_entry(P->lap)[i];
    aj_collect(S, P, S->picks);
    aj_polish(S);
}

/* One fusion move, on the costs of the block-coordinate start by turns while that lasts. */
static int propose(aj_search *S)
{
    gm_reparametrisation costs = {.unary = S->index->slot_cost};
    if (S->bca && S->sweeps > 0 && S->n_proposals & 1)
        costs = gm_bca_costs(S->bca);
    S->n_proposals++;
    S->fused.work += gm_primal_work(&S->fusion);
    return gm_primal_propose(&S->fusion, &costs, &S->run);
}

/* One step of a Frank-Wolfe descent; a better matching is polished. */
static int descend(aj_search *S)
{
    const double before = S->run.value;
    int converged = 0, status = GM_OK;
    if (!S->descending)
        status = gm_descent_begin(&S->descent, &S->random, S->n_descents++, S->run.labels);
    if (status == GM_OK)
        status = gm_descent_step(&S->descent, &S->run, DESCENT_TOLERANCE, &converged);
    S->descending = !converged;
    S->descended.work += gm_descent_work(S->index);
    if (S->run.value < before) {
        gm_labels_to_slots(S->index, S->run.labels, S->slots);
        aj_polish(S);
    }
    return status;
}

static int is_recent(const aj_effort *effort)
{
    return effort->work < RECENT * effort->success;
}

/* The share while better matchings keep coming. Before the root of a large problem is built it is
 * larger, and hope lasts longer: a proposal for every other node and, as regions get stuck
 * independently and all must be right at once, as many times as there are regions. */
static double usual_share(const aj_search *S)
{
    const double regions = S->opened ? 1.0 : fmax(1.0, (double)S->index->n1 / AJ_REGION);
    const double turns =
        S->opened ? 0.0 : 0.5 * regions * S->index->n1 * gm_primal_work(&S->fusion);
    const int hopeful =
        is_recent(&S->descended) || S->fused.work < RECENT * S->fused.success + turns;
    return hopeful ? regions * HOPEFUL_SHARE : SHARE;
}

static double share(const aj_search *S)
{
    const double gap = gm_relative_gap(S->run.value, S->run.bound, S->run.scale);
    const double usual = usual_share(S);
    if (S->sdp_tried || S->work < CHANCE * S->root_work || gap <= WIDE_GAP ||
        S->fused.work + S->descended.work > HOPE * S->found_work)
        return usual;
    return fmin(fmax(HOPEFUL_SHARE, SHARE_PER_GAP * gap), LARGEST_SHARE);
}

int aj_matchings_turn(const aj_search *S)
{
    if (S->index->n_slots == 0 || S->n_proposals < (S->plain ? 1 : FIRST_PROPOSALS))
        return S->index->n_slots > 0;
    if (S->plain)
        return 0;
    if (S->sweeping && !S->opened) /* by turns: the sweeps' costs guide the proposals */
        return S->fused.work + S->descended.work <
               (S->index->n1 > AJ_REGION ? 1.0 : SWEEP_SHARE) * (S->work - S->root_work);
    return S->fused.work + S->descended.work < share(S) * S->work;
}

/* The work of a search, more of it counted where success was long ago: who has less is next. */
static double claim(const aj_effort *effort)
{
    return is_recent(effort) ? effort->work : PREFERENCE * effort->work;
}

int aj_matchings_work(aj_search *S)
{
    const int proposing = S->n_proposals < FIRST_PROPOSALS ||
                          DESCENT_PREFERENCE * claim(&S->fused) <= claim(&S->descended);
    aj_effort *effort = proposing ? &S->fused : &S->descended;
    const double before = S->run.value;
    const int status = proposing ? propose(S) : descend(S);
    S->run.iteration++;
    if (S->run.value < before)
        effort->success = effort->work;
    update_cutoff(S);
    return status;
}
