/* Counting common neighbours. */
#include "subgraphs/distance2.h"
#include "subgraphs/bits.h"

static const double MOST_SETS = 128e6; /* bytes */
static const double MOST_STEPS = 2e7;  /* of counting */

/* Steps of counting the common neighbours of all pairs of nodes: sum of squared degrees. */
static double count_steps(const sub_neighbours *near)
{
    double steps = 0.0;
    for (int32_t u = 0; u < near->n_nodes; u++)
        steps += (double)sub_degree(near, u) * (double)sub_degree(near, u);
    return steps;
}

void sub_distance2_take(sub_distance2 *d, gm_pool *pool, const sub_candidates *c)
{
    const double pairs = (double)c->first.n_nodes * (double)c->first.n_nodes;
    const double steps = count_steps(&c->first);
    d->words = c->words;
    d->room = (int64_t)(steps < pairs ? steps : pairs);
    d->is_there = SUB_COUNTS * 8.0 * (double)c->n_values * c->words <= MOST_SETS &&
                  (double)c->n_values * (double)c->n_values <= MOST_STEPS &&
                  count_steps(&c->second) <= MOST_STEPS;
    if (!d->is_there)
        return;
    const int32_t n1 = c->first.n_nodes, n2 = c->second.n_nodes;
    GM_TAKE(pool, c->first.n_nodes + 1, d->start);
    GM_TAKE(pool, d->room, d->other);
    GM_TAKE(pool, d->room, d->common);
    GM_TAKE(pool, SUB_COUNTS * (int64_t)c->n_values * c->words, d->set);
    GM_TAKE(pool, n1 > n2 ? n1 : n2, d->count);
}

/* Adds 1 to count[w] for every neighbour that u and w have in common; or sets them to 0 again. */
static void count_common(const sub_neighbours *near, int32_t u, int32_t *count, int add)
{
    for (int64_t k = near->start[u]; k < near->start[u + 1]; k++) {
        const int32_t v = near->node[k];
        for (int64_t m = near->start[v]; m < near->start[v + 1]; m++)
            count[near->node[m]] = add ? count[near->node[m]] + 1 : 0;
    }
}

void sub_distance2_fill(sub_distance2 *d, const sub_candidates *c)
{
    if (!d->is_there || d->is_filled)
        return;
    d->is_filled = 1;
    int64_t n = 0;
    for (int32_t x = 0; x < c->first.n_nodes; x++) {
        d->start[x] = n;
        count_common(&c->first, x, d->count, 1);
        for (int32_t y = 0; y < c->first.n_nodes; y++) {
            const int32_t common = d->count[y];
            if (y == x || common == 0)
                continue;
            d->other[n] = y;
            d->common[n++] = common < SUB_COUNTS ? common : SUB_COUNTS;
        }
        count_common(&c->first, x, d->count, 0);
    }
    d->start[c->first.n_nodes] = n;
    for (int32_t s = 0; s < c->n_values; s++) {
        count_common(&c->second, c->image[s], d->count, 1);
        for (int32_t t = 0; t < c->n_values; t++)
            for (int32_t k = 0; k < SUB_COUNTS && k < d->count[c->image[t]]; k++)
                bits_add(d->set + ((int64_t)k * c->n_values + s) * d->words, t);
        count_common(&c->second, c->image[s], d->count, 0);
    }
}
