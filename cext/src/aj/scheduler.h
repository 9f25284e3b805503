/* The exact method as a whole: who works next.
 *
 * aj.c          the kernel
 * scheduler.c   whose turn it is, and what passes between the two:
 * matchings.c   proposals and guiding costs in, the cutoff out
 * tree.c        the cutoff in, the bound and proposals out
 *
 * Neither of the two knows the other. */
#ifndef GM_AJ_SCHEDULER_H
#define GM_AJ_SCHEDULER_H

#include "aj/matchings.h"
#include "aj/tree.h"

typedef struct aj_search {
    gm_run run;
    gm_index *index;
    aj_grain grain;
    aj_matchings matchings;
    aj_tree tree;
    gm_pool pool;
} aj_search;

/* One unit of work, of matchings or of the proof. GM_OK or an error. */
int aj_search_work(aj_search *search);

#endif
