/* Which node a subproblem branches on, and in which order its candidates are tried. */
#ifndef GM_AJ_TREE_BRANCHING_H
#define GM_AJ_TREE_BRANCHING_H

#include "aj/model/twins.h"
#include "aj/tree/node_stack.h"

typedef struct aj_branching {
    aj_twins *twins;     /* found when branching begins */
    int32_t *class_seen; /* scratch, per label class: the last list of candidates that has it */
    gm_pool pool;
} aj_branching;

void aj_branching_clear(aj_branching *branching);

/* The frame gets the children of the node whose candidates promise the smallest trees. The bound is
 * that of the frame's problem, forced (aj_bound_force) up to the cutoff. GM_OK or GM_ENOMEM. */
int aj_branching_choose(aj_branching *branching, const gm_index *index, aj_frame *F,
                        const aj_bound *bound, double cutoff);
/* Clears in the mask of a problem's candidates those of the twins of a node that the decision for
 * one of its candidates excludes: (C) in twins.h. */
void aj_branching_exclude(const aj_branching *branching, const gm_index *index,
                          const aj_problem *problem, int32_t decided, uint8_t *candidates);

#endif
