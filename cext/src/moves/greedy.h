/* Randomised greedy matchings: nodes are labelled one after the other, in a random order that
 * grows connected regions, each with the label that is cheapest next to those chosen before. */
#ifndef GM_MOVES_GREEDY_H
#define GM_MOVES_GREEDY_H

#include "base/random.h"
#include "model/index.h"

/* A reparametrisation of the model, the same for every kernel that has one. For side k (0: u,
 * 1: v) of link e, message[start[2e + k] + s] was moved from the link's table to the s-th slot of
 * that side's node; the entry behind the last slot belongs to "unmatched". unary and dummy (per
 * slot, per node) hold the costs with all messages added. */
typedef struct gm_reparametrisation {
    const double *unary, *dummy;
    const double *message; /* NULL: no messages, dummy may be NULL = 0 */
    const int64_t *start;  /* 2 * n_links + 1 */
} gm_reparametrisation;

typedef struct gm_greedy {
    const gm_index *index;
    double
        *price; /* per slot of an open node: unary and pairwise cost next to the labelled nodes */
    double *unmatched; /* per open node: the same for staying unmatched */
    int32_t *holder;   /* per label: the node that took it, -1 = free */
    int32_t *queue;    /* open nodes: labelled | border of the labelled | untouched */
    int32_t *place;    /* per node: its place in the queue, -1 = not open */
    int32_t *arrival;  /* per label: the slot by which an augmenting path reached it */
    int32_t *path;     /* labels in the order the search reached them */
} gm_greedy;

void gm_greedy_take(gm_greedy *greedy, gm_pool *pool, const gm_index *index);

/* Labels the n_open nodes of `open` (NULL: all n1) anew and keeps the other slots (n1 of them,
 * -1 = unmatched); works on the open nodes and their neighbours only. forced >= 0: open[0] takes
 * this slot, whose label no kept node may hold. The result is complete if the index says so.
 * GM_OK, or GM_EINFEASIBLE where no complete matching exists. */
int gm_greedy_match(gm_greedy *greedy, const gm_reparametrisation *costs, gm_random *random,
                    const int32_t *open, int32_t n_open, int32_t forced, int32_t *slots);

/* Makes a matching complete by augmenting paths; what is matched stays matched. */
int gm_greedy_complete(gm_greedy *greedy, int32_t *slots);

#endif
