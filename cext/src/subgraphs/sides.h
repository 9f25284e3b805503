/* One of the two graphs as the search for a common subgraph sees it.
 *
 * The search matches items: nodes, or edges if it counts those. Items are numbered so that the
 * search takes the ones with most neighbours first. Mapping a node u splits every set of items by
 * how they touch u: the parts of u hold the items that touch it in the same way. All sets are bits
 * (bits.h) of `words` words.
 *
 *                items     ways to touch u
 *   by nodes     nodes     kind of the edge, in both directions
 *   by edges     edges     undirected: one; directed: from u, to u
 */
#ifndef GM_SUBGRAPHS_SIDES_H
#define GM_SUBGRAPHS_SIDES_H

#include "subgraphs/parts.h"

typedef struct sub_side {
    const gm_labelled_graph *graph;
    sub_neighbours near;
    int32_t n_nodes, n_items, words;
    int32_t ascending;    /* whether items of small degree come first */
    int32_t *original;    /* [n_items] node or edge */
    int32_t *tail, *head; /* [n_items] its ends; a node is both ends of itself */
    sub_parts parts;
    uint64_t *cover; /* [n_nodes * words] items that touch u, and u if it is one */
    int32_t *twin;   /* [n_nodes] the first of the nodes that are equivalent to u */
} sub_side;

/* Sets up one side; `other` decides the order of items. GM_OK or GM_ENOMEM. */
int sub_side_take(sub_side *side, gm_pool *pool, const gm_labelled_graph *graph,
                  const gm_labelled_graph *other, int directed, int by_edges);

/* Whether exchanging the nodes u and v leaves the graph as it is. */
int sub_side_are_twins(const sub_side *side, int32_t u, int32_t v);

static inline const uint64_t *sub_touch(const sub_side *side, int32_t u)
{
    return side->parts.touch + (int64_t)u * side->words;
}

#endif
