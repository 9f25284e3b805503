/* Fusion moves as a part that any kernel can run: propose a matching, fuse it into the best one.
 *
 * The costs that guide the greedy proposals may be reparametrised; fusion works on the model's own
 * costs, since a reparametrisation changes no matching's cost.
 */
#ifndef GM_PRIMAL_H
#define GM_PRIMAL_H

#include "fusion.h"
#include "greedy.h"
#include "run.h"

typedef struct gm_primal {
    const gm_index *index;
    gm_greedy greedy;
    gm_fusion fusion;
    gm_random random;
    int32_t improve;      /* patience of QPBO-I */
    int32_t *incumbent;   /* slot of each node, -1 = unmatched */
    int32_t *proposal;
    int32_t *labels;
    uint8_t *chosen;      /* per slot: scratch */
    int started;          /* there is an incumbent */
} gm_primal;

/* Takes memory; look at pool->failed afterwards. The index is borrowed. */
void gm_primal_take(gm_primal *primal, gm_pool *pool, const gm_index *index, uint64_t seed, int32_t improve);

/* One randomised greedy matching on `costs`, fused. GM_OK or GM_EINFEASIBLE; a better matching goes
 * to the run. */
int gm_primal_propose(gm_primal *primal, const gm_reparametrisation *costs, gm_run *run);

/* Fuses the matching in primal->proposal, however it was made; it must be complete if the index
 * says so. Returns 1 if that gave a better matching. */
int gm_primal_fuse(gm_primal *primal, gm_run *run);

#endif
