#include "qap/beam.h"

#include "qap/policy.h"

#include <math.h>
#include <string.h>

/* The number of entries of M + M' that are not zero. */
static int64_t count_links(int32_t n, const double *M)
{
    int64_t links = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            links += M[(int64_t)i * n + j] != 0.0 || M[(int64_t)j * n + i] != 0.0;
    return links;
}

/* If one of both matrices is symmetric, one term has both directions: see gm_swaps_take. */
static void list_links(qap_beam *self, const double *M, int symmetric)
{
    const int32_t n = self->n;
    int64_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        self->start[i] = at;
        for (int32_t j = 0; j < n; j++) {
            const double out = M[(int64_t)i * n + j], in = M[(int64_t)j * n + i];
            if (out == 0.0 && in == 0.0)
                continue;
            self->other[at] = j;
            self->out[at] = symmetric ? 0.0 : out;
            self->in[at++] = in;
        }
    }
    self->start[n] = at;
}

enum { MOST_CELLS = 2000000 }; /* states times nodes */
enum { WIDEST = 8192 };        /* states */

void qap_beam_take(qap_beam *self, gm_pool *pool, const gm_swaps *swaps)
{
    const int32_t n = swaps->n;
    self->n = n;
    self->widest = 0;
    if (pool->failed)
        return;
    const int64_t of_A = count_links(n, swaps->A), of_B = count_links(n, swaps->B);
    const int64_t links = of_A <= of_B ? of_A : of_B;
    const int64_t widest = MOST_CELLS / n;
    if ((double)links > QAP_THIN * (double)n * (double)n || widest < n)
        return;
    self->widest = widest < WIDEST ? (int32_t)widest : WIDEST;
    self->next_width = 2 * n < self->widest ? 2 * n : self->widest;
    self->of_labels = of_B < of_A;
    self->D = self->of_labels ? swaps->A : swaps->B;
    self->C = swaps->C;
    GM_TAKE(pool, n + 1, self->start);
    GM_TAKE(pool, links, self->other);
    GM_TAKE(pool, links, self->out);
    GM_TAKE(pool, links, self->in);
    GM_TAKE(pool, n, self->order);
    GM_TAKE(pool, n, self->place);
    GM_TAKE(pool, (int64_t)self->widest * n, self->spots);
    GM_TAKE(pool, (int64_t)self->widest * n, self->grown);
    GM_TAKE(pool, self->widest, self->cost);
    GM_TAKE(pool, self->widest, self->grown_cost);
    GM_TAKE(pool, self->widest, self->kept);
    GM_TAKE(pool, n, self->price);
    GM_TAKE(pool, n, self->taken);
    if (!pool->failed)
        list_links(self, self->of_labels ? swaps->B : swaps->A, swaps->symmetric);
}

/* Orders the items: next comes the one with most links to those before, of several a random one. */
static void order_items(qap_beam *self, gm_random *random)
{
    const int32_t n = self->n;
    int32_t *n_links = self->grown; /* scratch: to items before */
    for (int32_t i = 0; i < n; i++) {
        self->place[i] = -1;
        n_links[i] = 0;
    }
    for (int32_t d = 0; d < n; d++) {
        const int32_t first = gm_random_below(random, n);
        int32_t next = -1;
        for (int32_t k = 0; k < n; k++) {
            const int32_t i = first + k < n ? first + k : first + k - n;
            if (self->place[i] < 0 && (next < 0 || n_links[i] > n_links[next]))
                next = i;
        }
        self->order[d] = next;
        self->place[next] = d;
        for (int64_t k = self->start[next]; k < self->start[next + 1]; k++)
            n_links[self->other[k]]++;
    }
}

void qap_beam_begin(qap_beam *self, gm_random *random)
{
    const double wider = ceil(QAP_WIDER * self->next_width);
    order_items(self, random);
    self->width = self->next_width;
    self->next_width = wider < self->widest ? (int32_t)wider : self->widest;
    self->depth = 0;
    self->n_states = 1;
    self->cost[0] = 0.0;
}

/* Whether one growth is dropped before another. */
static int is_worse(const qap_growth *one, const qap_growth *other)
{
    return one->cost > other->cost || (one->cost == other->cost && one->tie > other->tie);
}

/* Moves the growth at the head of the heap down to its place. */
static void sink(qap_beam *self)
{
    qap_growth *heap = self->kept;
    const qap_growth moved = heap[0];
    int32_t at = 0;
    for (int32_t child = 1; child < self->n_kept; child = 2 * at + 1) {
        if (child + 1 < self->n_kept && is_worse(&heap[child + 1], &heap[child]))
            child++;
        if (!is_worse(&heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Adds a growth, if it is among the `width` cheapest so far. */
static void keep(qap_beam *self, qap_growth growth)
{
    qap_growth *heap = self->kept;
    if (self->n_kept == self->width) {
        if (!is_worse(&heap[0], &growth))
            return;
        heap[0] = growth;
        sink(self);
        return;
    }
    int32_t at = self->n_kept++;
    for (; at > 0 && is_worse(&growth, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = growth;
}

/* price[s] = the cost of an item on spot s with the items that are placed:
 * sum_k M_vk D_s,spot(k) + M_kv D_spot(k),s, and C. */
static void price_item(qap_beam *self, int32_t item, const int32_t *spots)
{
    const int64_t n = self->n;
    double *price = self->price;
    memset(price, 0, sizeof *price * (size_t)n);
    for (int64_t k = self->start[item]; k < self->start[item + 1]; k++) {
        const int32_t d = self->place[self->other[k]];
        if (d >= self->depth)
            continue;
        const double in = self->in[k], out = self->out[k];
        const double *row = self->D + spots[d] * n, *column = self->D + spots[d];
        for (int32_t s = 0; s < n; s++)
            price[s] += in * row[s];
        for (int32_t s = 0; out != 0.0 && s < n; s++)
            price[s] += out * column[s * n];
    }
    for (int32_t s = 0; self->C && s < n; s++)
        price[s] += self->of_labels ? self->C[s * n + item] : self->C[item * n + s];
}

/* Offers all growths of a state to the heap. */
static void grow(qap_beam *self, int32_t from, gm_random *random)
{
    const int32_t n = self->n, *spots = self->spots + (int64_t)from * n;
    price_item(self, self->order[self->depth], spots);
    memset(self->taken, 0, sizeof *self->taken * (size_t)n);
    for (int32_t d = 0; d < self->depth; d++)
        self->taken[spots[d]] = 1;
    for (int32_t s = 0; s < n; s++) {
        const double cost = self->cost[from] + self->price[s];
        if (self->taken[s] || (self->n_kept == self->width && cost > self->kept[0].cost))
            continue;
        keep(self, (qap_growth){cost, (uint32_t)(gm_random_bits(random) >> 32), from, s});
    }
}

int qap_beam_step(qap_beam *self, gm_random *random)
{
    const int32_t n = self->n, depth = self->depth;
    const int32_t item = self->order[depth];
    const int64_t work = n * (QAP_GROWTH + self->start[item + 1] - self->start[item]);
    self->work += (double)work * self->n_states;
    self->n_kept = 0;
    for (int32_t k = 0; k < self->n_states && !gm_watch_spend(self->watch, work); k++)
        grow(self, k, random);
    for (int32_t k = 0; k < self->n_kept; k++) {
        const qap_growth *growth = &self->kept[k];
        int32_t *spots = self->grown + (int64_t)k * n;
        memcpy(spots, self->spots + (int64_t)growth->from * n, sizeof *spots * (size_t)depth);
        spots[depth] = growth->spot;
        self->grown_cost[k] = growth->cost;
    }
    int32_t *former = self->spots;
    self->spots = self->grown;
    self->grown = former;
    double *former_cost = self->cost;
    self->cost = self->grown_cost;
    self->grown_cost = former_cost;
    self->n_states = self->n_kept;
    self->depth++;
    return self->depth == n;
}

void qap_beam_best(const qap_beam *self, int32_t *at)
{
    const int32_t n = self->n;
    int32_t best = 0;
    for (int32_t k = 1; k < self->n_states; k++)
        if (self->cost[k] < self->cost[best])
            best = k;
    for (int32_t d = 0; d < n; d++) {
        const int32_t item = self->order[d], spot = self->spots[(int64_t)best * n + d];
        if (self->of_labels)
            at[spot] = item;
        else
            at[item] = spot;
    }
}
