/* Matchings from the dual: linear assignments over its costs, improved by local moves and fused.
 *
 * The assignment after every sweep is a matching. From time to time the assignment over the nodes'
 * min-marginals is another, from which a Frank-Wolfe descent begins (one step, or many if the
 * options ask for them). From its end, local moves lead to a local optimum, which is fused into the
 * best of those before it.
 */
#ifndef GM_MP_ROUND_H
#define GM_MP_ROUND_H

#include "moves/frank_wolfe.h"
#include "moves/fusion.h"
#include "moves/local.h"
#include "mp/dual.h"

typedef struct mp_rounding {
    const gm_index *index;
    int32_t descent_limit;   /* Frank-Wolfe steps from one matching */
    int32_t steps_remaining; /* of the descent under way, 0 = none */
    gm_descent descent;
    gm_moves moves;
    gm_fusion fusion;
    gm_random random;
    /* matchings: the slot of each node, -1 = unmatched */
    int32_t *start;    /* to be improved, */
    int32_t *before;   /* the last one that was, */
    int32_t *improved; /* and its improvement */
    int32_t *fused;    /* all of those together */
    int has_fused;     /* there was one */
    gm_pool pool;
} mp_rounding;

int mp_rounding_init(mp_rounding *rounding, const gm_index *index, int32_t descent_limit);
void mp_rounding_clear(mp_rounding *rounding);

/* Offers the matching of a solved assignment as it is. */
void mp_round_assignment(mp_rounding *rounding, const gm_lap *lap, gm_run *run);

/* Offers the assignment over the min-marginals of the nodes when last visited, and begins the
 * descent from it. GM_OK or GM_EINFEASIBLE. */
int mp_round_marginals(mp_rounding *rounding, const mp_dual *dual, gm_run *run);

/* Goes on with the descent, if one is under way, until its end or the deadline. GM_OK or an error.
 */
int mp_round_descend(mp_rounding *rounding, gm_run *run, double deadline);

#endif
