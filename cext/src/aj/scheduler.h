/* The exact method as a whole: who works next. Calls point downwards in this map only.
 *
 * aj.c               the kernel
 * scheduler.c        whose turn it is, and what passes between the three below:
 *   quick.c          iterations of mp, before the others
 *   matchings.c      in: proposals and guiding costs; out: the cutoff (grain.c)
 *   tree.c           in: the cutoff; out: the bound, and proposals (proposals.c)
 *     root.c         the root, and block-coordinate ascent before it (sweeps.c)
 *     path.c         the subproblems from the root to the present one
 *     branching.c    which node a subproblem branches on (twins.c)
 *     rounds.c       children of the semidefinite root, searched side by side
 *     semidefinite.c the semidefinite phase: its nodes (sdp_node.c), their matrices (sdp.c,
 *                    sdp_costs.c, span.c), trees (dense.c, dense_level.c, assignment.c,
 *                    symmetry.c) and proofs by deletions (stages.c)
 *     certificate.c  what proves the root's bound
 *   aj.h             a subproblem (problem.c, lift.c), its ascent (pdhg.c), its bound (bound.c),
 *                    deletions (reduce.c); scratch.c for all of these
 *
 * forced.c (with ahead.c) and claims.c are kernels of their own, on the same parts.
 * The search for matchings and the tree do not know each other. */
#ifndef GM_AJ_SCHEDULER_H
#define GM_AJ_SCHEDULER_H

#include "aj/matchings.h"
#include "aj/quick.h"
#include "aj/tree.h"

typedef struct aj_search {
    gm_run run;
    gm_index *index;
    aj_grain grain;
    aj_quick quick;
    aj_matchings matchings;
    aj_tree tree;
    uint64_t seed;
    int begun;    /* matchings and tree have their memory: not before mp has given up */
    int helped;   /* other threads do a round's pieces */
    int64_t last; /* the iteration limit of the present call */
    gm_pool pool;
} aj_search;

/* Takes the memory of matchings and tree. GM_OK or GM_ENOMEM. */
int aj_search_begin(aj_search *search);
/* One unit of work, of mp, matchings or of the proof. GM_OK or an error. */
int aj_search_advance(aj_search *search);

/* ---- a round's pieces of work, which threads may do side by side: the tasks of the tree, and what
 * the search for matchings may do meanwhile */

/* How many there are; 0: no round is going on, or it is done. */
int32_t aj_search_n_pieces(const aj_search *search);
/* Does a piece until it is done, or until the clock shows `deadline`. GM_OK or an error. */
int aj_search_piece(aj_search *search, int32_t piece, double deadline);

#endif
