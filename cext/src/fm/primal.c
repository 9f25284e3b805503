#include "fm/primal.h"
#include "base/watch.h"
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

/* Fuses the proposal into the incumbent, or makes it the incumbent if there is none. The cost is
 * summed again, so that rounding errors do not add up. */
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
        primal->n_vain = primal->tabu_turns = primal->tabu_done = 0;
    primal->incumbent_cost = cost;
    keep_best(primal, run);
}

/* The incumbent is a local optimum of both searches: fuses it with the best matching, and gives it
 * up. */
static void start_afresh(gm_primal *primal, gm_run *run)
{
    copy(primal, primal->proposal, primal->best);
    fuse(primal, run);
    primal->incumbent_cost = INFINITY;
    primal->n_vain = 0;
    primal->tabu_done = 0;
    primal->patience += primal->patience / FM_PATIENCE_GROWTH;
}

/* One turn of tabu search: as much work as one proposal. */
static void search_tabu(gm_primal *primal, gm_run *run)
{
    int found = 0;
    for (int32_t k = 0; k < primal->tabu_steps; k++) {
        if (gm_watch_spend(primal->index->watch, primal->index->n_slots))
            break;
        found |= gm_tabu_step(&primal->tabu, &primal->random);
    }
    const double cost =
        found ? gm_index_cost(primal->index, primal->tabu.best, primal->chosen) : INFINITY;
    if (cost < primal->incumbent_cost) {
        copy(primal, primal->incumbent, primal->tabu.best);
        primal->incumbent_cost = cost;
        primal->tabu_gained = 1;
        primal->tabu_turns = (int32_t)(FM_MOST_TABU * primal->patience);
        keep_best(primal, run);
    }
    if (--primal->tabu_turns > 0)
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
    if (primal->n_vain < primal->patience || primal->tabu_turns > 0)
        return;
    if (primal->tabu_done) {
        start_afresh(primal, run);
    } else {
        gm_tabu_start(&primal->tabu, primal->incumbent, primal->incumbent_cost);
        primal->tabu_turns = (int32_t)(primal->tabu_part * primal->patience);
        primal->tabu_gained = 0;
    }
}

/* A size between 2 and n1: sometimes uniform, mostly uniform in its order of magnitude (between a
 * random power of two and the next), so that small regions, which cost little, are tried often even
 * if there are many nodes. */
static int32_t region_size(gm_primal *primal)
{
    enum { MOST_POWERS = 29 }; /* 4 << 29 would be no int32_t any more */
    const int32_t n1 = primal->index->n1;
    int32_t size, powers = 0;
    while (powers < MOST_POWERS && (INT32_C(4) << powers) < n1)
        powers++;
    if (gm_random_below(&primal->random, FM_UNIFORM_ODDS) == 0) {
        size = 2 + gm_random_below(&primal->random, n1);
    } else {
        const int32_t base = INT32_C(2) << gm_random_below(&primal->random, powers + 1);
        size = base + gm_random_below(&primal->random, base);
    }
    return size < n1 ? size : n1;
}

/* Adds a node to the n open ones, once; returns how many there are. */
static int32_t open_node(gm_primal *primal, int32_t node, int32_t n)
{
    if (!primal->is_open[node]) {
        primal->is_open[node] = 1;
        primal->open[n++] = node;
    }
    return n;
}

/* Opens a random connected region around the root, no larger than the root's component, and the
 * node that has the forced slot's label in the incumbent (forced is a slot of the root, or -1).
 * open[0] is the root. Returns the size. */
static int32_t open_region(gm_primal *primal, int32_t root, int32_t forced)
{
    const gm_index *index = primal->index;
    const int32_t size = region_size(primal);
    int32_t n = open_node(primal, root, 0);
    if (forced >= 0) {
        const int32_t label = index->slot_label[forced];
        for (int32_t k = index->label_start[label]; k < index->label_start[label + 1]; k++) {
            const int32_t slot = index->label_slot[k];
            if (primal->incumbent[index->slot_node[slot]] == slot)
                n = open_node(primal, index->slot_node[slot], n);
        }
    }
    for (int32_t at = 0; at < n && n < size; at++) {
        if (at > 0) { /* a random one of the nodes whose neighbours have not been opened */
            const int32_t chosen = at + gm_random_below(&primal->random, n - at);
            const int32_t node = primal->open[chosen];
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

/* Some regions start with a random label of their root, which greedy choices might never take.
 * Returns a slot of the node that the incumbent does not have, or -1. */
static int32_t force_label(gm_primal *primal, int32_t node)
{
    const gm_index *index = primal->index;
    const int32_t first = index->node_start[node], n = index->node_start[node + 1] - first;
    if (n == 0 || gm_random_below(&primal->random, FM_FORCED_ODDS))
        return -1;
    const int32_t slot = first + gm_random_below(&primal->random, n);
    return slot != primal->incumbent[node] ? slot : -1;
}

int gm_primal_propose(gm_primal *primal, const gm_reparametrisation *costs, gm_run *run)
{
    int32_t n_open = primal->index->n1, forced = -1;
    if (primal->tabu_turns > 0) {
        search_tabu(primal, run);
        return GM_OK;
    }
    const int regional =
        primal->incumbent_cost < INFINITY && gm_random_below(&primal->random, FM_WHOLE_ODDS);
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
