/* Scratch of the subproblem that is looked at: the bound of its last evaluation, and the masks in
 * which deletions and decisions are noted before a smaller problem is built. One for all
 * subproblems of a search; functions that need it take it as an argument. */
#ifndef GM_AJ_SCRATCH_H
#define GM_AJ_SCRATCH_H

#include "aj/aj.h"

typedef struct aj_scratch {
    int32_t n_nodes;       /* of the whole model */
    int32_t n, n_mu, n_nu; /* capacity: candidates, rows mu and nu, */
    int64_t m;             /* and entries */
    aj_bound *bound;
    uint8_t *candidates, *entries; /* masks: 1 = may stay, 0 = deleted */
} aj_scratch;

/* Makes it large enough for this problem and for all earlier ones; its content is lost. GM_OK or
 * GM_ENOMEM. */
int aj_scratch_fit(aj_scratch *scratch, const aj_problem *problem);
void aj_scratch_clear(aj_scratch *scratch);

/* Sets both masks: everything may stay. */
void aj_scratch_keep_all(aj_scratch *scratch, const aj_problem *problem);
/* Deletes the other candidates of this one's node. */
void aj_scratch_decide(aj_scratch *scratch, const aj_problem *problem, int32_t candidate);
/* aj_propagate on these masks. An enum aj_rest or GM_ENOMEM. */
int aj_scratch_propagate(aj_scratch *scratch, const aj_problem *problem);
/* How much of the problem may stay: the smaller part of its candidates and of its entries. */
double aj_scratch_kept_part(const aj_scratch *scratch, const aj_problem *problem);

#endif
