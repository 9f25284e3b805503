#ifndef GM_CHECKS_DDLS_PARTS_H
#define GM_CHECKS_DDLS_PARTS_H

#include "gm/run.h"

/* How the costs are split among the parts of the decomposition at the present bound, so that others
 * can check it. Every copy of a cost is a row (part, a, b, cost); b = -1 for a copy of candidate a,
 * else of the pair of candidates a and b. The copies of a candidate or pair add up to its cost in
 * the model. Part 0 is the assignment; local subproblems that are not in use have no copies. Every
 * part is a row (kind, minimum): kind 0 assignment, 1 or 2 tree of the left or right side, 3 or 4
 * local subproblem of that side; minimum is its least cost. Both functions return the number of
 * rows; with NULL they only count. */
int64_t gm_ddls_copies(gm_run *run, int32_t *part, int32_t *a, int32_t *b, double *cost);
int64_t gm_ddls_parts(gm_run *run, int32_t *kind, double *minimum);

#endif
