/* The exact method as a whole: which part works next. Calls point downwards in this map only.
 *
 * aj.c                  the kernel
 * open.c                the open subproblems, for a later run (tree/leaves.c)
 * scheduler.c           the order of the three parts below, and the data that they exchange:
 *   lp/mp_start.c       iterations of mp, before the others
 *   search/matchings.c  in: proposals and guiding costs; out: the cutoff (model/cost_grid.c)
 *   tree/tree.c         in: the cutoff; out: the bound, and proposals (search/proposals.c)
 *     tree/root.c       the root, and block-coordinate ascent before it (lp/sweeps.c)
 *     tree/node_stack.c the subproblems from the root to the present one
 *     tree/branching.c  which node a subproblem branches on (model/twins.c)
 *     sdp/rounds.c      children of the semidefinite root, searched side by side
 *     sdp/phase.c       the semidefinite phase: its nodes (sdp/node.c), their matrices
 *                       (sdp/relaxation.c, sdp/costs.c, sdp/grid.c, model/span.c), a root for later
 * runs (sdp/kept_root.c), trees (tree/dense.c, tree/dense_level.c, lp/assignment.c,
 * model/symmetry.c) and proofs by deletions (sdp/stages.c) lp/certificate.c  the proof of the
 * root's bound aj.h                a subproblem (model/problem.c, model/lift.c), its ascent
 * (lp/pdhg.c), its bound (lp/star_bound.c), deletions (model/reduce.c); scratch.c for all
 *
 * lp/forced.c (with tree/lookahead.c) is a kernel of its own, on the same parts.
 * The search for matchings and the tree do not know each other. */
#ifndef GM_AJ_SCHEDULER_H
#define GM_AJ_SCHEDULER_H

#include "aj/lp/mp_start.h"
#include "aj/open.h"
#include "aj/search/matchings.h"
#include "aj/tree/tree.h"

typedef struct aj_search {
    gm_run run;
    gm_index *index;
    aj_grain grain;
    aj_quick quick;
    aj_matchings matchings;
    aj_tree tree;
    uint64_t seed;
    gm_random probe; /* chooses children, if the run is a probe */
    int begun;       /* matchings and tree have their memory: not before mp has given up */
    int helped;      /* other threads do a round's pieces */
    int64_t last;    /* the iteration limit of the present call */
    aj_open open;    /* for a later run */
    gm_pool pool;
} aj_search;

/* Takes the memory of matchings and tree. GM_OK or GM_ENOMEM. */
int aj_search_begin(aj_search *search);
/* One unit of work, of mp, matchings or of the proof. GM_OK or an error. */
int aj_search_advance(aj_search *search);

/* ---- a round's pieces of work, which threads may do side by side: the tasks of the tree, and the
 * work of the search for matchings meanwhile */

/* How many there are; 0: no round is going on, or it is done. */
int32_t aj_search_n_pieces(const aj_search *search);
/* Does a piece until it is done, or until the clock shows `deadline`: then it returns the
 * thousandths of it that are left, at least 1. GM_OK, that or an error. */
int aj_search_piece(aj_search *search, int32_t piece, double deadline);

#endif
