/* A matching under change: local search on the model's own costs.
 *
 * price[p] = c_p + cost of p's pairs with chosen slots, kept up to date, makes the change of any
 * move a sum of a few numbers: node i gives up slot a for p, and a node k that held p's label gives
 * up b for q, where q is a's label or a free one, or nothing:
 *
 *     price[p] - price[a] + price[q] - price[b] + pair(a, b) + pair(p, q).
 */
#ifndef GM_MOVES_LOCAL_H
#define GM_MOVES_LOCAL_H

#include "model/index.h"

typedef struct gm_moves {
    const gm_index *index;
    double *price;    /* n_slots */
    int32_t *current; /* n1: slot of each node, -1 = unmatched */
    int32_t *owner;   /* n2: node that has the label, -1 = free */
} gm_moves;

/* Takes memory; look at pool->failed afterwards. The index is borrowed. */
void gm_moves_take(gm_moves *moves, gm_pool *pool, const gm_index *index);

/* Starts from a matching: slots of each node, -1 = unmatched. */
void gm_moves_load(gm_moves *moves, const int32_t *slots);

/* A node gives up its slot; a node that has none takes one whose label is free. -1: nothing
 * happens. */
void gm_moves_drop(gm_moves *moves, int32_t node);
void gm_moves_put(gm_moves *moves, int32_t slot);

/* A local optimum near slots: no node can be given a better slot, even if the node that loses its
 * label is then placed as well as possible. */
void gm_moves_descend(gm_moves *moves, const int32_t *slots, int32_t *improved);

#endif
