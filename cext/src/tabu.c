#include "tabu.h"

#include <math.h>
#include <string.h>

static const double LONGEST = 8.0;      /* ban, in steps per node; a quarter of that on average (as in Taillard's own code) */
static const double TOLERANCE = 1e-10; /* relative to the cost: smaller gains may be rounding errors of the prices */

void gm_tabu_take(gm_tabu *tabu, gm_pool *pool, const gm_index *index)
{
    gm_moves_take(&tabu->moves, pool, index);
    GM_TAKE(pool, index->n_slots, tabu->partner);
    GM_TAKE(pool, index->n_slots, tabu->together);
    GM_TAKE(pool, index->n_slots, tabu->swapped);
    GM_TAKE(pool, index->n_slots, tabu->until);
    GM_TAKE(pool, index->n1, tabu->idle_until);
    GM_TAKE(pool, index->n1, tabu->best);
}

/* What the move to slot p costs beside the prices, and the swap seen from the other side. Nothing where
 * its label is free. */
static void couple(gm_tabu *tabu, int32_t p)
{
    const gm_moves *moves = &tabu->moves;
    const gm_index *index = moves->index;
    const int32_t i = index->slot_node[p], k = moves->owner[index->slot_label[p]], a = moves->current[i];
    if (k < 0 || k == i)
        return;
    const int32_t q = a >= 0 ? gm_index_slot(index, k, index->slot_label[a]) : -1;
    tabu->together[p] = a >= 0 ? gm_index_pair(index, a, moves->current[k]) : 0.0;
    tabu->partner[p] = q;
    if (q >= 0) {
        tabu->partner[q] = p;
        tabu->swapped[p] = tabu->swapped[q] = tabu->together[p] + gm_index_pair(index, p, q);
    }
}

/* The moves of a node, and those that would take its label. */
static void couple_node(gm_tabu *tabu, int32_t node)
{
    const gm_moves *moves = &tabu->moves;
    const gm_index *index = moves->index;
    const int32_t slot = moves->current[node], label = slot >= 0 ? index->slot_label[slot] : -1;
    for (int32_t at = label >= 0 ? index->label_start[label] : 0; label >= 0 && at < index->label_start[label + 1]; at++) {
        const int32_t q = index->label_slot[at], b = moves->current[index->slot_node[q]];
        tabu->partner[q] = -1; /* unless there turns out to be one */
        if (!index->complete)
            tabu->together[q] = b >= 0 ? gm_index_pair(index, b, slot) : 0.0;
    }
    for (int32_t p = index->node_start[node]; p < index->node_start[node + 1]; p++)
        couple(tabu, p);
}

void gm_tabu_start(gm_tabu *tabu, const int32_t *slots, double cost)
{
    const gm_index *index = tabu->moves.index;
    gm_moves_load(&tabu->moves, slots);
    memcpy(tabu->best, slots, (size_t)index->n1 * sizeof *slots);
    tabu->cost = tabu->best_cost = cost;
    for (int32_t p = 0; p < index->n_slots; p++) {
        tabu->until[p] = 0;
        couple(tabu, p);
    }
    for (int32_t i = 0; i < index->n1; i++)
        tabu->idle_until[i] = 0;
    tabu->step = 0;
}

/* Node i takes slot p (-1: stays unmatched) from node k (-1: from nobody), which takes q (-1: none). */
typedef struct move {
    double change;
    int32_t i, p, k, q;
} move;

/* The cheapest move that is allowed. Without one, change is +inf. */
static move cheapest(const gm_tabu *tabu)
{
    const gm_moves *moves = &tabu->moves;
    const gm_index *index = moves->index;
    const double *price = moves->price;
    const double aspired = tabu->best_cost - tabu->cost - TOLERANCE * fabs(tabu->best_cost);
    move best = {.change = INFINITY};
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t a = moves->current[i];
        const double paid = a >= 0 ? price[a] : 0.0;
        if (!index->complete && a >= 0 && -paid < best.change && (tabu->idle_until[i] <= tabu->step || -paid < aspired))
            best = (move){-paid, i, -1, -1, -1};
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
            const int32_t k = moves->owner[index->slot_label[p]];
            const double alone = price[p] - paid;
            if (k < 0) {
                if (alone < best.change && (tabu->until[p] <= tabu->step || alone < aspired))
                    best = (move){alone, i, p, -1, -1};
                continue;
            }
            if (k == i)
                continue;
            const double ejecting = alone - price[moves->current[k]];
            const int32_t q = tabu->partner[p];
            if (q > p) { /* each swap once */
                const double change = ejecting + price[q] + tabu->swapped[p];
                if (change < best.change && (tabu->until[p] <= tabu->step || tabu->until[q] <= tabu->step || change < aspired))
                    best = (move){change, i, p, k, q};
            }
            if (!index->complete) {
                const double change = ejecting + tabu->together[p];
                if (change < best.change && (tabu->until[p] <= tabu->step || tabu->idle_until[k] <= tabu->step || change < aspired))
                    best = (move){change, i, p, k, -1};
            }
        }
    }
    return best;
}

/* A node gives up what it has, and must not take it back for a while. */
static void leave(gm_tabu *tabu, int32_t node, gm_random *random)
{
    const double unit = gm_random_unit(random);
    const int64_t back = tabu->step + 1 + (int64_t)(unit * unit * unit * LONGEST * tabu->moves.index->n1);
    if (tabu->moves.current[node] >= 0)
        tabu->until[tabu->moves.current[node]] = back;
    else
        tabu->idle_until[node] = back;
    gm_moves_drop(&tabu->moves, node);
}

int gm_tabu_step(gm_tabu *tabu, gm_random *random)
{
    gm_moves *moves = &tabu->moves;
    const move chosen = cheapest(tabu);
    tabu->step++;
    if (chosen.change == INFINITY)
        return 0;
    leave(tabu, chosen.i, random);
    if (chosen.k >= 0)
        leave(tabu, chosen.k, random);
    gm_moves_put(moves, chosen.p);
    gm_moves_put(moves, chosen.q);
    couple_node(tabu, chosen.i);
    if (chosen.k >= 0)
        couple_node(tabu, chosen.k);
    tabu->cost += chosen.change;
    if (!(tabu->cost < tabu->best_cost - TOLERANCE * fabs(tabu->best_cost)))
        return 0;
    tabu->best_cost = tabu->cost;
    memcpy(tabu->best, moves->current, (size_t)moves->index->n1 * sizeof *tabu->best);
    return 1;
}

double gm_tabu_work(const gm_index *index)
{
    const double n = index->n_slots > 0 ? index->n_slots : 1;
    const double per_node = n / (index->n1 > 0 ? index->n1 : 1), per_label = n / (index->n2 > 0 ? index->n2 : 1);
    return 4.0 * n + 6.0 * (2.0 * (double)index->n_entries / n) + 2.0 * 40.0 * (per_node + per_label);
}

int gm_tabu_search(const gm_model *model, uint64_t seed, int64_t steps, int32_t *labels, double *cost)
{
    gm_random random = {.state = seed};
    gm_pool pool = {0};
    gm_tabu tabu;
    int32_t *slots;
    uint8_t *chosen;
    gm_index *index = gm_index_new(model);
    if (!index)
        return GM_ENOMEM;
    gm_tabu_take(&tabu, &pool, index);
    GM_TAKE(&pool, index->n1, slots);
    GM_TAKE(&pool, index->n_slots, chosen);
    const int status = pool.failed ? GM_ENOMEM : GM_OK;
    if (status == GM_OK) {
        for (int32_t i = 0; i < index->n1; i++)
            slots[i] = gm_index_slot(index, i, labels[i]);
        gm_tabu_start(&tabu, slots, gm_index_cost(index, slots, chosen));
        for (int64_t k = 0; k < steps; k++)
            gm_tabu_step(&tabu, &random);
        for (int32_t i = 0; i < index->n1; i++)
            labels[i] = tabu.best[i] >= 0 ? index->slot_label[tabu.best[i]] : -1;
        *cost = tabu.best_cost;
    }
    gm_pool_free(&pool);
    gm_index_free(index);
    return status;
}
