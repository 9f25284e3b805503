/* The neighbours of every node as sets, one for each way to touch it: a part. */
#ifndef GM_SUBGRAPHS_PARTS_H
#define GM_SUBGRAPHS_PARTS_H

#include "subgraphs/neighbours.h"

typedef struct sub_parts {
    int32_t words;
    int32_t *start;        /* [n_nodes + 1] parts of each node */
    int32_t *there, *back; /* of each part */
    uint64_t *set;         /* [parts * words] */
    uint64_t *touch;       /* [n_nodes * words] union of the parts of u */
} sub_parts;

/* Makes room for up to `most` parts of n_nodes nodes. */
void sub_parts_take(sub_parts *parts, gm_pool *pool, int32_t n_nodes, int64_t most, int32_t words);

/* Number of the part of node u with these kinds. While the parts are listed, node after node, a new
 * one if there is none yet. */
int64_t sub_part_of(sub_parts *parts, int32_t u, int32_t there, int32_t back);

/* Parts of the neighbours: node v is member place[v] of the sets, or none, and without parts of its
 * own, if that is < 0. GM_OK or GM_ENOMEM. */
int sub_parts_of_neighbours(sub_parts *parts, gm_pool *pool, const sub_neighbours *near,
                            const int32_t *place, int32_t words);

/* Fills touch from the parts of all nodes. */
void sub_parts_unite(sub_parts *parts, int32_t n_nodes);

#endif
