#include "aj/search/matchings.h"

#include "aj/policy.h"
#include "model/slots.h"

#include <math.h>

int aj_matchings_init(aj_matchings *M, gm_pool *pool, gm_run *run, const gm_index *index,
                      const aj_grain *grain, uint64_t seed)
{
    M->run = run;
    M->index = index;
    M->grain = grain;
    M->random.state = seed;
    M->ceiling = M->cutoff = M->cutoff_value = INFINITY;
    gm_primal_take(&M->fusion, pool, index, seed, GM_QPBO_PATIENCE);
    gm_moves_take(&M->moves, pool, index);
    GM_TAKE(pool, index->n1, M->slots);
    return gm_descent_init(&M->descent, index) == GM_OK && !pool->failed ? GM_OK : GM_ENOMEM;
}

void aj_matchings_clear(aj_matchings *M)
{
    gm_descent_clear(&M->descent);
}

/* ---- the cutoff */

/* The cutoff of the best value: one grain below it or, without a grain, half of the tolerance, and
 * at least the error of the value. */
static void update_cutoff(aj_matchings *M)
{
    const double value = M->run->value;
    if (value == M->cutoff_value)
        return;
    M->cutoff_value = value;
    M->spent_when_found = aj_matchings_spent(M);
    const double width =
        fmax(AJ_CUTOFF_GAP * M->run->tolerance, gm_index_cost_error(M->index, M->run->labels));
    M->cutoff = fmin(M->ceiling, aj_grain_below(M->grain, value, width));
}

void aj_matchings_limit(aj_matchings *M, double cutoff)
{
    /* a matching at the cutoff must not be lost by rounding */
    const double error = gm_rounding_error(2.0 * ((double)M->index->n1 + (double)M->index->n_links),
                                           gm_index_magnitude(M->index));
    const double width = fmax(AJ_CUTOFF_GAP * M->run->tolerance, error);
    M->ceiling = aj_grain_above(M->grain, cutoff, width);
    M->cutoff = fmin(M->cutoff, M->ceiling);
}

/* ---- matchings that were met */

static double cost_of(aj_matchings *M, const int32_t *slots)
{
    return gm_index_cost(M->index, slots, M->fusion.chosen);
}

void aj_matchings_offer(aj_matchings *M, const int32_t *slots, double lower)
{
    const double cost = cost_of(M, slots);
    /* cost - bound <= AJ_FAR_OFF * (value - bound), or else local search, which costs as much as a
     * few steps of the proof, has no chance */
    const double bound = lower / M->grain->scale;
    if (!(cost <= AJ_FAR_OFF * M->run->value - (AJ_FAR_OFF - 1.0) * bound))
        return;
    gm_offer_slots(M->run, M->index, slots, cost);
    if (!M->plain) {
        gm_moves_descend(&M->moves, slots, M->fusion.proposal);
        gm_offer_slots(M->run, M->index, M->fusion.proposal, cost_of(M, M->fusion.proposal));
        gm_primal_fuse(&M->fusion, M->run);
    }
    update_cutoff(M);
}

/* ---- the search for matchings */

/* A fusion move (or a stretch of tabu search); every other one follows the costs of the guide.
 * GM_OK or an error.
 */
static int propose(aj_matchings *M, gm_bca *guide)
{
    gm_reparametrisation costs = {.unary = M->index->slot_cost};
    if (guide && M->n_proposals & 1)
        costs = gm_bca_costs(guide);
    M->n_proposals++;
    M->fused.spent += gm_primal_work(&M->fusion);
    return gm_primal_propose(&M->fusion, &costs, M->run);
}

/* One step of a Frank-Wolfe descent; a better matching is improved further. */
static int descend(aj_matchings *M)
{
    const double before = M->run->value;
    int converged = 0, status = GM_OK;
    if (!M->descending)
        status = gm_descent_begin(&M->descent, &M->random, M->n_descents++, M->run->labels);
    if (status == GM_OK)
        status = gm_descent_step(&M->descent, M->run, GM_DESCENT_TOLERANCE, &converged);
    M->descending = !converged;
    M->descended.spent += gm_descent_work(M->index);
    if (M->run->value < before) {
        gm_labels_to_slots(M->index, M->run->labels, M->slots);
        aj_matchings_offer(M, M->slots, -INFINITY);
    }
    return status;
}

double aj_matchings_spent(const aj_matchings *M)
{
    return M->fused.spent + M->descended.spent;
}

int aj_effort_is_recent(const aj_effort *effort)
{
    return effort->spent < AJ_RECENT * effort->success;
}

/* The work of a search, counted several times if its last success is not recent: the search with
 * less is next. */
static double weigh_effort(const aj_effort *effort)
{
    return aj_effort_is_recent(effort) ? effort->spent : AJ_PREFERENCE * effort->spent;
}

int aj_matchings_must_begin(const aj_matchings *M)
{
    return M->n_proposals < (M->plain ? 1 : AJ_FIRST_PROPOSALS);
}

int aj_matchings_advance(aj_matchings *M, gm_bca *guide)
{
    const int partial = !M->index->complete && M->index->n1 <= AJ_REGION;
    const double preference = partial ? AJ_PARTIAL_PREFERENCE : AJ_DESCENT_PREFERENCE;
    const int proposing = M->n_proposals < AJ_FIRST_PROPOSALS ||
                          preference * weigh_effort(&M->fused) <= weigh_effort(&M->descended);
    aj_effort *effort = proposing ? &M->fused : &M->descended;
    const double before = M->run->value;
    const int status = proposing ? propose(M, guide) : descend(M);
    M->n_units++;
    if (M->run->value < before)
        effort->success = effort->spent;
    update_cutoff(M);
    return status;
}
