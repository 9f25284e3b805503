#include "primal.h"

#include <math.h>
#include <string.h>

void gm_primal_take(gm_primal *primal, gm_pool *pool, const gm_index *index, uint64_t seed, int32_t improve)
{
    primal->index = index;
    primal->random.state = seed;
    primal->improve = improve;
    primal->best_cost = primal->incumbent_cost = INFINITY;
    primal->patience = 100 + 4 * index->n1;
    gm_greedy_take(&primal->greedy, pool, index);
    gm_fusion_take(&primal->fusion, pool, index);
    GM_TAKE(pool, index->n1, primal->best);
    GM_TAKE(pool, index->n1, primal->incumbent);
    GM_TAKE(pool, index->n1, primal->proposal);
    GM_TAKE(pool, index->n1, primal->labels);
    GM_TAKE(pool, index->n_slots, primal->chosen);
    GM_TAKE(pool, index->n1, primal->open);
    GM_TAKE(pool, index->n1, primal->region);
}

static void copy(const gm_primal *primal, int32_t *to, const int32_t *from)
{
    memcpy(to, from, (size_t)primal->index->n1 * sizeof *to);
}

/* The incumbent becomes the best, if it is better. */
static void keep_best(gm_primal *primal, gm_run *run)
{
    const gm_index *index = primal->index;
    if (!(primal->incumbent_cost < primal->best_cost))
        return;
    copy(primal, primal->best, primal->incumbent);
    primal->best_cost = primal->incumbent_cost;
    for (int32_t i = 0; i < index->n1; i++)
        primal->labels[i] = primal->best[i] >= 0 ? index->slot_label[primal->best[i]] : -1;
    gm_run_offer(run, primal->best_cost, primal->labels);
}

/* Fusion, and the new cost summed afresh so that no error piles up. */
static void fuse(gm_primal *primal, gm_run *run)
{
    primal->n_vain++;
    if (primal->incumbent_cost == INFINITY)
        copy(primal, primal->incumbent, primal->proposal);
    else if (gm_fusion_fuse(&primal->fusion, primal->incumbent, primal->proposal, &primal->random, primal->improve) == 0.0)
        return;
    const double cost = gm_index_cost(primal->index, primal->incumbent, primal->chosen);
    if (cost < primal->incumbent_cost)
        primal->n_vain = 0;
    primal->incumbent_cost = cost;
    keep_best(primal, run);
}

void gm_primal_fuse(gm_primal *primal, gm_run *run)
{
    fuse(primal, run);
    if (primal->n_vain < primal->patience)
        return;
    /* a local optimum: what the best one can learn from it, then a fresh start */
    copy(primal, primal->proposal, primal->best);
    fuse(primal, run);
    primal->incumbent_cost = INFINITY;
    primal->n_vain = 0;
    primal->patience += primal->patience / 16;
}

/* Opens a random connected region of 2 .. n1 nodes, or what its component has. */
static void open_region(gm_primal *primal)
{
    const gm_index *index = primal->index;
    const int32_t size = index->n1 > 2 ? 2 + gm_random_below(&primal->random, index->n1 - 2) : index->n1;
    int32_t n = 0;
    memset(primal->open, 0, (size_t)index->n1);
    primal->region[n++] = gm_random_below(&primal->random, index->n1);
    primal->open[primal->region[0]] = 1;
    for (int32_t at = 0; at < n && n < size; at++) {
        const int32_t swap = at + gm_random_below(&primal->random, n - at), node = primal->region[swap];
        primal->region[swap] = primal->region[at];
        primal->region[at] = node;
        for (int32_t k = index->node_link_start[node]; k < index->node_link_start[node + 1] && n < size; k++) {
            const int32_t e = index->node_link[k];
            const int32_t other = index->link_u[e] == node ? index->link_v[e] : index->link_u[e];
            if (!primal->open[other]) {
                primal->open[other] = 1;
                primal->region[n++] = other;
            }
        }
    }
}

int gm_primal_propose(gm_primal *primal, const gm_reparametrisation *costs, gm_run *run)
{
    const int regional = primal->incumbent_cost < INFINITY && gm_random_below(&primal->random, 2);
    if (regional) {
        open_region(primal);
        copy(primal, primal->proposal, primal->incumbent);
    }
    const int status = gm_greedy_match(&primal->greedy, costs, &primal->random, regional ? primal->open : NULL, primal->proposal);
    if (status == GM_OK)
        gm_primal_fuse(primal, run);
    return status;
}

double gm_primal_work(const gm_primal *primal)
{
    const gm_index *index = primal->index;
    double adjacent = 0.0; /* of an average slot of each node */
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t first = index->node_start[i], end = index->node_start[i + 1];
        if (end > first)
            adjacent += (double)(index->adjacent_start[end] - index->adjacent_start[first]) / (end - first);
    }
    return 4.0 * adjacent + 5.0 * index->n_slots + 100.0 * index->n1 + 40.0 * index->n_links;
}
