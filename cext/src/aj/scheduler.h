/* The exact method as a whole: who works next.
 *
 * aj.c          the kernel
 * scheduler.c   whose turn it is, and what passes between the two:
 * quick.c       iterations of mp, before the others
 * matchings.c   proposals and guiding costs in, the cutoff out
 * tree.c        the cutoff in, the bound and proposals out
 *
 * Neither of the two knows the other. */
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
    int begun;    /* matchings and tree have their memory: not while mp may do without them */
    int helped;   /* a round's pieces are done by others */
    int64_t last; /* the search may come to this iteration */
    gm_pool pool;
} aj_search;

/* Takes the memory of matchings and tree. GM_OK or GM_ENOMEM. */
int aj_search_begin(aj_search *search);
/* One unit of work, of mp, matchings or of the proof. GM_OK or an error. */
int aj_search_advance(aj_search *search);

/* ---- a round's pieces of work, which threads may do side by side: the tasks of the tree, and what
 * the search for matchings may do meanwhile */

/* How many there are; 0: no round is going on, or nothing is left of it to do. */
int32_t aj_search_n_pieces(const aj_search *search);
/* Does a piece until it is done, or until the clock shows `deadline`. GM_OK or an error. */
int aj_search_piece(aj_search *search, int32_t piece, double deadline);

#endif
