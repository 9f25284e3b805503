#include "primal.h"

#include <string.h>

void gm_primal_take(gm_primal *primal, gm_pool *pool, const gm_index *index, uint64_t seed, int32_t improve)
{
    primal->index = index;
    primal->random.state = seed;
    primal->improve = improve;
    gm_greedy_take(&primal->greedy, pool, index);
    gm_fusion_take(&primal->fusion, pool, index);
    GM_TAKE(pool, index->n1, primal->incumbent);
    GM_TAKE(pool, index->n1, primal->proposal);
    GM_TAKE(pool, index->n1, primal->labels);
    GM_TAKE(pool, index->n_slots, primal->chosen);
}

int gm_primal_fuse(gm_primal *primal, gm_run *run)
{
    const gm_index *index = primal->index;
    if (!primal->started) {
        memcpy(primal->incumbent, primal->proposal, (size_t)index->n1 * sizeof *primal->incumbent);
        primal->started = 1;
    } else if (gm_fusion_fuse(&primal->fusion, primal->incumbent, primal->proposal, &primal->random, primal->improve) == 0.0) {
        return 0;
    }
    for (int32_t i = 0; i < index->n1; i++)
        primal->labels[i] = primal->incumbent[i] >= 0 ? index->slot_label[primal->incumbent[i]] : -1;
    return gm_run_offer(run, gm_index_cost(index, primal->incumbent, primal->chosen), primal->labels);
}

int gm_primal_propose(gm_primal *primal, const gm_reparametrisation *costs, gm_run *run)
{
    const int status = gm_greedy_match(&primal->greedy, costs, &primal->random, primal->proposal);
    if (status == GM_OK)
        gm_primal_fuse(primal, run);
    return status;
}
