/* The neighbours of every node of a labelled graph, ascending, with the kinds of their edges. */
#ifndef GM_SUBGRAPHS_NEIGHBOURS_H
#define GM_SUBGRAPHS_NEIGHBOURS_H

#include "base/pool.h"
#include "gm.h"

typedef struct sub_neighbours {
    int32_t n_nodes;
    int64_t *start;        /* [n_nodes + 1] */
    int32_t *node;         /* neighbours of u: start[u] .. start[u + 1] - 1 */
    int32_t *there, *back; /* 1 + kind of the edge from u and of the edge to u, 0: none; of an
                              undirected edge only `there` */
} sub_neighbours;

/* Lists the neighbours. joined: the edges of both directions between two nodes are one entry; else
 * every edge is one. A loop is listed once. GM_OK or GM_ENOMEM. */
int sub_neighbours_take(sub_neighbours *near, gm_pool *pool, const gm_labelled_graph *graph,
                        int directed, int joined);

static inline int64_t sub_degree(const sub_neighbours *near, int32_t u)
{
    return near->start[u + 1] - near->start[u];
}

/* The entry of v among the neighbours of u, or -1. */
int64_t sub_find_neighbour(const sub_neighbours *near, int32_t u, int32_t v);

#endif
