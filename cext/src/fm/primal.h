/* Fusion moves, for any kernel to use: propose a matching, fuse it into the incumbent.
 *
 * Fusion (Hutschenreiter et al., ICCV 2021) takes the better mixture of two matchings, by QPBO.
 * Greedy proposals may be made on reparametrised costs; fusion always takes the model's own costs,
 * since a reparametrisation changes no matching's cost.
 */
#ifndef GM_FM_PRIMAL_H
#define GM_FM_PRIMAL_H

#include "base/run.h"
#include "moves/fusion.h"
#include "moves/greedy.h"
#include "moves/tabu.h"

typedef struct gm_primal {
    const gm_index *index;
    gm_greedy greedy;
    gm_fusion fusion;
    gm_random random;
    int32_t improve; /* patience of QPBO-I */

    /* matchings: the slot of each node, -1 = unmatched */
    int32_t *best;      /* the run's matching */
    int32_t *incumbent; /* proposals are fused into it: never worse, but for a fresh start */
    int32_t *proposal;
    double best_cost, incumbent_cost;

    int32_t n_vain;     /* proposals since the incumbent last got better */
    int32_t patience;   /* vain proposals before tabu search or a fresh start; grows */
    gm_tabu tabu;       /* takes over when fusion moves are stuck */
    int32_t tabu_steps; /* of one turn: the work of one proposal */
    double tabu_part;   /* of the patience, for tabu search: less if it found nothing recently */
    int32_t tabu_turns; /* moves without improvement until tabu search ends; 0 = fusion moves */
    int tabu_gained;    /* it found something since it took over */
    int tabu_done;      /* this incumbent has been through tabu search */

    uint8_t *chosen;  /* per slot: scratch */
    int32_t *open;    /* nodes to be labelled again */
    uint8_t *is_open; /* per node: scratch, clear between uses */
} gm_primal;

/* Takes memory; look at pool->failed afterwards. The index is borrowed. */
void gm_primal_take(gm_primal *primal, gm_pool *pool, const gm_index *index, uint64_t seed,
                    int32_t improve);

/* Makes one randomised greedy matching on `costs` and fuses it: now and then a whole new one,
 * mostly the incumbent with a random connected region labelled again. If these are stuck, a call
 * makes one turn of tabu search from the incumbent instead, of the same work; fusion moves continue
 * from its matching, and if both are stuck the next incumbent is a fresh start. GM_OK or
 * GM_EINFEASIBLE; a better matching goes to the run. */
int gm_primal_propose(gm_primal *primal, const gm_reparametrisation *costs, gm_run *run);

/* Estimated work of one proposal, in nanoseconds of an ordinary machine. */
double gm_primal_work(const gm_primal *primal);

/* Fuses the matching in primal->proposal, however it was made, into the incumbent; it must be
 * complete if the index says so. A better matching goes to the run. */
void gm_primal_fuse(gm_primal *primal, gm_run *run);

#endif
