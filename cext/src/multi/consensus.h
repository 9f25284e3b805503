/* Tracks from matchings of all pairs: greedy consensus.
 *
 * A match (i, s) of the pair (g, h) is confirmed by a third graph k if the matchings of (g, k) and
 * (k, h) lead from i to s as well. The matches are taken in the order of their confirmations; each
 * unites the tracks of its two nodes if that is allowed. The other order is that of the pairs, the
 * least cost first: where graphs follow each other, those side by side are matched well and lead
 * the others.
 */
#ifndef GM_MULTI_CONSENSUS_H
#define GM_MULTI_CONSENSUS_H

#include "multi/tracks.h"

/* A pair and the cost of its matching. */
struct multi_priced {
    double cost;
    int32_t pair;
};

typedef struct multi_consensus {
    int32_t **forward;  /* per pair: the right node of each left node, -1 = none; the caller's */
    int32_t **backward; /* per pair: the left node of each right node */
    int64_t *start;     /* d + 1: matches by the number of their confirmations */
    int32_t *pair, *node;
    struct multi_priced *priced; /* per pair */
} multi_consensus;

void multi_consensus_take(multi_consensus *consensus, gm_pool *pool, const multi_graphs *graphs);

/* Builds the tracks anew from the matchings in `forward`. */
void multi_consensus_build(multi_consensus *consensus, multi_tracks *tracks);

/* The same in the order of the pairs' costs, which are to be in `priced`. */
void multi_consensus_build_by_cost(multi_consensus *consensus, multi_tracks *tracks);

#endif
