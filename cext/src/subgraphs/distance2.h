/* Pairs of nodes by how many neighbours they have in common.
 *
 * A map keeps common neighbours, so that nodes with c of them become nodes with at least c. This
 * cuts the domains of nodes two steps away, like edges do those of neighbours. Counts above
 * SUB_COUNTS are taken as equal. Directions and kinds of edges play no part.
 */
#ifndef GM_SUBGRAPHS_DISTANCE2_H
#define GM_SUBGRAPHS_DISTANCE2_H

#include "subgraphs/candidates.h"

enum { SUB_COUNTS = 3 };

typedef struct sub_distance2 {
    int is_there; /* there is memory for it */
    int is_filled;
    int32_t words;
    int64_t *start;  /* [variables + 1] */
    int32_t *other;  /* variables with neighbours in common with x: start[x] .. start[x + 1] - 1 */
    int32_t *common; /* how many, at most SUB_COUNTS */
    int64_t room;    /* of other and common */
    uint64_t *set;   /* [SUB_COUNTS * values * words]: set k of value s holds the values with more
                        than k neighbours in common with it */
    int32_t *count;  /* [nodes of the larger graph] scratch, 0 */
} sub_distance2;

/* Takes memory unless it would be too much. */
void sub_distance2_take(sub_distance2 *d, gm_pool *pool, const sub_candidates *c);

/* Counts. Does nothing without memory. */
void sub_distance2_fill(sub_distance2 *d, const sub_candidates *c);

/* The values with at least `common` neighbours in common with s. */
static inline const uint64_t *sub_distance2_set(const sub_distance2 *d, const sub_candidates *c,
                                                int32_t s, int32_t common)
{
    return d->set + ((int64_t)(common - 1) * c->n_values + s) * d->words;
}

#endif
