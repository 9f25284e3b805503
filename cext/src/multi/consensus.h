/* Tracks from matchings of all pairs: greedy consensus.
 *
 * A match (i, s) of the pair (g, h) is confirmed by a third graph k if the matchings of (g, k) and
 * (k, h) lead from i to s as well. The matches are taken in the order of their confirmations; each
 * unites the tracks of its two nodes if that is allowed.
 */
#ifndef GM_MULTI_CONSENSUS_H
#define GM_MULTI_CONSENSUS_H

#include "multi/tracks.h"

typedef struct multi_consensus {
    int32_t **forward;  /* per pair: the right node of each left node, -1 = none; the caller's */
    int32_t **backward; /* per pair: the left node of each right node */
    int64_t *start;     /* d + 1: matches by the number of their confirmations */
    int32_t *pair, *node;
} multi_consensus;

void multi_consensus_take(multi_consensus *consensus, gm_pool *pool, const multi_graphs *graphs);

/* Builds the tracks anew from the matchings in `forward`. */
void multi_consensus_build(multi_consensus *consensus, multi_tracks *tracks);

#endif
