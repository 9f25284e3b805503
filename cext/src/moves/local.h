/* A matching that moves change one after the other, and local search by such moves.
 *
 * price[p] = c_p + the costs of the pairs of p with all chosen slots is kept up to date, so that
 * the change of cost by a move is a sum of a few numbers. In a move, node i gives up slot a for
 * slot p, and node k, which had p's label, gives up slot b for slot q. If q has a's label (a swap),
 * that is
 *
 *     price[p] - price[a] + price[q] - price[b] + pair(a, b) + pair(p, q),
 *
 * pair(a, b) being the cost of the pair. If q has another free label, pair(a, q) is subtracted,
 * too, as price[q] contains it.
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

/* drop: a node gives up its slot, if it has one. put: a node that has none takes a slot whose label
 * is free (-1: nothing happens). */
void gm_moves_drop(gm_moves *moves, int32_t node);
void gm_moves_put(gm_moves *moves, int32_t slot);

/* improved = a local optimum reached from slots: no node can be given a better slot, even if the
 * node that loses its label then gets the best slot that remains. */
void gm_moves_descend(gm_moves *moves, const int32_t *slots, int32_t *improved);

#endif
