/* A partition of the nodes into tracks under change, with the price of every candidate.
 *
 * A candidate is *chosen* when its two nodes are in one track. price[k] = c_k + the costs of the
 * edges between k and the chosen candidates of its pair, except those that have a node in common
 * with k. When a node moves, the change of value is a sum of prices.
 */
#ifndef GM_MULTI_TRACKS_H
#define GM_MULTI_TRACKS_H

#include "multi/graphs.h"

typedef struct multi_tracks {
    const multi_graphs *graphs;
    double **price;  /* per pair, per candidate */
    int32_t *track;  /* per node: its track, or -1 = taken out */
    int32_t *member; /* per track and graph: the node of that graph (counted in it), or -1 */
    int32_t *size;   /* per track */
    int32_t *vacant; /* stack of the tracks without members; there are as many tracks as nodes */
    int32_t n_vacant;
    double value;     /* kept by increments: rounding errors add up until the next load */
    int64_t *changed; /* per track: the time when it last got or lost a member */
    int64_t clock;    /* counts changes */
    int32_t *number;  /* per track: scratch */
} multi_tracks;

/* Takes memory; look at pool->failed afterwards. multi_tracks_load must follow. */
void multi_tracks_take(multi_tracks *tracks, gm_pool *pool, const multi_graphs *graphs);

/* Takes a node out of its track; nothing happens to a node that is out. */
void multi_tracks_out(multi_tracks *tracks, int32_t g, int32_t i);

/* The estimated work of that, for looks at the clock. */
int64_t multi_tracks_work(const multi_tracks *tracks, int32_t g, int32_t i);

/* Puts a node that is out into a track that has no member of g; every member must be a candidate
 * with it. track = -1: a track of its own. */
void multi_tracks_put(multi_tracks *tracks, int32_t g, int32_t i, int32_t track);

/* Starts from labels (n_nodes of them, equal = same track, -1 = out); prices and value are summed
 * again. */
void multi_tracks_load(multi_tracks *tracks, const int32_t *labels);

/* The track of each node, numbered by first appearance; a node that is out is a track of its own.
 */
void multi_tracks_store(multi_tracks *tracks, int32_t *labels);

/* Sum of the costs of the chosen candidates and of the edges between them, computed again. */
double multi_tracks_cost(const multi_tracks *tracks);

/* The node of graph g in a track, -1 = none. */
static inline int32_t multi_member(const multi_tracks *tracks, int32_t track, int32_t g)
{
    return tracks->member[(int64_t)track * tracks->graphs->d + g];
}

#endif
