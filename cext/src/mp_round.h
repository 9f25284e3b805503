/* Matchings from the dual: linear assignments over what it knows, improved by local moves and fused.
 *
 * Every sweep's assignment is a matching. From time to time the assignment over the nodes' marginals
 * is taken as well, then the one over the costs which that matching implies, or a whole Frank-Wolfe
 * descent from it. Both are brought to a local optimum and fused into the best of their predecessors.
 */
#ifndef GM_MP_ROUND_H
#define GM_MP_ROUND_H

#include "frank_wolfe.h"
#include "fusion.h"
#include "moves.h"
#include "mp_dual.h"

typedef struct mp_rounding {
    const gm_index *index;
    int32_t descent_limit; /* Frank-Wolfe steps from one matching */
    gm_descent descent;
    gm_moves moves;
    gm_fusion fusion;
    gm_random random;
    int32_t *start, *before; /* the matching to improve, and the last one that was: slots of each node */
    int32_t *improved, *fused, *labels;
    int has_fused;
    gm_pool pool;
} mp_rounding;

int mp_rounding_init(mp_rounding *rounding, const gm_index *index, int32_t descent_limit);
void mp_rounding_clear(mp_rounding *rounding);

/* Offers the matching of a solved assignment as it is. */
void mp_round_assignment(mp_rounding *rounding, const gm_lap *lap, gm_run *run);

/* The assignment over all that the nodes knew when they were last visited, and what follows from it.
 * GM_OK or GM_EINFEASIBLE. */
int mp_round_marginals(mp_rounding *rounding, const mp_dual *dual, gm_run *run);

#endif
