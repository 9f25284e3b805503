#include "greedy.h"

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

static void move(gm_greedy *greedy, int32_t node, int32_t to)
{
    const int32_t from = greedy->place[node], other = greedy->queue[to];
    greedy->queue[to] = node;
    greedy->place[node] = to;
    greedy->queue[from] = other;
    greedy->place[other] = from;
}

/* The cheapest free slot of a node, -1 = unmatched. Ties are broken at random; a node without
 * labelled neighbours prefers any label to none, since whatever it brings lies ahead. */
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
    if (!index->complete && (is_root ? greedy->unmatched[node] < least : greedy->unmatched[node] <= least))
        best = -1;
    return best;
}

/* Adds to the prices of unlabelled neighbours what choosing `slot` for `node` costs them. */
static void spread(gm_greedy *greedy, const gm_reparametrisation *costs, int32_t node, int32_t slot)
{
    const gm_index *index = greedy->index;
    if (slot >= 0)
        for (int64_t k = index->adjacent_start[slot]; k < index->adjacent_start[slot + 1]; k++)
            greedy->price[index->adjacent_slot[k]] += index->adjacent_cost[k];
    if (!costs->message)
        return;
    for (int32_t k = index->node_link_start[node]; k < index->node_link_start[node + 1]; k++) {
        const int32_t e = index->node_link[k], side = index->link_u[e] == node;
        const int32_t other = side ? index->link_v[e] : index->link_u[e];
        const double *message = costs->message + costs->start[2 * e + side];
        double *price = greedy->price + index->node_start[other];
        const int32_t n = index->node_start[other + 1] - index->node_start[other];
        for (int32_t s = 0; s < n; s++)
            price[s] -= message[s];
        greedy->unmatched[other] -= message[n];
    }
}

/* Gives `node` its slot (-1 = unmatched) and tells its neighbours. Returns the new end of the border. */
static int32_t label_node(gm_greedy *greedy, const gm_reparametrisation *costs, int32_t node, int32_t slot, int32_t border)
{
    const gm_index *index = greedy->index;
    if (slot >= 0)
        greedy->holder[index->slot_label[slot]] = node;
    spread(greedy, costs, node, slot);
    for (int32_t k = index->node_link_start[node]; k < index->node_link_start[node + 1]; k++) {
        const int32_t e = index->node_link[k];
        const int32_t other = index->link_u[e] == node ? index->link_v[e] : index->link_u[e];
        if (greedy->place[other] >= border)
            move(greedy, other, border++);
    }
    return border;
}

int gm_greedy_match(gm_greedy *greedy, const gm_reparametrisation *costs, gm_random *random, const uint8_t *open, int32_t *slots)
{
    const gm_index *index = greedy->index;
    const int32_t n1 = index->n1;
    memcpy(greedy->price, costs->unary, (size_t)index->n_slots * sizeof *greedy->price);
    for (int32_t s = 0; s < index->n2; s++)
        greedy->holder[s] = -1;
    for (int32_t i = 0; i < n1; i++) {
        greedy->unmatched[i] = costs->dummy ? costs->dummy[i] : 0.0;
        greedy->queue[i] = greedy->place[i] = i;
    }
    int32_t labelled = 0, border = 0; /* queue[labelled .. border-1] touch a labelled node */
    int all_matched = 1;
    for (int32_t i = 0; open && i < n1; i++)
        if (!open[i]) {
            if (greedy->place[i] >= border)
                move(greedy, i, border++);
            move(greedy, i, labelled++);
            border = label_node(greedy, costs, i, slots[i], border);
            all_matched &= slots[i] >= 0;
        }
    for (; labelled < n1; labelled++) {
        const int is_root = border == labelled;
        const int32_t among = is_root ? n1 : border;
        const int32_t node = greedy->queue[labelled + gm_random_below(random, among - labelled)];
        move(greedy, node, labelled);
        border += is_root;
        slots[node] = cheapest(greedy, node, is_root, random);
        border = label_node(greedy, costs, node, slots[node], border);
        all_matched &= slots[node] >= 0;
    }
    return index->complete && !all_matched ? gm_greedy_complete(greedy, slots) : GM_OK;
}

/* Breadth-first search for an augmenting path from an unmatched node; 1 if it was found. */
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
    for (int32_t i = 0; i < index->n1; i++)
        if (slots[i] < 0 && !augment(greedy, i, slots))
            return GM_EINFEASIBLE;
    return GM_OK;
}
