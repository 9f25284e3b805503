/* Randomised greedy matchings, and augmenting paths if a matching must be complete. */
#include "moves/greedy.h"
#include "base/sorted.h"
#include "base/watch.h"

#include <math.h>
#include <string.h>

void gm_greedy_take(gm_greedy *greedy, gm_pool *pool, const gm_index *index)
{
    greedy->index = index;
    GM_TAKE(pool, index->n_slots, greedy->price);
    GM_TAKE(pool, index->n1, greedy->unmatched);
    GM_TAKE(pool, index->n2, greedy->holder);
    GM_TAKE(pool, index->n1, greedy->queue);
    GM_TAKE(pool, index->n1, greedy->place);
    GM_TAKE(pool, index->n2, greedy->arrival);
    GM_TAKE(pool, index->n2, greedy->path);
}

/* Puts an open node at place `to` of the queue, in exchange for the node there. */
static void move(gm_greedy *greedy, int32_t node, int32_t to)
{
    const int32_t from = greedy->place[node], other = greedy->queue[to];
    greedy->queue[to] = node;
    greedy->place[node] = to;
    greedy->queue[from] = other;
    greedy->place[other] = from;
}

/* The cheapest slot of a node whose label is free, -1 = unmatched. Ties are broken at random. A
 * root, a node without labelled neighbours, takes a label rather than none at the same cost: its
 * gain comes with the neighbours that follow. */
static int32_t cheapest(const gm_greedy *greedy, int32_t node, int is_root, gm_random *random)
{
    const gm_index *index = greedy->index;
    double least = INFINITY;
    int32_t best = -1, n_ties = 0;
    for (int32_t p = index->node_start[node]; p < index->node_start[node + 1]; p++) {
        if (greedy->price[p] > least || greedy->holder[index->slot_label[p]] >= 0)
            continue;
        if (greedy->price[p] < least) {
            least = greedy->price[p];
            best = p;
            n_ties = 1;
        } else if (gm_random_below(random, ++n_ties) == 0) {
            best = p;
        }
    }
    if (index->complete)
        return best;
    const double unmatched = greedy->unmatched[node];
    const int stays_free = is_root ? unmatched < least : unmatched <= least;
    return stays_free ? -1 : best;
}

/* The other node of link e has its label, so the link's cost for `node` is known and paid in full.
 * The messages that stood for it are taken off the node's prices. */
static void take_back(gm_greedy *greedy, const gm_reparametrisation *costs, int32_t e, int32_t node)
{
    const gm_index *index = greedy->index;
    const double *message = costs->message + costs->start[2 * e + (index->link_v[e] == node)];
    double *price = greedy->price + index->node_start[node];
    const int32_t n = index->node_start[node + 1] - index->node_start[node];
    for (int32_t s = 0; s < n; s++)
        price[s] -= message[s];
    greedy->unmatched[node] -= message[n];
}

/* Adds to the prices of an open node the pair costs with the slot of a kept neighbour (-1 =
 * unmatched).
 */
static void price_kept(gm_greedy *greedy, int32_t slot, int32_t node)
{
    const gm_index *index = greedy->index;
    const int32_t first = index->node_start[node], end = index->node_start[node + 1];
    if (slot < 0)
        return;
    const int64_t last = index->adjacent_start[slot + 1];
    int64_t k = gm_lower_bound(index->adjacent_slot, index->adjacent_start[slot], last, first);
    for (; k < last && index->adjacent_slot[k] < end; k++)
        greedy->price[index->adjacent_slot[k]] += index->adjacent_cost[k];
}

/* The queue and the prices before any open node has its label. Returns the end of the border, that
 * is, the number of open nodes with a kept neighbour: they come first in the queue. */
static int32_t start(gm_greedy *greedy, const gm_reparametrisation *costs, const int32_t *open,
                     int32_t n_open, const int32_t *slots)
{
    const gm_index *index = greedy->index;
    int32_t border = 0;
    for (int32_t s = 0; s < index->n2; s++)
        greedy->holder[s] = -1;
    for (int32_t i = 0; i < index->n1; i++)
        greedy->place[i] = -1;
    for (int32_t k = 0; k < n_open; k++) {
        const int32_t node = open ? open[k] : k, first = index->node_start[node];
        greedy->queue[k] = node;
        greedy->place[node] = k;
        memcpy(greedy->price + first, costs->unary + first,
               (size_t)(index->node_start[node + 1] - first) * sizeof *greedy->price);
        greedy->unmatched[node] = costs->dummy ? costs->dummy[node] : 0.0;
    }
    if (n_open == index->n1)
        return border;
    for (int32_t i = 0; i < index->n1; i++)
        if (greedy->place[i] < 0 && slots[i] >= 0)
            greedy->holder[index->slot_label[slots[i]]] = i;
    for (int32_t k = 0; k < n_open; k++) {
        const int32_t node = open[k];
        for (int32_t at = index->node_link_start[node]; at < index->node_link_start[node + 1];
             at++) {
            const int32_t e = index->node_link[at], other = gm_index_other(index, e, node);
            if (greedy->place[other] >= 0)
                continue;
            price_kept(greedy, slots[other], node);
            if (costs->message)
                take_back(greedy, costs, e, node);
            if (greedy->place[node] >= border)
                move(greedy, node, border++);
        }
    }
    return border;
}

/* Gives `node` its slot (-1 = unmatched) and updates the prices of its open neighbours, which join
 * the border. labelled counts the nodes that have their label now. Returns the new end of the
 * border. */
static int32_t label_node(gm_greedy *greedy, const gm_reparametrisation *costs, int32_t node,
                          int32_t slot, int32_t labelled, int32_t border)
{
    const gm_index *index = greedy->index;
    if (slot >= 0) {
        greedy->holder[index->slot_label[slot]] = node;
        for (int64_t k = index->adjacent_start[slot]; k < index->adjacent_start[slot + 1]; k++)
            greedy->price[index->adjacent_slot[k]] += index->adjacent_cost[k];
    }
    for (int32_t k = index->node_link_start[node]; k < index->node_link_start[node + 1]; k++) {
        const int32_t e = index->node_link[k], other = gm_index_other(index, e, node);
        if (greedy->place[other] < labelled)
            continue;
        if (costs->message)
            take_back(greedy, costs, e, other);
        if (greedy->place[other] >= border)
            move(greedy, other, border++);
    }
    return border;
}

/* The changes that give a node this slot, or none. */
static int64_t work_of(const gm_index *index, int32_t slot)
{
    return slot < 0 ? 1 : 1 + index->adjacent_start[slot + 1] - index->adjacent_start[slot];
}

int gm_greedy_match(gm_greedy *greedy, const gm_reparametrisation *costs, gm_random *random,
                    const int32_t *open, int32_t n_open, int32_t forced, int32_t *slots)
{
    int32_t border = start(greedy, costs, open, n_open, slots);
    for (int32_t labelled = 0; labelled < n_open; labelled++) {
        const int is_forced = labelled == 0 && forced >= 0;
        const int is_root = border == labelled;
        const int32_t among = is_root ? n_open : border;
        int32_t node;
        if (is_forced)
            node = open[0];
        else
            node = greedy->queue[labelled + gm_random_below(random, among - labelled)];
        if (greedy->place[node] >= border)
            move(greedy, node, border++);
        move(greedy, node, labelled);
        slots[node] = is_forced ? forced : cheapest(greedy, node, is_root, random);
        border = label_node(greedy, costs, node, slots[node], labelled + 1, border);
        if (gm_watch_spend(greedy->index->watch, work_of(greedy->index, slots[node])))
            return GM_ECUT;
    }
    return greedy->index->complete ? gm_greedy_complete(greedy, slots) : GM_OK;
}

/* Breadth-first search for an augmenting path from an unmatched node. Returns 1 if it was found. */
static int augment(gm_greedy *greedy, int32_t node, int32_t *slots)
{
    const gm_index *index = greedy->index;
    int32_t n_path = 0, at = 0;
    for (int32_t s = 0; s < index->n2; s++)
        greedy->arrival[s] = -1;
    for (int32_t u = node;; u = greedy->holder[greedy->path[at++]]) {
        for (int32_t p = index->node_start[u]; p < index->node_start[u + 1]; p++) {
            const int32_t label = index->slot_label[p];
            if (greedy->arrival[label] >= 0)
                continue;
            greedy->arrival[label] = p;
            greedy->path[n_path++] = label;
            if (greedy->holder[label] >= 0)
                continue;
            for (int32_t step = p; step >= 0;) { /* flip the path back to the unmatched node */
                const int32_t owner = index->slot_node[step], before = slots[owner];
                slots[owner] = step;
                greedy->holder[index->slot_label[step]] = owner;
                step = before >= 0 ? greedy->arrival[index->slot_label[before]] : -1;
            }
            return 1;
        }
        if (at == n_path)
            return 0;
    }
}

int gm_greedy_complete(gm_greedy *greedy, int32_t *slots)
{
    const gm_index *index = greedy->index;
    for (int32_t s = 0; s < index->n2; s++)
        greedy->holder[s] = -1;
    for (int32_t i = 0; i < index->n1; i++)
        if (slots[i] >= 0)
            greedy->holder[index->slot_label[slots[i]]] = i;
    for (int32_t i = 0; i < index->n1; i++) {
        if (slots[i] >= 0)
            continue;
        if (gm_watch_spend(index->watch, (int64_t)index->n_slots + index->n2))
            return GM_ECUT;
        if (!augment(greedy, i, slots))
            return GM_EINFEASIBLE;
    }
    return GM_OK;
}
