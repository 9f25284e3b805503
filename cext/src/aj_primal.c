/* Matchings for the exact method: local search by moves and ejections on the model's own costs.
 *
 * price[p] = c_p + cost of p's pairs with chosen slots, kept up to date, makes every move's change
 * a sum of a few numbers. A move gives node i the slot p; a node k that loses its label then takes
 * i's old label, a free label, or stays unmatched.
 */
#include "aj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct aj_primal {
    const gm_index *index;
    double *price;    /* n_slots */
    int32_t *current; /* n1: slot of each node, -1 = unmatched */
    int32_t *owner;   /* n2: node that has the label, -1 = free */
    gm_pool pool;
};

aj_primal *aj_primal_new(const gm_index *index)
{
    aj_primal *S = calloc(1, sizeof *S);
    if (!S)
        return NULL;
    S->index = index;
    GM_TAKE(&S->pool, index->n_slots, S->price);
    GM_TAKE(&S->pool, index->n1, S->current);
    GM_TAKE(&S->pool, index->n2, S->owner);
    if (S->pool.failed) {
        aj_primal_free(S);
        return NULL;
    }
    return S;
}

void aj_primal_free(aj_primal *S)
{
    if (S)
        gm_pool_free(&S->pool);
    free(S);
}

static double pair_cost(const gm_index *index, int32_t p, int32_t q)
{
    int64_t low = index->adjacent_start[p], high = index->adjacent_start[p + 1];
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (index->adjacent_slot[middle] < q)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->adjacent_start[p + 1] && index->adjacent_slot[low] == q ? index->adjacent_cost[low] : 0.0;
}

static void change_price(aj_primal *S, int32_t p, double sign)
{
    const gm_index *index = S->index;
    for (int64_t k = index->adjacent_start[p]; k < index->adjacent_start[p + 1]; k++)
        S->price[index->adjacent_slot[k]] += sign * index->adjacent_cost[k];
}

static void drop(aj_primal *S, int32_t node)
{
    const int32_t p = S->current[node];
    if (p < 0)
        return;
    change_price(S, p, -1.0);
    S->owner[S->index->slot_label[p]] = -1;
    S->current[node] = -1;
}

static void put(aj_primal *S, int32_t p)
{
    if (p < 0)
        return;
    change_price(S, p, 1.0);
    S->owner[S->index->slot_label[p]] = S->index->slot_node[p];
    S->current[S->index->slot_node[p]] = p;
}

static void load(aj_primal *S, const int32_t *slots)
{
    const gm_index *index = S->index;
    memcpy(S->price, index->slot_cost, sizeof *S->price * (size_t)index->n_slots);
    for (int32_t s = 0; s < index->n2; s++)
        S->owner[s] = -1;
    for (int32_t i = 0; i < index->n1; i++) {
        S->current[i] = -1;
        put(S, slots[i]);
    }
}

/* The best slot (or -1) for the ejected node k when p is chosen and `old` was given up, and its
 * price; +inf when k must be matched and cannot be. */
static double repair(const aj_primal *S, int32_t k, int32_t p, int32_t old, int32_t *slot)
{
    const gm_index *index = S->index;
    double least = index->complete ? INFINITY : 0.0;
    *slot = -1;
    for (int32_t q = index->node_start[k]; q < index->node_start[k + 1]; q++) {
        const int32_t s = index->slot_label[q];
        const int vacated = old >= 0 && s == index->slot_label[old];
        if (s == index->slot_label[p] || (S->owner[s] >= 0 && !vacated))
            continue;
        const double price = S->price[q] + pair_cost(index, q, p) - (old >= 0 && !vacated ? pair_cost(index, q, old) : 0.0);
        if (price < least) {
            least = price;
            *slot = q;
        }
    }
    return least;
}

/* Tries to give node i something better; returns 1 after an improving move. */
static int improve_node(aj_primal *S, int32_t i, double tolerance)
{
    const gm_index *index = S->index;
    const int32_t old = S->current[i];
    const double paid = old >= 0 ? S->price[old] : 0.0;
    double best = index->complete ? -tolerance : fmin(-paid, 0.0);
    int32_t best_slot = -1, best_repair = -1, best_ejected = -1;
    int found = !index->complete && old >= 0 && best < -tolerance;
    if (!found)
        best = -tolerance;
    for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
        if (p == old)
            continue;
        const int32_t k = S->owner[index->slot_label[p]];
        double change = S->price[p] - paid;
        int32_t replacement = -1;
        if (k >= 0) {
            const int32_t b = S->current[k];
            change -= S->price[b] - (old >= 0 ? pair_cost(index, old, b) : 0.0);
            change += repair(S, k, p, old, &replacement);
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
    drop(S, i);
    if (best_ejected >= 0)
        drop(S, best_ejected);
    put(S, best_slot);
    put(S, best_repair);
    return 1;
}

static void descend(aj_primal *S)
{
    const int32_t n1 = S->index->n1;
    int32_t quiet = 0;
    double largest = 0.0;
    for (int32_t i = 0; i < n1; i++)
        if (S->current[i] >= 0)
            largest = fmax(largest, fabs(S->price[S->current[i]]));
    const double tolerance = 1e-10 * largest; /* prices drift by rounding: smaller gains may be none */
    int64_t moves = 0;
    for (int32_t i = 0; quiet < n1 && moves < 50 * (int64_t)n1; i = i + 1 < n1 ? i + 1 : 0) {
        if (improve_node(S, i, tolerance)) {
            quiet = 0;
            moves++;
        } else {
            quiet++;
        }
    }
}

void aj_primal_descend(aj_primal *S, const int32_t *slots, int32_t *improved)
{
    load(S, slots);
    descend(S);
    memcpy(improved, S->current, sizeof *improved * (size_t)S->index->n1);
}
