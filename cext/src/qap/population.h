/* The population of the memetic search for quadratic assignment (Benlic and Hao 2015): a few good
 * matchings that are not alike, and crossings of two of them. */
#ifndef GM_QAP_POPULATION_H
#define GM_QAP_POPULATION_H

#include "base/pool.h"
#include "base/random.h"

/* A permutation, at[i] = the label of node i, and its cost. */
typedef struct qap_member {
    double cost;
    int32_t *at;
} qap_member;

typedef struct qap_population {
    int32_t n; /* nodes */
    int32_t n_members;
    double unit;        /* see qap_is_less */
    qap_member *member; /* room for QAP_POPULATION */
} qap_population;

/* Takes memory for members of n nodes; look at pool->failed afterwards. */
void qap_population_take(qap_population *population, gm_pool *pool, int32_t n, double unit);

/* Copies a permutation of n nodes and its cost. */
void qap_member_set(qap_member *member, double cost, const int32_t *at, int32_t n);

/* Whether one cost is less than another by more than rounding: costs are sums that change with
 * every swap, so the same matching does not cost the same every time. Differences are relative to
 * the cost, or to `unit` if its terms cancel. */
int qap_is_less(double cost, double than, double unit);

/* Adds a matching. It takes the place of the nearest member if that is near, else the population
 * would fill with copies of one matching; or a free place; or that of the worst. It must be better
 * than the one whose place it takes. Returns 1 if it was added. */
int qap_population_join(qap_population *population, const qap_member *matching);

/* The cheapest member; there must be one. */
const qap_member *qap_population_best(const qap_population *population);

/* at = a crossing of two random members, of at least two: common labels stay; every other node
 * takes the label of one of both, if it is free, and finally any free one. block: the block of each
 * node, or NULL; nodes of one block take their labels from the same member. scratch: n numbers.
 */
void qap_population_cross(const qap_population *population, gm_random *random, const int32_t *block,
                          int32_t *at, int32_t *scratch);

#endif
