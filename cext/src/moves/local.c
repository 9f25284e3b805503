/* Local search: moves that give one node another slot and the node that had its label the best of
 * the rest. */
#include "moves/local.h"
#include "base/watch.h"

#include "base/lanes.h"
#include "moves/policy.h"

#include <math.h>
#include <string.h>

void gm_moves_take(gm_moves *moves, gm_pool *pool, const gm_index *index)
{
    moves->index = index;
    GM_TAKE(pool, index->n_slots, moves->price);
    GM_TAKE(pool, index->n1, moves->current);
    GM_TAKE(pool, index->n2, moves->owner);
}

/* price += sign * row */
GM_WIDE static void add_row(int32_t n, double sign, const double *restrict row,
                            double *restrict price)
{
    for (int32_t q = 0; q < n; q++)
        price[q] += sign * row[q];
}

/* Slot p is chosen (sign 1) or given up (-1): the prices of its neighbours change. */
static void change_price(gm_moves *moves, int32_t p, double sign)
{
    const gm_index *index = moves->index;
    if (index->table) {
        add_row(index->n_slots, sign, index->table + (int64_t)p * index->n_slots, moves->price);
        return;
    }
    for (int64_t k = index->adjacent_start[p]; k < index->adjacent_start[p + 1]; k++)
        moves->price[index->adjacent_slot[k]] += sign * index->adjacent_cost[k];
}

void gm_moves_drop(gm_moves *moves, int32_t node)
{
    const int32_t p = moves->current[node];
    if (p < 0)
        return;
    change_price(moves, p, -1.0);
    moves->owner[moves->index->slot_label[p]] = -1;
    moves->current[node] = -1;
}

void gm_moves_put(gm_moves *moves, int32_t p)
{
    if (p < 0)
        return;
    change_price(moves, p, 1.0);
    moves->owner[moves->index->slot_label[p]] = moves->index->slot_node[p];
    moves->current[moves->index->slot_node[p]] = p;
}

void gm_moves_load(gm_moves *moves, const int32_t *slots)
{
    const gm_index *index = moves->index;
    memcpy(moves->price, index->slot_cost, sizeof *moves->price * (size_t)index->n_slots);
    for (int32_t s = 0; s < index->n2; s++)
        moves->owner[s] = -1;
    for (int32_t i = 0; i < index->n1; i++) {
        moves->current[i] = -1;
        gm_moves_put(moves, slots[i]);
    }
}

/* The best slot (or -1) for node k, which lost its label to slot p, when the slot `old` was given
 * up for p (-1: none was). Returns its price then, 0 for -1; +inf if k must be matched and cannot.
 */
static double place_ejected(const gm_moves *moves, int32_t k, int32_t p, int32_t old, int32_t *slot)
{
    const gm_index *index = moves->index;
    double least = index->complete ? INFINITY : 0.0;
    *slot = -1;
    for (int32_t q = index->node_start[k]; q < index->node_start[k + 1]; q++) {
        const int32_t s = index->slot_label[q];
        const int vacated = old >= 0 && s == index->slot_label[old];
        if (s == index->slot_label[p] || (moves->owner[s] >= 0 && !vacated))
            continue;
        const double with_old = old >= 0 && !vacated ? gm_index_pair(index, q, old) : 0.0;
        const double price = moves->price[q] + gm_index_pair(index, q, p) - with_old;
        if (price < least) {
            least = price;
            *slot = q;
        }
    }
    return least;
}

/* Makes the best move of node i, if it lowers the cost by more than the tolerance. Returns 1 after
 * a move. */
static int improve_node(gm_moves *moves, int32_t i, double tolerance)
{
    const gm_index *index = moves->index;
    const int32_t old = moves->current[i];
    const double paid = old >= 0 ? moves->price[old] : 0.0;
    int32_t best_slot = -1, best_replacement = -1, best_ejected = -1;
    int found = !index->complete && old >= 0 && -paid < -tolerance; /* by giving up its slot */
    double best = found ? -paid : -tolerance;
    for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
        if (p == old)
            continue;
        const int32_t k = moves->owner[index->slot_label[p]];
        double change = moves->price[p] - paid;
        int32_t replacement = -1;
        if (k >= 0) {
            const int32_t b = moves->current[k];
            change -= moves->price[b] - (old >= 0 ? gm_index_pair(index, old, b) : 0.0);
            change += place_ejected(moves, k, p, old, &replacement);
        }
        if (change < best) {
            best = change;
            best_slot = p;
            best_replacement = replacement;
            best_ejected = k;
            found = 1;
        }
    }
    if (!found)
        return 0;
    gm_moves_drop(moves, i);
    if (best_ejected >= 0)
        gm_moves_drop(moves, best_ejected);
    gm_moves_put(moves, best_slot);
    gm_moves_put(moves, best_replacement);
    return 1;
}

enum { MOVES_PER_NODE = 50 }; /* at most, against endless cycles */

/* Moves of all nodes in turn, until none of them brings a gain. */
static void descend(gm_moves *moves)
{
    const int32_t n1 = moves->index->n1;
    int32_t n_idle = 0; /* nodes in a row without a move */
    double largest = 0.0;
    for (int32_t i = 0; i < n1; i++)
        if (moves->current[i] >= 0)
            largest = fmax(largest, fabs(moves->price[moves->current[i]]));
    const double tolerance = GM_GAIN_TOLERANCE * largest;
    const int64_t most_moves = MOVES_PER_NODE * (int64_t)n1;
    int64_t n_moves = 0;
    for (int32_t i = 0; n_idle < n1 && n_moves < most_moves; i = i + 1 < n1 ? i + 1 : 0) {
        const int64_t n_labels = gm_index_n_labels(moves->index, i);
        if (gm_watch_spend(moves->index->watch, 1 + n_labels * n_labels))
            break;
        if (improve_node(moves, i, tolerance)) {
            n_idle = 0;
            n_moves++;
        } else {
            n_idle++;
        }
    }
}

void gm_moves_descend(gm_moves *moves, const int32_t *slots, int32_t *improved)
{
    gm_moves_load(moves, slots);
    descend(moves);
    memcpy(improved, moves->current, sizeof *improved * (size_t)moves->index->n1);
}
