#include "fm/primal.h"
#include "fm/policy.h"
#include "model/slots.h"

#include <math.h>
#include <string.h>

void gm_primal_take(gm_primal *primal, gm_pool *pool, const gm_index *index, uint64_t seed,
                    int32_t improve)
{
    primal->index = index;
    primal->random.state = seed;
    primal->improve = improve;
    primal->best_cost = primal->incumbent_cost = INFINITY;
    primal->patience = FM_FIRST_PATIENCE;
    primal->tabu_part = FM_FIRST_TABU;
    gm_greedy_take(&primal->greedy, pool, index);
    gm_fusion_take(&primal->fusion, pool, index);
    gm_tabu_take(&primal->tabu, pool, index);
    primal->tabu_steps = (int32_t)fmax(1.0, gm_primal_work(primal) / gm_tabu_work(index));
    GM_TAKE(pool, index->n1, primal->best);
    GM_TAKE(pool, index->n1, primal->incumbent);
    GM_TAKE(pool, index->n1, primal->proposal);
    GM_TAKE(pool, index->n_slots, primal->chosen);
    GM_TAKE(pool, index->n1, primal->open);
    GM_TAKE(pool, index->n1, primal->is_open);
}

static void copy(const gm_primal *primal, int32_t *to, const int32_t *from)
{
    memcpy(to, from, (size_t)primal->index->n1 * sizeof *to);
}

/* The incumbent becomes the best, if it is better. */
static void keep_best(gm_primal *primal, gm_run *run)
{
    if (!(primal->incumbent_cost < primal->best_cost))
        return;
    copy(primal, primal->best, primal->incumbent);
    primal->best_cost = primal->incumbent_cost;
    gm_offer_slots(run, primal->index, primal->best, primal->best_cost);
}

/* Fusion, and the new cost summed afresh so that no error piles up. */
static void fuse(gm_primal *primal, gm_run *run)
{
    primal->n_vain++;
    if (primal->incumbent_cost == INFINITY)
        copy(primal, primal->incumbent, primal->proposal);
    else if (gm_fusion_fuse(&primal->fusion, primal->incumbent, primal->proposal, &primal->random,
                            primal->improve) == 0.0)
        return;
    const double cost = gm_index_cost(primal->index, primal->incumbent, primal->chosen);
    if (cost < primal->incumbent_cost)
        primal->n_vain = primal->tabu_rest = primal->tabu_done = 0;
    primal->incumbent_cost = cost;
    keep_best(primal, run);
}

/* A local optimum of both searches: what the best one can learn from it, then a fresh start. */
static void start_afresh(gm_primal *primal, gm_run *run)
{
    copy(primal, primal->proposal, primal->best);
    fuse(primal, run);
    primal->incumbent_cost = INFINITY;
    primal->n_vain = 0;
    primal->tabu_done = 0;
    primal->patience += primal->patience / 16;
}

/* Tabu search for as much work as one proposal. */
static void walk(gm_primal *primal, gm_run *run)
{
    int found = 0;
    for (int32_t k = 0; k < primal->tabu_steps; k++)
        found |= gm_tabu_step(&primal->tabu, &primal->random);
    const double cost =
        found ? gm_index_cost(primal->index, primal->tabu.best, primal->chosen) : INFINITY;
    if (cost < primal->incumbent_cost) {
        copy(primal, primal->incumbent, primal->tabu.best);
        primal->incumbent_cost = cost;
        primal->tabu_gained = 1;
        primal->tabu_rest = (int32_t)(FM_MOST_TABU * primal->patience);
        keep_best(primal, run);
    }
    if (--primal->tabu_rest > 0)
        return;
    primal->n_vain = 0;
    primal->tabu_done = 1;
    primal->tabu_part =
        primal->tabu_gained ? FM_MOST_TABU : fmax(primal->tabu_part / 2.0, FM_LEAST_TABU);
    if (!primal->tabu_gained)
        start_afresh(primal, run);
}

void gm_primal_fuse(gm_primal *primal, gm_run *run)
{
    fuse(primal, run);
    if (primal->n_vain < primal->patience || primal->tabu_rest > 0)
        return;
    if (primal->tabu_done) {
        start_afresh(primal, run);
    } else {
        gm_tabu_start(&primal->tabu, primal->incumbent, primal->incumbent_cost);
        primal->tabu_rest = (int32_t)(primal->tabu_part * primal->patience);
        primal->tabu_gained = 0;
    }
}

/* Between 2 and n1 nodes: sometimes uniform, mostly a power of two first, so that small regions,
 * which cost little, are tried often even where there are many nodes. */
static int32_t region_size(gm_primal *primal)
{
    const int32_t n1 = primal->index->n1;
    int32_t size, powers = 0;
    while (powers < 29 && (INT32_C(4) << powers) < n1)
        powers++;
    if (gm_random_below(&primal->random, 4) == 0) {
        size = 2 + gm_random_below(&primal->random, n1);
    } else {
        const int32_t base = INT32_C(2) << gm_random_below(&primal->random, powers + 1);
        size = base + gm_random_below(&primal->random, base);
    }
    return size < n1 ? size : n1;
}

static int32_t open_node(gm_primal *primal, int32_t node, int32_t n)
{
    if (!primal->is_open[node]) {
        primal->is_open[node] = 1;
        primal->open[n++] = node;
    }
    return n;
}

/* Opens a random connected region, or as much of it as its component has, and the incumbent's
 * holder of the forced slot's label. open[0] is the node of that slot. Returns the size. */
static int32_t open_region(gm_primal *primal, int32_t root, int32_t forced)
{
    const gm_index *index = primal->index;
    const int32_t size = region_size(primal);
    int32_t n = open_node(primal, root, 0);
    if (forced >= 0) {
        const int32_t label = index->slot_label[forced];
        for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++)
            if (primal->incumbent[index->slot_node[index->label_slot[k]]] == index->label_slot[k])
                n = open_node(primal, index->slot_node[index->label_slot[k]], n);
    }
    for (int32_t at = 0; at < n && n < size; at++) {
        if (at > 0) { /* any of the nodes not yet looked around */
            const int32_t chosen = at + gm_random_below(&primal->random, n - at),
                          node = primal->open[chosen];
            primal->open[chosen] = primal->open[at];
            primal->open[at] = node;
        }
        const int32_t node = primal->open[at];
        for (int32_t k = index->node_link_start[node];
             k < index->node_link_start[node + 1] && n < size; k++) {
            n = open_node(primal, gm_index_other(index, index->node_link[k], node), n);
        }
    }
    for (int32_t k = 0; k < n; k++)
        primal->is_open[primal->open[k]] = 0;
    return n;
}

/* Half of the regions start from a label that its node does not have now and a greedy order might
 * never choose. Returns a slot of the node, or -1. */
static int32_t force_label(gm_primal *primal, int32_t node)
{
    const gm_index *index = primal->index;
    const int32_t first = index->node_start[node], n = index->node_start[node + 1] - first;
    if (n == 0 || gm_random_below(&primal->random, 2))
        return -1;
    const int32_t slot = first + gm_random_below(&primal->random, n);
    return slot != primal->incumbent[node] ? slot : -1;
}

int gm_primal_propose(gm_primal *primal, const gm_reparametrisation *costs, gm_run *run)
{
    int32_t n_open = primal->index->n1, forced = -1;
    if (primal->tabu_rest > 0) {
        walk(primal, run);
        return GM_OK;
    }
    const int regional = primal->incumbent_cost < INFINITY && gm_random_below(&primal->random, 8);
    if (regional) {
        const int32_t root = gm_random_below(&primal->random, primal->index->n1);
        forced = force_label(primal, root);
        n_open = open_region(primal, root, forced);
        copy(primal, primal->proposal, primal->incumbent);
    }
    const int status =
        gm_greedy_match(&primal->greedy, costs, &primal->random, regional ? primal->open : NULL,
                        n_open, forced, primal->proposal);
    if (status == GM_OK)
        gm_primal_fuse(primal, run);
    return status;
}

double gm_primal_work(const gm_primal *primal)
{
    const gm_index *index = primal->index;
    return FM_PROPOSAL_ENTRY * gm_index_matched_degree(index) + FM_PROPOSAL_SLOT * index->n_slots +
           FM_PROPOSAL_NODE * index->n1 + FM_PROPOSAL_LINK * index->n_links;
}
