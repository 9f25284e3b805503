/* Tracks from matchings of all pairs: greedy consensus.
 *
 * A match (i, s) of the pair (g, h) is confirmed by a third graph k if the matchings of (g, k) and
 * (k, h) lead from i to s as well. The matches are taken in the order of their confirmations; each
 * unites the tracks of its two nodes if that is allowed. Another order is that of the pairs, the
 * least cost first: if the graphs are a sequence in time, neighbours are matched well and decide
 * before the others.
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
    multi_matchings matchings;   /* forward is set by the caller */
    int64_t *start;              /* d + 1: of the matches by the number of their confirmations */
    int32_t *pair, *node;        /* matches in the order of uniting: pair and left node */
    struct multi_priced *priced; /* per pair */
} multi_consensus;

/* Takes memory; look at pool->failed afterwards. */
void multi_consensus_take(multi_consensus *consensus, gm_pool *pool, const multi_graphs *graphs);

/* Builds the tracks again from the matchings. */
void multi_consensus_build(multi_consensus *consensus, multi_tracks *tracks);

/* The same in the order of the pairs' costs, which the caller has written to `priced`. */
void multi_consensus_build_by_cost(multi_consensus *consensus, multi_tracks *tracks);

#endif
