/* Common edges of two small graphs by local search: robust tabu search (Taillard, Robust taboo
 * search for the quadratic assignment problem, Parallel Computing 1991) over maps of all nodes. The
 * start of common_edges.c.
 *
 * Nodes without edges are added to the first graph until it has as many nodes as the second one. A
 * step exchanges the images of two nodes, so that most edges become common or fewest are lost. A
 * node does not get an image back for some steps, unless the map is the best one so far.
 */
#ifndef GM_SUBGRAPHS_EDGE_TABU_H
#define GM_SUBGRAPHS_EDGE_TABU_H

#include "base/random.h"
#include "subgraphs/edit_search.h"

typedef struct edge_tabu {
    const edit_side *first, *second;
    int32_t n1, n2, directed; /* n1 <= n2 */
    int32_t *near, *start;    /* neighbours of each node of the first graph, both directions */
    int32_t *image;           /* [n2] of each node */
    /* [n2 * n2] rows and columns are nodes of the first graph, columns stand for their images */
    int32_t *from, *to;        /* edges between images, no loops */
    int32_t *fits;             /* 1: the type of the row's node is that of the column's image */
    int32_t *gain;             /* common edges of the row's node if it had the column's image */
    int64_t *until;            /* [n2 * n2] the step from which a node may get an image back */
    int32_t *more;             /* [n2] by how much an exchange with each node pays */
    int32_t *best;             /* [n1] the best images so far */
    int32_t value, best_value; /* common edges */
    int64_t n_steps;
    gm_random random;
} edge_tabu;

/* Takes memory for graphs of n1 <= n2 nodes, the first one with m edges. */
void edge_tabu_take(edge_tabu *t, gm_pool *pool, int32_t n1, int32_t n2, int32_t m);

/* Starts with these labels, -1: none. The sides are listed. */
void edge_tabu_begin(edge_tabu *t, const edit_search *s, const int32_t *labels);

/* Writes the labels of the best map, -1 for images of another type. */
void edge_tabu_labels(const edge_tabu *t, int32_t *labels);

/* Makes this many steps. */
void edge_tabu_go(edge_tabu *t, int64_t steps);

#endif
