/* Matchings that the proof has met and hands over to the search for matchings. */
#ifndef GM_AJ_SEARCH_PROPOSALS_H
#define GM_AJ_SEARCH_PROPOSALS_H

#include "aj/aj.h"

enum { AJ_MOST_PROPOSALS = 2 }; /* of one unit of work */

typedef struct aj_proposals {
    const gm_index *index;
    int32_t n;
    int32_t *slots[AJ_MOST_PROPOSALS]; /* n1 each */
    /* scaled bound of the subproblem in which it was met; -inf: of interest whatever it costs */
    double lower[AJ_MOST_PROPOSALS];
} aj_proposals;

/* Takes memory; look at pool->failed afterwards. */
void aj_proposals_take(aj_proposals *proposals, gm_pool *pool, const gm_index *index);
/* Adds the matching that takes pick[i] in every undecided node i of a subproblem. */
void aj_propose(aj_proposals *proposals, const aj_problem *problem, const int32_t *pick,
                double lower);

#endif
