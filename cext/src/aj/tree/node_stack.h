/* The path from the root to the present subproblem (depth first), and its memory: problems shrink,
 * are lifted, are put aside when all of them together take too much, and are made again when the
 * search comes back. */
#ifndef GM_AJ_TREE_NODE_STACK_H
#define GM_AJ_TREE_NODE_STACK_H

#include "aj/search/proposals.h"
#include "aj/tree/leaves.h"

/* The next step of a frame. AJ_EVALUATE: its bound. AJ_DELETE: candidates that cannot be better, by
 * that bound and the cutoff. AJ_ASCEND: steps of the ascent until the next evaluation is due.
 * AJ_BRANCH: one child after the other. AJ_SEMIDEFINITE: the semidefinite phase, at the root only.
 */
enum aj_phase { AJ_EVALUATE, AJ_DELETE, AJ_ASCEND, AJ_BRANCH, AJ_SEMIDEFINITE };

typedef struct aj_frame {
    aj_problem *problem; /* and its ascent; NULL while they are put aside */
    aj_pdhg *pdhg;
    double lower;  /* bound on the rest of this frame, */
    double before; /* and the one before the last evaluation */
    double last;   /* value of the previous evaluation */
    enum aj_phase phase;
    int stalled;          /* evaluations in a row that gained little */
    int lifted;           /* all links are full tables, or shall not become any */
    double interval;      /* steps until the evaluation after the next */
    int64_t due;          /* step count of the next evaluation */
    aj_children children; /* keys of the branching node's candidates */
    double weight;        /* its share of the whole tree: see leaves.h */
} aj_frame;

typedef struct aj_path {
    const gm_index *index;
    double memory; /* bytes for the problems below the root */
    int32_t depth; /* frames in use */
    aj_frame *frames;
} aj_path;

/* Takes memory; look at pool->failed afterwards. */
void aj_path_take(aj_path *path, gm_pool *pool, const gm_index *index);
aj_frame *aj_path_top(const aj_path *path);
void aj_path_pop(aj_path *path);
/* A bound on all open subproblems; +inf if there are none. */
double aj_path_lower(const aj_path *path);
/* The share of the tree that is open. */
double aj_path_weight(const aj_path *path);

/* Puts the part of `from` that the masks, propagated, describe into frame F (which may be from's
 * own); the ascent starts from `warm` if given, or from zero. If everything is decided the matching
 * is proposed, and the rest is AJ_EMPTY. An enum aj_rest or GM_ENOMEM. */
int aj_frame_reduce(aj_frame *F, const aj_problem *from, const aj_pdhg *warm,
                    const aj_scratch *scratch, aj_proposals *proposals);
/* The frame takes this problem over, with an ascent from zero; frees it on failure. GM_OK or
 * GM_ENOMEM. */
int aj_frame_take(aj_frame *F, aj_problem *problem);
/* All links of the frame become full tables. GM_OK or GM_ENOMEM. */
int aj_frame_lift(aj_frame *F, aj_scratch *scratch);

/* A frame with a new problem: evaluated first, then at growing intervals. */
void aj_frame_begin(aj_frame *F, double lower, double weight, int lifted);
/* The frame ascends until its next evaluation. */
void aj_frame_schedule(aj_frame *F);
/* One step of the ascent; after the last one an evaluation is next. */
void aj_frame_ascend(aj_frame *F);

/* A candidate of any subproblem by a number that does not change: its slot, or -1 - node for the
 * dummy of a node. */
int32_t aj_candidate_key(const gm_index *index, const aj_problem *problem, int32_t p);
/* Makes the decisions of child k in the masks: see aj_leaves_decide. */
int aj_frame_decide(const aj_frame *F, int32_t k, const gm_index *index, const aj_problem *problem,
                    aj_scratch *scratch, int32_t *last);
/* Adds the decisions that lead to child k to the last leaf of a list. */
void aj_frame_list(const aj_frame *F, int32_t k, aj_leaves *leaves);
/* The candidate with this number, or -1. */
int32_t aj_candidate_find(const gm_index *index, const aj_problem *problem, int32_t key);

/* Puts problems aside, those nearest to the root first, until the rest fits into the memory. */
void aj_path_put_aside(aj_path *path);
/* Makes the problem of the top frame again from the decisions that led to it; what had been deleted
 * since may be back. Returns as aj_frame_reduce. */
int aj_path_restore(aj_path *path, aj_scratch *scratch, aj_proposals *proposals);

#endif
