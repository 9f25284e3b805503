/* Common subgraphs of molecules with whole rings only.
 *
 * Some edges of the first graph are marked: they lie on a ring of it. In a common subgraph they
 * count only if they lie on a ring of the common subgraph. An edge of no ring is a bridge, and
 * taking a bridge away opens no ring. So the marked bridges are taken away, and the connected part
 * with the most edges remains.
 */
#ifndef GM_SUBGRAPHS_RINGS_H
#define GM_SUBGRAPHS_RINGS_H

#include "subgraphs/classes.h"

typedef struct sub_rings {
    int32_t *common;         /* [n_edges] whether the edge is common */
    int32_t *start, *listed; /* [n1 + 1], [2 n_edges] common edges of each node */
    int32_t *entered, *low;  /* [n1] of the depth-first search */
    int32_t *stack, *by;     /* [n1] nodes on the path, and the edge to each */
    int32_t *next;           /* [n1] the next entry of `listed` */
    int32_t *part;           /* [n1] the connected part of each node */
    int32_t *size;           /* [n1] edges of each part */
} sub_rings;

void sub_rings_take(sub_rings *rings, gm_pool *pool, const sub_question *q);

/* The most edges of a connected part with whole rings only, of the common subgraph that the labels
 * map; the labels of all other nodes become -1 in `kept`: [n1]. */
int32_t sub_whole_rings(sub_rings *rings, const sub_question *q, const int32_t *labels,
                        int32_t *kept);

#endif
