/* Two tracks exchange the members of some graphs.
 *
 * x_g = 1: graph g's members of the tracks P and Q change places. The value changes by
 *     sum over g < h of w_gh [x_g != x_h],
 * where w_gh is the change of the cost of the pair (g, h) for (p_g, q_h) and (q_g, p_h) instead of
 * (p_g, p_h) and (q_g, q_h): a signed cut. Q may be empty: P splits. Kernighan and Lin's passes
 * (Bell System Technical Journal 1970) look for a good one: flip the graph that adds least to the
 * cut, each at most once, and go back to the best cut on the way. A short tabu search from there
 * finds exchanges of many graphs that the passes miss.
 */
#ifndef GM_MULTI_SWAP_H
#define GM_MULTI_SWAP_H

#include "multi/tracks.h"

typedef struct multi_swap {
    double *weight;       /* d x d */
    uint8_t *forbidden;   /* d x d: some new pair is not a candidate */
    double *change;       /* per graph: change of the cut if it flips */
    uint8_t *side, *best; /* per graph: x now, and in the best cut so far */
    int32_t *waits;       /* per graph: the flip after which it may be flipped again */
    int32_t *active;      /* graphs that have a member in either track */
    int32_t n_active;
    int32_t *from_first, *from_second; /* per graph: members that change places, -1 = none */
    int32_t *found;                    /* tracks that may exchange members with the one at hand */
    int64_t *seen;                     /* per track: the look in which it was found */
    int64_t *settled; /* per track: when (multi_tracks.clock) all its exchanges were looked at */
    int64_t look;     /* number of the present one */
} multi_swap;

/* Takes memory; look at pool->failed afterwards. */
void multi_swap_take(multi_swap *swap, gm_pool *pool, const multi_graphs *graphs);

/* Looks for an exchange of `track` with every track of a larger number, and for a split of it, and
 * carries out those that gain something. Pairs of tracks that have not changed since the last look
 * are omitted. Returns the number of exchanges. */
int32_t multi_swap_track(multi_swap *swap, multi_tracks *tracks, int32_t track);

#endif
