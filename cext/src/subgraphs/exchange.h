/* Common induced subgraphs of small graphs by local search: the start of small_search.h.
 *
 * Two pairs of nodes exclude each other if they share a node or if their edges differ; a common
 * subgraph is a set of pairs of which no two do. A step adds a pair that none of the set excludes,
 * or exchanges one pair for another that it alone excludes, or, after many steps without a larger
 * set, forces any pair in. Pairs that have left may not come back for some steps (Pullan and Hoos,
 * Dynamic local search for the maximum clique problem, JAIR 2006, in bits).
 */
#ifndef GM_SUBGRAPHS_EXCHANGE_H
#define GM_SUBGRAPHS_EXCHANGE_H

#include "base/random.h"
#include "subgraphs/small_search.h"

enum {
    EXCHANGE_PLANES = 7, /* bits of a count of pairs that exclude a pair */
    EXCHANGE_REST = 7    /* steps for which a pair may not come back */
};

typedef struct small_exchange {
    const small_search *small;
    int32_t n_left;
    uint64_t fit[SMALL_NODES];                    /* right items that a left item may become */
    uint64_t count[EXCHANGE_PLANES][SMALL_NODES]; /* bit k of how many pairs exclude (x, y) */
    uint64_t resting[SMALL_NODES];                /* pairs that may not come back yet */
    int32_t queue[EXCHANGE_REST][2];              /* these pairs, in a ring; -1: none */
    int32_t image[SMALL_NODES];                   /* of the left items, -1: none */
    int32_t n_pairs;
    int32_t best[SMALL_NODES], n_best; /* the largest set so far */
    gm_random random;
} small_exchange;

/* Starts with the pairs of the question's labels. */
void exchange_begin(small_exchange *x, const small_search *small, const sub_question *q,
                    const int32_t *labels);

/* Makes this many steps. */
void exchange_go(small_exchange *x, int64_t steps);

/* Writes the labels of the largest set; returns its size. */
int32_t exchange_labels(const small_exchange *x, const sub_question *q, int32_t *labels);

#endif
