#include "qap/blocks.h"

#include "qap/policy.h"

#include <math.h>
#include <string.h>

void qap_blocks_take(qap_blocks *blocks, gm_pool *pool, int32_t n)
{
    blocks->n = n;
    GM_TAKE(pool, n, blocks->node);
    GM_TAKE(pool, n, blocks->first);
    GM_TAKE(pool, n, blocks->size);
    GM_TAKE(pool, n, blocks->of);
    GM_TAKE(pool, n, blocks->count);
    GM_TAKE(pool, n, blocks->place);
    GM_TAKE(pool, n, blocks->next);
    GM_TAKE(pool, n, blocks->last);
    GM_TAKE(pool, n, blocks->height);
}

/* ---- finding them: single linkage of the rows */

/* The sum of |A_ik - A_jk| over all other nodes k, in both directions. */
static double row_distance(const gm_swaps *swaps, int32_t i, int32_t j)
{
    const int32_t n = swaps->n;
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++)
        if (k != i && k != j) {
            sum += fabs(swaps->A[(int64_t)i * n + k] - swaps->A[(int64_t)j * n + k]);
            if (!swaps->symmetric)
                sum += fabs(swaps->At[(int64_t)i * n + k] - swaps->At[(int64_t)j * n + k]);
        }
    return sum;
}

/* A link of the shortest tree: a node, the one before it, and their distance. */
typedef struct link {
    double length;
    int32_t node, from;
} link;

/* Writes the n - 1 links of the shortest tree of all nodes, shortest first (Prim). Returns 0 if the
 * time is over. */
static int shortest_tree(const gm_swaps *swaps, link *tree)
{
    const int32_t n = swaps->n;
    for (int32_t k = 0; k + 1 < n; k++)
        tree[k] = (link){INFINITY, k + 1, 0};
    int32_t present = 0;
    for (int32_t done = 0; done + 1 < n; done++) {
        int32_t nearest = done;
        for (int32_t k = done; k + 1 < n; k++) {
            if (gm_watch_spend(swaps->watch, n))
                return 0;
            const double length = row_distance(swaps, present, tree[k].node);
            if (length < tree[k].length) {
                tree[k].length = length;
                tree[k].from = present;
            }
            if (tree[k].length < tree[nearest].length)
                nearest = k;
        }
        const link found = tree[nearest];
        tree[nearest] = tree[done];
        present = found.node;
        int32_t place = done; /* sorted before it */
        for (; place > 0 && tree[place - 1].length > found.length; place--)
            tree[place] = tree[place - 1];
        tree[place] = found;
    }
    return 1;
}

/* Notes a group that joins another one at a height, if it stands out: `first` is a node for now. */
static void note_block(qap_blocks *blocks, int32_t root, int32_t size, double height)
{
    if (size < 2 || 2 * size > blocks->n || !(height > QAP_OUTSTANDING * blocks->height[root]))
        return;
    blocks->first[blocks->n_blocks] = root;
    blocks->size[blocks->n_blocks++] = size;
}

enum { SMALLEST_SIDE = 12 }; /* nodes */

void qap_blocks_find(qap_blocks *blocks, gm_swaps *swaps)
{
    const int32_t n = blocks->n;
    /* a group is a list of nodes; its root comes first and knows its size, last node and height */
    int32_t *root = blocks->of, *size = blocks->count, *place = blocks->place;
    link *tree = (link *)(void *)swaps->G; /* n links in n^2 numbers */
    blocks->n_blocks = 0;
    if (n < SMALLEST_SIDE || !shortest_tree(swaps, tree))
        return;
    for (int32_t i = 0; i < n; i++) {
        root[i] = blocks->last[i] = i;
        size[i] = 1;
        blocks->next[i] = -1;
        blocks->height[i] = 0.0;
    }
    for (int32_t k = 0; k + 1 < n; k++) {
        const int32_t a = root[tree[k].node], b = root[tree[k].from];
        note_block(blocks, a, size[a], tree[k].length);
        note_block(blocks, b, size[b], tree[k].length);
        for (int32_t i = b; i >= 0; i = blocks->next[i])
            root[i] = a;
        blocks->next[blocks->last[a]] = b;
        blocks->last[a] = blocks->last[b];
        blocks->height[a] = tree[k].length;
        size[a] += size[b];
    }
    int32_t n_places = 0;
    for (int32_t i = root[0]; i >= 0; i = blocks->next[i]) {
        blocks->node[n_places] = i;
        place[i] = n_places++;
    }
    int64_t n_members = 0;
    for (int32_t b = 0; b < blocks->n_blocks; b++) {
        blocks->first[b] = place[blocks->first[b]];
        n_members += blocks->size[b];
    }
    if ((double)n_members < QAP_BLOCK_DEPTH * n)
        blocks->n_blocks = 0;
}

void qap_blocks_divide(qap_blocks *blocks, gm_random *random)
{
    const int32_t most = blocks->size[gm_random_below(random, blocks->n_blocks)];
    for (int32_t i = 0; i < blocks->n; i++)
        blocks->of[i] = blocks->n + i;
    for (int32_t b = 0; b < blocks->n_blocks; b++)
        for (int32_t k = 0; blocks->size[b] <= most && k < blocks->size[b]; k++)
            blocks->of[blocks->node[blocks->first[b] + k]] = b;
}

/* ---- exchanges */

/* The cost of i with the label of a towards k with the label of b. */
static inline double coupling(const gm_swaps *swaps, int32_t i, int32_t k, int32_t a, int32_t b)
{
    const int64_t n = swaps->n, ik = i * n + k, ab = a * n + b;
    const double one = swaps->A[ik] * swaps->P[ab];
    return swaps->symmetric ? one : one + swaps->At[ik] * swaps->P[b * n + a];
}

double qap_blocks_change(const gm_swaps *swaps, int32_t count, const int32_t *one,
                         const int32_t *other)
{
    const int64_t n = swaps->n;
    double change = 0.0;
    for (int32_t u = 0; u < 2 * count; u++) {
        const int32_t i = u < count ? one[u] : other[u - count];
        const int32_t a = u < count ? other[u] : one[u - count];
        change += swaps->G[i * n + a] - swaps->G[i * n + i];
        if (swaps->C)
            change += swaps->C[i * n + swaps->at[a]] - swaps->C[i * n + swaps->at[i]];
        for (int32_t v = 0; v < 2 * count; v++) {
            const int32_t k = v < count ? one[v] : other[v - count];
            const int32_t b = v < count ? other[v] : one[v - count];
            change += 0.5 * (coupling(swaps, i, k, a, b) + coupling(swaps, i, k, i, k)) -
                      coupling(swaps, i, k, a, k);
        }
    }
    return change;
}

/* The nodes that blocks b and c would exchange, as many as the smaller one has; 0 if one is in the
 * other, or has fewer than half as many nodes. */
static int32_t list_exchange(const qap_blocks *blocks, int32_t b, int32_t c, const int32_t **one,
                             const int32_t **other)
{
    const int32_t first = blocks->first[b], size = blocks->size[b];
    const int32_t second = blocks->first[c], others = blocks->size[c];
    *one = blocks->node + first;
    *other = blocks->node + second;
    if (first + size > second && second + others > first)
        return 0;
    if (2 * size < others || 2 * others < size)
        return 0;
    return size < others ? size : others;
}

/* Puts the nodes of all blocks that contain no other one in random order: those that an exchange
 * with a smaller block leaves, and the partner of each, are not always the same. */
static void shuffle_nodes(qap_blocks *blocks, gm_random *random)
{
    for (int32_t b = 0; b < blocks->n_blocks; b++) {
        int inner = 1;
        for (int32_t c = 0; c < b && inner; c++)
            inner = blocks->first[c] + blocks->size[c] <= blocks->first[b] ||
                    blocks->first[b] + blocks->size[b] <= blocks->first[c];
        if (inner)
            gm_random_shuffle(random, blocks->size[b], blocks->node + blocks->first[b]);
    }
}

/* An exchange of blocks b and c, and its change of cost. */
typedef struct exchange {
    int32_t b, c;
    double change;
} exchange;

/* Makes `best` the exchange of blocks b and c if that costs less. */
static void try_exchange(const qap_blocks *blocks, const gm_swaps *swaps, int32_t b, int32_t c,
                         exchange *best)
{
    const int32_t *one, *other;
    const int32_t count = list_exchange(blocks, b, c, &one, &other);
    if (!count || gm_watch_spend(swaps->watch, 4 * (int64_t)count * count))
        return;
    const double change = qap_blocks_change(swaps, count, one, other);
    if (change < best->change)
        *best = (exchange){b, c, change};
}

static void make_exchange(const qap_blocks *blocks, gm_swaps *swaps, const exchange *chosen)
{
    const int32_t *one, *other;
    const int32_t count = list_exchange(blocks, chosen->b, chosen->c, &one, &other);
    for (int32_t k = 0; k < count; k++)
        gm_swaps_make(swaps, one[k], other[k]);
}

void qap_blocks_perturb(qap_blocks *blocks, gm_swaps *swaps, gm_random *random, int32_t most)
{
    const int32_t n_blocks = blocks->n_blocks, any = gm_random_below(random, n_blocks);
    exchange first = {-1, -1, INFINITY};
    shuffle_nodes(blocks, random);
    for (int32_t c = 0; c < n_blocks; c++)
        if (gm_random_bits(random) >> 63)
            try_exchange(blocks, swaps, any, c, &first);
    if (first.b < 0)
        return;
    make_exchange(blocks, swaps, &first);
    const int32_t low = first.b < first.c ? first.b : first.c, high = first.b + first.c - low;
    for (int32_t k = 1; k < most && !gm_watch_is_over(swaps->watch); k++) {
        exchange best = {-1, -1, 0.0};
        for (int32_t b = 0; b < n_blocks; b++)
            for (int32_t c = b + 1; c < n_blocks; c++)
                if (b != low || c != high) /* not the first one back */
                    try_exchange(blocks, swaps, b, c, &best);
        if (best.b < 0)
            return;
        make_exchange(blocks, swaps, &best);
    }
}
