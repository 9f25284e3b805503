/* Steps of the local search; see exchange.h. */
#include "subgraphs/exchange.h"
#include "base/lanes.h"
#include "subgraphs/word.h"

#include <string.h>

static const int32_t PATIENCE = 1000; /* steps without a larger set before a pair is forced in */

/* ---- pairs that exclude each other */

/* excluded[x]: the right items y such that the pair (u, v) excludes (x, y). */
static void find_excluded(const small_search *s, int32_t n, int32_t u, int32_t v,
                          uint64_t *excluded)
{
    for (int32_t x = 0; x < n; x++)
        excluded[x] = s->right.touch[v] | only(v);
    for (int32_t code = 0; code < s->left.n_codes; code++) {
        uint64_t fitting = 0, rest = s->left.near[code * SMALL_NODES + u];
        for (uint64_t fit = s->fits[code]; fit; fit &= fit - 1)
            fitting |= s->right.near[first_of(fit) * SMALL_NODES + v];
        for (; rest; rest &= rest - 1)
            excluded[first_of(rest)] = ~fitting;
    }
    excluded[u] = ~UINT64_C(0);
}

/* Adds 1 to the counts of the excluded pairs, or subtracts 1. */
GM_WIDE static void change_counts(small_exchange *x, const uint64_t *excluded, int subtract)
{
    uint64_t carry[SMALL_NODES];
    const uint64_t flip = subtract ? ~UINT64_C(0) : 0;
    memcpy(carry, excluded, sizeof carry);
    for (int32_t plane = 0; plane < EXCHANGE_PLANES; plane++)
        for (int32_t k = 0; k < SMALL_NODES; k++) {
            const uint64_t old = x->count[plane][k];
            x->count[plane][k] = old ^ carry[k];
            carry[k] &= old ^ flip;
        }
}

static void add_pair(small_exchange *x, int32_t u, int32_t v)
{
    uint64_t excluded[SMALL_NODES] = {0};
    find_excluded(x->small, x->n_left, u, v, excluded);
    change_counts(x, excluded, 0);
    x->image[u] = v;
    x->n_pairs++;
}

/* Takes a pair out; it rests in place `place` of the queue. */
static void remove_pair(small_exchange *x, int32_t u, int32_t place)
{
    uint64_t excluded[SMALL_NODES] = {0};
    const int32_t v = x->image[u], *old = x->queue[place];
    find_excluded(x->small, x->n_left, u, v, excluded);
    change_counts(x, excluded, 1);
    x->image[u] = -1;
    x->n_pairs--;
    if (old[0] >= 0)
        x->resting[old[0]] &= ~only(old[1]);
    x->queue[place][0] = u;
    x->queue[place][1] = v;
    x->resting[u] |= only(v);
}

/* Adds a pair and removes those that exclude it. */
static void force_pair(small_exchange *x, int32_t u, int32_t v, int64_t step)
{
    uint64_t excluded[SMALL_NODES] = {0};
    find_excluded(x->small, x->n_left, u, v, excluded);
    for (int32_t w = 0; w < x->n_left; w++)
        if (x->image[w] >= 0 && excluded[w] & only(x->image[w]))
            remove_pair(x, w, (int32_t)(step++ % EXCHANGE_REST));
    add_pair(x, u, v);
}

/* ---- steps */

/* Fills the sets of pairs that no pair excludes, and of those that one does; of pairs that are
 * neither in the set nor resting. */
GM_WIDE static void find_moves(const small_exchange *x, uint64_t *free_pairs, uint64_t *exchanges)
{
    for (int32_t k = 0; k < SMALL_NODES; k++) {
        uint64_t many = 0;
        for (int32_t plane = 1; plane < EXCHANGE_PLANES; plane++)
            many |= x->count[plane][k];
        const uint64_t open = x->fit[k] & ~x->resting[k] & ~many;
        free_pairs[k] = open & ~x->count[0][k];
        exchanges[k] = open & x->count[0][k];
    }
    for (int32_t k = 0; k < x->n_left; k++)
        if (x->image[k] >= 0)
            exchanges[k] &= ~only(x->image[k]); /* a pair excludes itself */
}

/* A random member of sets of pairs; 0: there is none. */
static int draw_pair(small_exchange *x, const uint64_t *sets, int32_t *u, int32_t *v)
{
    int32_t n = 0, k = 0;
    for (int32_t row = 0; row < x->n_left; row++)
        n += count(sets[row]);
    if (n == 0)
        return 0;
    int32_t skip = gm_random_below(&x->random, n);
    while (skip >= count(sets[k]))
        skip -= count(sets[k++]);
    uint64_t row = sets[k];
    while (skip-- > 0)
        row &= row - 1;
    *u = k;
    *v = first_of(row);
    return 1;
}

static void keep_best(small_exchange *x)
{
    x->n_best = x->n_pairs;
    memcpy(x->best, x->image, sizeof x->best);
}

void exchange_go(small_exchange *x, int64_t steps)
{
    uint64_t free_pairs[SMALL_NODES], exchanges[SMALL_NODES];
    int32_t u, v, vain = 0;
    for (int64_t step = 0; step < steps; step++) {
        find_moves(x, free_pairs, exchanges);
        if (draw_pair(x, free_pairs, &u, &v))
            add_pair(x, u, v);
        else if (vain++ < PATIENCE && draw_pair(x, exchanges, &u, &v))
            force_pair(x, u, v, step);
        else {
            vain = 0;
            if (!draw_pair(x, x->fit, &u, &v))
                return;
            if (x->image[u] != v)
                force_pair(x, u, v, step);
        }
        if (x->n_pairs > x->n_best) {
            keep_best(x);
            vain = 0;
        }
    }
}

/* ---- begin and end */

void exchange_begin(small_exchange *x, const small_search *small, const sub_question *q,
                    const int32_t *labels)
{
    int32_t place[SMALL_NODES];
    memset(x, 0, sizeof *x);
    x->small = small;
    x->n_left = q->left.n_items;
    for (int32_t k = 0; k < q->n_classes; k++)
        for (uint64_t rest = q->root.left[k]; rest; rest &= rest - 1)
            x->fit[first_of(rest)] = q->root.right[k];
    for (int32_t k = 0; k < EXCHANGE_REST; k++)
        x->queue[k][0] = -1;
    for (int32_t k = 0; k < SMALL_NODES; k++)
        x->image[k] = -1;
    for (int32_t k = 0; k < q->right.n_items; k++)
        place[q->right.original[k]] = k;
    for (int32_t k = 0; k < q->left.n_items; k++)
        if (labels[q->left.original[k]] >= 0)
            add_pair(x, k, place[labels[q->left.original[k]]]);
    keep_best(x);
}

int32_t exchange_labels(const small_exchange *x, const sub_question *q, int32_t *labels)
{
    for (int32_t k = 0; k < q->left.n_items; k++)
        labels[q->left.original[k]] = x->best[k] < 0 ? -1 : q->right.original[x->best[k]];
    return x->n_best;
}
