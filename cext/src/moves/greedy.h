/* Randomised greedy matchings (Hutschenreiter et al. 2021): nodes get their labels one after the
 * other, each the free label that is cheapest given the labels chosen before. The order is random
 * and grows connected regions: the next node is a neighbour of the labelled ones if there is one.
 */
#ifndef GM_MOVES_GREEDY_H
#define GM_MOVES_GREEDY_H

#include "base/random.h"
#include "model/index.h"

/* Costs after a reparametrisation of the model, in the form that all kernels with one give them. On
 * side k of link e (0: node u, 1: node v), message[start[2e + k] + s] was moved from the link's
 * table to the s-th slot of that side's node; the one behind the last slot, to staying unmatched.
 * unary (per slot) and dummy (per node, for staying unmatched) hold the costs with all messages
 * added. */
typedef struct gm_reparametrisation {
    const double *unary, *dummy;
    const double *message; /* NULL: none; then dummy may be NULL, too, and counts as 0 */
    const int64_t *start;  /* 2 * n_links + 1 */
} gm_reparametrisation;

typedef struct gm_greedy {
    const gm_index *index;
    double *price;     /* per slot of an open node: its cost given the labels chosen so far */
    double *unmatched; /* per open node: the same for staying unmatched */
    int32_t *holder;   /* per label: the node that took it, -1 = free */
    int32_t *queue;    /* open nodes: first the labelled, then their neighbours, then the others */
    int32_t *place;    /* per node: its place in the queue, -1 = not open */
    int32_t *arrival;  /* per label: the slot by which an augmenting path reached it */
    int32_t *path;     /* labels in the order in which that search reached them */
} gm_greedy;

/* Takes memory; look at pool->failed afterwards. The index is borrowed. */
void gm_greedy_take(gm_greedy *greedy, gm_pool *pool, const gm_index *index);

/* Labels the n_open nodes of `open` (NULL: all n1) again and keeps the others as they are in slots
 * (n1 of them, -1 = unmatched). Most of the time goes into open nodes and their neighbours. forced
 * >= 0: open[0] takes this slot first, whose label no kept node may have. The result is complete if
 * the index says so. The costs of the model itself are {.unary = index->slot_cost}. GM_OK, or
 * GM_EINFEASIBLE if no complete matching exists. */
int gm_greedy_match(gm_greedy *greedy, const gm_reparametrisation *costs, gm_random *random,
                    const int32_t *open, int32_t n_open, int32_t forced, int32_t *slots);

/* Makes a matching complete by augmenting paths; matched nodes stay matched, with other labels
 * perhaps. GM_OK or GM_EINFEASIBLE. */
int gm_greedy_complete(gm_greedy *greedy, int32_t *slots);

#endif
