/* The semidefinite phase of the root, and the search below it where the problem is dense and
 * complete (docs/exact.md).
 *
 * A node is a subproblem with its matrices. Its stages: a small tree of dual ascent on the costs
 * that it inherits; steps of ADMM, with deletions; a larger tree; branching. Problems of other
 * kinds have the root only, and its costs go to the ordinary search. */
#ifndef GM_AJ_SEMIDEFINITE_H
#define GM_AJ_SEMIDEFINITE_H

#include "aj/dense.h"
#include "aj/sdp.h"

enum aj_node_stage { AJ_SMALL_TREE, AJ_STEPS, AJ_LARGE_TREE, AJ_BRANCHING };

typedef struct aj_node {
    enum aj_node_stage stage;
    aj_sdp *sdp;
    aj_dense *dense;
    double lower;
    int64_t due;           /* steps at the next evaluation */
    int64_t patience;      /* steps before which the stage does not end as hopeless */
    double last_values[2]; /* of the last two evaluations, */
    int64_t last_steps[2]; /* and when they were */
    int32_t n_children, next_child;
    int32_t *child; /* candidates of sdp->problem, most promising first */
    double *child_lower;
} aj_node;

#endif
