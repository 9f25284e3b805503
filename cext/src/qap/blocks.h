/* Blocks of nodes that are alike: their rows of A hardly differ, compared with those of other
 * nodes, as in the groups of groups of Taillard's tai*e. Two blocks exchange their labels by as
 * many swaps as they have nodes, the first of which are too expensive for a search by single
 * swaps. */
#ifndef GM_QAP_BLOCKS_H
#define GM_QAP_BLOCKS_H

#include "base/pool.h"
#include "base/random.h"
#include "qap/swaps.h"

typedef struct qap_blocks {
    int32_t n;
    int32_t n_blocks; /* 0: nodes are not alike */
    int32_t *node;    /* n: all nodes, those of a block in a row */
    int32_t *first;   /* n: place of a block's first node */
    int32_t *size;    /* n: nodes of a block; blocks inside another one come before it */
    int32_t *of;      /* n: see qap_blocks_divide */
    int32_t *next, *last, *count, *place; /* n, scratch */
    double *height;                       /* n, scratch */
} qap_blocks;

/* Takes memory; look at pool->failed afterwards. */
void qap_blocks_take(qap_blocks *blocks, gm_pool *pool, int32_t n);

/* Finds the blocks, O(n^3), before the swaps are loaded: their tables serve as scratch. */
void qap_blocks_find(qap_blocks *blocks, gm_swaps *swaps);

/* of[i] = the number of the largest block with at most as many nodes as a random one that node i is
 * in; nodes without a block have numbers of their own. */
void qap_blocks_divide(qap_blocks *blocks, gm_random *random);

/* The change of cost if nodes one[k] and other[k] exchange their labels, for all k < count. */
double qap_blocks_change(const gm_swaps *swaps, int32_t count, const int32_t *one,
                         const int32_t *other);

/* Exchanges the labels of a random block with those of a block of about its size, the best of a
 * random half of these; then those of any two blocks, as long as that lowers the cost, up to
 * `most` exchanges. */
void qap_blocks_perturb(qap_blocks *blocks, gm_swaps *swaps, gm_random *random, int32_t most);

#endif
