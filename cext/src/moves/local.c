#include "moves/local.h"

#include "base/lanes.h"

#include <math.h>
#include <string.h>

void gm_moves_take(gm_moves *moves, gm_pool *pool, const gm_index *index)
{
    moves->index = index;
    GM_TAKE(pool, index->n_slots, moves->price);
    GM_TAKE(pool, index->n1, moves->current);
    GM_TAKE(pool, index->n2, moves->owner);
}

GM_WIDE static void add_row(int32_t n, double sign, const double *restrict row,
                            double *restrict price)
{
    for (int32_t q = 0; q < n; q++)
        price[q] += sign * row[q];
}

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

/* The best slot (or -1) for the ejected node k when p is chosen and `old` was given up, and its
 * price; +inf when k must be matched and cannot be. */
static double repair(const gm_moves *moves, int32_t k, int32_t p, int32_t old, int32_t *slot)
{
    const gm_index *index = moves->index;
    double least = index->complete ? INFINITY : 0.0;
    *slot = -1;
    for (int32_t q = index->node_start[k]; q < index->node_start[k + 1]; q++) {
        const int32_t s = index->slot_label[q];
        const int vacated = old >= 0 && s == index->slot_label[old];
        if (s == index->slot_label[p] || (moves->owner[s] >= 0 && !vacated))
            continue;
        const double price = moves->price[q] + gm_index_pair(index, q, p) -
                             (old >= 0 && !vacated ? gm_index_pair(index, q, old) : 0.0);
        if (price < least) {
            least = price;
            *slot = q;
        }
    }
    return least;
}

/* Tries to give node i something better; returns 1 after an improving move. */
static int improve_node(gm_moves *moves, int32_t i, double tolerance)
{
    const gm_index *index = moves->index;
    const int32_t old = moves->current[i];
    const double paid = old >= 0 ? moves->price[old] : 0.0;
    double best = index->complete ? -tolerance : fmin(-paid, 0.0);
    int32_t best_slot = -1, best_repair = -1, best_ejected = -1;
    int found = !index->complete && old >= 0 && best < -tolerance;
    if (!found)
        best = -tolerance;
    for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
        if (p == old)
            continue;
        const int32_t k = moves->owner[index->slot_label[p]];
        double change = moves->price[p] - paid;
        int32_t replacement = -1;
        if (k >= 0) {
            const int32_t b = moves->current[k];
            change -= moves->price[b] - (old >= 0 ? gm_index_pair(index, old, b) : 0.0);
            change += repair(moves, k, p, old, &replacement);
        }
        if (change < best) {
            best = change;
            best_slot = p;
            best_repair = replacement;
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
    gm_moves_put(moves, best_repair);
    return 1;
}

static void descend(gm_moves *moves)
{
    const int32_t n1 = moves->index->n1;
    int32_t quiet = 0;
    double largest = 0.0;
    for (int32_t i = 0; i < n1; i++)
        if (moves->current[i] >= 0)
            largest = fmax(largest, fabs(moves->price[moves->current[i]]));
    const double tolerance =
        1e-10 * largest; /* prices drift by rounding: smaller gains may be none */
    int64_t n_moves = 0;
    for (int32_t i = 0; quiet < n1 && n_moves < 50 * (int64_t)n1; i = i + 1 < n1 ? i + 1 : 0) {
        if (improve_node(moves, i, tolerance)) {
            quiet = 0;
            n_moves++;
        } else {
            quiet++;
        }
    }
}

void gm_moves_descend(gm_moves *moves, const int32_t *slots, int32_t *improved)
{
    gm_moves_load(moves, slots);
    descend(moves);
    memcpy(improved, moves->current, sizeof *improved * (size_t)moves->index->n1);
}
