/* Robust tabu search over matchings. */
#include "moves/tabu.h"
#include "model/slots.h"
#include "moves/policy.h"

#include <math.h>
#include <string.h>

void gm_tabu_take(gm_tabu *tabu, gm_pool *pool, const gm_index *index)
{
    gm_moves_take(&tabu->moves, pool, index);
    GM_TAKE(pool, index->n_slots, tabu->partner);
    GM_TAKE(pool, index->n_slots, tabu->ejection);
    GM_TAKE(pool, index->n_slots, tabu->swap);
    GM_TAKE(pool, index->n_slots, tabu->until);
    GM_TAKE(pool, index->n1, tabu->idle_until);
    GM_TAKE(pool, index->n1, tabu->best);
    GM_TAKE(pool, index->n2, tabu->paid);
}

/* Computes the costs of the moves to slot p in addition to the prices; a swap is also that of its
 * partner. */
static void couple(gm_tabu *tabu, int32_t p)
{
    const gm_moves *moves = &tabu->moves;
    const gm_index *index = moves->index;
    const int32_t i = index->slot_node[p], a = moves->current[i];
    const int32_t k = moves->owner[index->slot_label[p]]; /* the owner of p */
    tabu->swap[p] = INFINITY;
    tabu->partner[p] = p;
    tabu->ejection[p] = 0.0;
    if (k < 0)
        return;
    const int has_other = a >= 0 && a != p; /* i has a slot to give up */
    const double given_up = has_other ? gm_index_pair(index, a, moves->current[k]) : 0.0;
    tabu->ejection[p] = a == p || index->complete ? INFINITY : given_up;
    const int32_t q = has_other ? gm_index_slot(index, k, index->slot_label[a]) : -1;
    if (q < 0)
        return;
    tabu->partner[p] = q;
    tabu->partner[q] = p;
    tabu->swap[p] = tabu->swap[q] = given_up + gm_index_pair(index, p, q);
}

/* The moves to a label whose owner has changed, except for swaps: couple_node for the owner finds
 * those. */
static void couple_label(gm_tabu *tabu, int32_t label)
{
    const gm_moves *moves = &tabu->moves;
    const gm_index *index = moves->index;
    const int32_t owner = moves->owner[label];
    for (int32_t at = index->label_start[label]; at < index->label_start[label + 1]; at++) {
        const int32_t p = index->label_slot[at], i = index->slot_node[p], a = moves->current[i];
        tabu->swap[p] = INFINITY;
        tabu->partner[p] = p;
        if (owner < 0)
            tabu->ejection[p] = 0.0;
        else if (owner == i || index->complete)
            tabu->ejection[p] = INFINITY;
        else
            tabu->ejection[p] = a >= 0 ? gm_index_pair(index, a, moves->current[owner]) : 0.0;
    }
}

/* The moves of a node that has changed its label, and of those that would swap with it. */
static void couple_node(gm_tabu *tabu, int32_t node)
{
    const gm_index *index = tabu->moves.index;
    const int32_t slot = tabu->moves.current[node];
    if (slot >= 0)
        couple_label(tabu, index->slot_label[slot]);
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

/* Node i takes slot p (-1: stays unmatched) from node k (-1: from none), which takes q (-1:
 * none). */
typedef struct move {
    double change;
    int32_t i, p, k, q;
} move;

/* The cheapest move that is allowed; its change is +inf if there is none. */
static move cheapest(const gm_tabu *tabu)
{
    const gm_moves *moves = &tabu->moves;
    const gm_index *index = moves->index;
    const double *price = moves->price;
    const double new_best =
        tabu->best_cost - tabu->cost - GM_GAIN_TOLERANCE * fabs(tabu->best_cost);
    move best = {.change = INFINITY};
    memset(tabu->paid, 0, sizeof *tabu->paid * (size_t)index->n2);
    for (int32_t i = 0; i < index->n1; i++)
        if (moves->current[i] >= 0)
            tabu->paid[index->slot_label[moves->current[i]]] = price[moves->current[i]];
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t a = moves->current[i];
        const double paid = a >= 0 ? price[a] : 0.0;
        if (!index->complete && a >= 0 && -paid < best.change &&
            (tabu->idle_until[i] <= tabu->step || -paid < new_best))
            best = (move){-paid, i, -1, -1, -1};
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
            const int32_t q = tabu->partner[p];
            const double alone = price[p] - paid - tabu->paid[index->slot_label[p]];
            const double swapping = alone + price[q] + tabu->swap[p];
            const double ejecting = alone + tabu->ejection[p];
            /* nearly always true, so this is the first branch, and the only one in most cases */
            if (!((swapping < best.change) | (ejecting < best.change)))
                continue;
            const int32_t k = moves->owner[index->slot_label[p]];
            const int allowed = tabu->until[p] <= tabu->step;
            if (swapping < best.change &&
                (allowed || tabu->until[q] <= tabu->step || swapping < new_best))
                best = (move){swapping, i, p, k, q};
            if (ejecting < best.change &&
                (allowed || (k >= 0 && tabu->idle_until[k] <= tabu->step) || ejecting < new_best))
                best = (move){ejecting, i, p, k, -1};
        }
    }
    return best;
}

/* A node gives up its slot, or that it is unmatched, and may not have it back for some steps: the
 * cube of a uniform number makes most bans short (Taillard). */
static void leave(gm_tabu *tabu, int32_t node, gm_random *random)
{
    const double unit = gm_random_unit(random);
    const int64_t back =
        tabu->step + 1 + (int64_t)(unit * unit * unit * GM_LONGEST_BAN * tabu->moves.index->n1);
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
    const int32_t former = moves->current[chosen.i];
    leave(tabu, chosen.i, random);
    if (chosen.k >= 0)
        leave(tabu, chosen.k, random);
    gm_moves_put(moves, chosen.p);
    gm_moves_put(moves, chosen.q);
    if (former >= 0 && chosen.q < 0) /* its label is free now */
        couple_label(tabu, moves->index->slot_label[former]);
    couple_node(tabu, chosen.i);
    if (chosen.k >= 0)
        couple_node(tabu, chosen.k);
    tabu->cost += chosen.change;
    if (!(tabu->cost < tabu->best_cost - GM_GAIN_TOLERANCE * fabs(tabu->best_cost)))
        return 0;
    tabu->best_cost = tabu->cost;
    memcpy(tabu->best, moves->current, (size_t)moves->index->n1 * sizeof *tabu->best);
    return 1;
}

double gm_tabu_work(const gm_index *index)
{
    const double n = index->n_slots > 0 ? index->n_slots : 1;
    const double per_node = n / (index->n1 > 0 ? index->n1 : 1);
    const double per_label = n / (index->n2 > 0 ? index->n2 : 1);
    const double degree = 2.0 * (double)index->n_entries / n;
    const double coupled = per_node + per_label;
    if (index->table)
        return GM_TABU_TABLE_SLOT * n + GM_TABU_TABLE_COUPLED * coupled;
    return GM_TABU_SLOT * n + GM_TABU_DEGREE * degree + GM_TABU_COUPLED * coupled;
}

int gm_tabu_search(const gm_model *model, uint64_t seed, int64_t steps, int32_t *labels,
                   double *cost)
{
    gm_random random = {.state = seed};
    gm_pool pool = {0};
    gm_tabu tabu;
    int32_t *slots;
    uint8_t *chosen;
    gm_index *index = gm_index_new(model, NULL);
    if (!index)
        return GM_ENOMEM;
    gm_tabu_take(&tabu, &pool, index);
    GM_TAKE(&pool, index->n1, slots);
    GM_TAKE(&pool, index->n_slots, chosen);
    const int status = pool.failed ? GM_ENOMEM : GM_OK;
    if (status == GM_OK) {
        gm_labels_to_slots(index, labels, slots);
        gm_tabu_start(&tabu, slots, gm_index_cost(index, slots, chosen));
        for (int64_t k = 0; k < steps; k++)
            gm_tabu_step(&tabu, &random);
        gm_slots_to_labels(index, tabu.best, labels);
        *cost = tabu.best_cost;
    }
    gm_pool_free(&pool);
    gm_index_free(index);
    return status;
}
