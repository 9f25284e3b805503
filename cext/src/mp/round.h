/* Matchings from the dual: linear assignments over what it knows, improved by local moves and
 * fused.
 *
 * Every sweep's assignment is a matching. From time to time the assignment over the nodes'
 * marginals is taken as well, then the one over the costs which that matching implies, or a whole
 * Frank-Wolfe descent from it. Both are brought to a local optimum and fused into the best of their
 * predecessors.
 */
#ifndef GM_MP_ROUND_H
#define GM_MP_ROUND_H

#include "moves/frank_wolfe.h"
#include "moves/fusion.h"
#include "moves/local.h"
#include "mp/dual.h"

typedef struct mp_rounding {
    const gm_index *index;
    int32_t descent_limit; /* Frank-Wolfe steps from one matching */
    int32_t n_steps_to_go; /* of the descent under way, 0 = none */
    gm_descent descent;
    gm_moves moves;
    gm_fusion fusion;
    gm_random random;
    int32_t *start,
        *before; /* the matching to improve, and the last one that was: slots of each node */
    int32_t *improved, *fused;
    int has_fused;
    gm_pool pool;
} mp_rounding;

int mp_rounding_init(mp_rounding *rounding, const gm_index *index, int32_t descent_limit);
void mp_rounding_clear(mp_rounding *rounding);

/* Offers the matching of a solved assignment as it is. */
void mp_round_assignment(mp_rounding *rounding, const gm_lap *lap, gm_run *run);

/* Offers the assignment over all that the nodes knew when they were last visited, and begins the
 * descent from it. GM_OK or GM_EINFEASIBLE. */
int mp_round_marginals(mp_rounding *rounding, const mp_dual *dual, gm_run *run);

/* Goes on with the descent, if one is under way, until its end or the deadline. GM_OK or an error.
 */
int mp_round_descend(mp_rounding *rounding, gm_run *run, double deadline);

#endif
