#include "mp/round.h"
#include "base/watch.h"
#include "mp/policy.h"

#include <string.h>

int mp_rounding_init(mp_rounding *rounding, const gm_index *index, int32_t descent_limit)
{
    gm_pool *pool = &rounding->pool;
    *rounding = (mp_rounding){.index = index, .descent_limit = descent_limit};
    gm_moves_take(&rounding->moves, pool, index);
    gm_fusion_take(&rounding->fusion, pool, index);
    GM_TAKE(pool, index->n1, rounding->start);
    GM_TAKE(pool, index->n1, rounding->before);
    GM_TAKE(pool, index->n1, rounding->improved);
    GM_TAKE(pool, index->n1, rounding->fused);
    return pool->failed ? GM_ENOMEM : gm_descent_init(&rounding->descent, index);
}

void mp_rounding_clear(mp_rounding *rounding)
{
    gm_descent_clear(&rounding->descent);
    gm_pool_free(&rounding->pool);
}

static void offer(mp_rounding *rounding, const int32_t *slots, gm_run *run)
{
    gm_offer_slots(run, rounding->index, slots,
                   gm_index_cost(rounding->index, slots, rounding->descent.mark));
}

void mp_round_assignment(mp_rounding *rounding, const gm_lap *lap, gm_run *run)
{
    gm_lap_to_slots(rounding->index, lap, rounding->start);
    offer(rounding, rounding->start, run);
}

/* Takes the matching in `start` to a local optimum and fuses that with those before it. */
static void improve(mp_rounding *rounding, gm_run *run)
{
    const size_t n_bytes = sizeof *rounding->start * (size_t)rounding->index->n1;
    if (rounding->has_fused && !memcmp(rounding->start, rounding->before, n_bytes))
        return; /* the same matching often comes many times in succession */
    memcpy(rounding->before, rounding->start, n_bytes);
    gm_moves_descend(&rounding->moves, rounding->start, rounding->improved);
    if (!rounding->has_fused)
        memcpy(rounding->fused, rounding->improved, n_bytes);
    else if (gm_fusion_fuse(&rounding->fusion, rounding->fused, rounding->improved,
                            &rounding->random, GM_QPBO_PATIENCE) == 0.0)
        return;
    rounding->has_fused = 1;
    offer(rounding, rounding->fused, run);
}

int mp_round_marginals(mp_rounding *rounding, const mp_dual *dual, gm_run *run)
{
    const gm_index *index = rounding->index;
    gm_descent *descent = &rounding->descent;
    mp_dual_relative(dual, dual->marginal, descent->rounding_cost);
    const int status =
        gm_lap_solve(descent->rounding_lap, descent->rounding_cost, index->complete, 1);
    if (status != GM_OK)
        return status;
    mp_round_assignment(rounding, descent->rounding_lap, run);
    gm_descent_place(descent, gm_lap_match(descent->rounding_lap));
    gm_descent_start(descent);
    rounding->steps_remaining = rounding->descent_limit;
    return GM_OK;
}

int mp_round_descend(mp_rounding *rounding, gm_run *run, double deadline)
{
    while (rounding->steps_remaining > 0) {
        int converged = 0;
        const int status =
            gm_descent_step(&rounding->descent, run, GM_DESCENT_TOLERANCE, &converged);
        if (status != GM_OK)
            return status;
        rounding->steps_remaining = converged ? 0 : rounding->steps_remaining - 1;
        if (rounding->steps_remaining == 0) {
            memcpy(rounding->start, rounding->descent.vertex,
                   sizeof *rounding->start * (size_t)rounding->index->n1);
            improve(rounding, run);
        }
        if (gm_is_late(deadline))
            break;
    }
    return GM_OK;
}
