/* Steps of the tabu search; see edge_tabu.h. */
#include "subgraphs/edge_tabu.h"
#include "base/lanes.h"
#include "subgraphs/word.h"

#include <string.h>

void edge_tabu_take(edge_tabu *t, gm_pool *pool, int32_t n1, int32_t n2, int32_t m)
{
    const int64_t pairs = (int64_t)n2 * n2;
    GM_TAKE(pool, n1 + 1, t->start);
    GM_TAKE(pool, 2 * (int64_t)m, t->near);
    GM_TAKE(pool, n2, t->image);
    GM_TAKE(pool, pairs, t->from);
    GM_TAKE(pool, pairs, t->to);
    GM_TAKE(pool, pairs, t->fits);
    GM_TAKE(pool, pairs, t->gain);
    GM_TAKE(pool, pairs, t->until);
    GM_TAKE(pool, n2, t->more);
    GM_TAKE(pool, n1, t->best);
}

/* ---- common edges */

/* 1 + kind of the edge from u to w of the first graph, 0: none. */
static int32_t edge_of(const edge_tabu *t, int32_t u, int32_t w)
{
    return t->first->table[(int64_t)u * t->n1 + w];
}

/* The edges between u and w that are common if they have the images of x and y. */
static int32_t common_between(const edge_tabu *t, int32_t u, int32_t w, int32_t x, int32_t y)
{
    const int64_t n2 = t->n2;
    if (!t->fits[u * n2 + x] || !t->fits[w * n2 + y])
        return 0;
    const int32_t there = edge_of(t, u, w), back = edge_of(t, w, u);
    const int32_t n = there && there == t->from[x * n2 + y];
    return t->directed ? n + (back && back == t->to[x * n2 + y]) : n;
}

/* Adds `sign` to the gains of all images at which an edge of this entry is common. */
INLINE void change_row(int32_t *restrict gain, const int32_t *restrict entries,
                       const int32_t *restrict fits, int32_t entry, int32_t sign, int32_t n)
{
    for (int32_t v = 0; v < n; v++)
        gain[v] += sign * ((entries[v] == entry) & fits[v]);
}

/* Adds the edges of u to the gains of its neighbours, or subtracts them. */
GM_WIDE static void change_gains(edge_tabu *t, int32_t u, int32_t sign)
{
    const int64_t n2 = t->n2;
    if (u >= t->n1 || !t->fits[u * n2 + u])
        return;
    for (int32_t k = t->start[u]; k < t->start[u + 1]; k++) {
        const int32_t x = t->near[k], out = edge_of(t, u, x), in = edge_of(t, x, u);
        int32_t *gain = t->gain + x * n2;
        const int32_t *fits = t->fits + x * n2;
        if (out)
            change_row(gain, t->from + u * n2, fits, out, sign, t->n2);
        if (t->directed && in)
            change_row(gain, t->to + u * n2, fits, in, sign, t->n2);
    }
}

/* ---- the start */

static void list_first(edge_tabu *t)
{
    int32_t n = 0;
    for (int32_t u = 0; u < t->n1; u++) {
        t->start[u] = n;
        for (int32_t w = 0; w < t->n1; w++)
            if (w != u && (edge_of(t, u, w) || edge_of(t, w, u)))
                t->near[n++] = w;
    }
    t->start[t->n1] = n;
}

static int types_fit(const edge_tabu *t, int32_t u, int32_t v)
{
    return t->first->graph.type[u] == t->second->graph.type[v];
}

/* Gives every node an image: that of the labels, else one of its type, else any. */
static void begin_map(edge_tabu *t, const int32_t *labels)
{
    int32_t *taken = t->more; /* not in use yet */
    memset(taken, 0, sizeof *taken * (size_t)t->n2);
    for (int32_t u = 0; u < t->n2; u++) {
        t->image[u] = u < t->n1 ? labels[u] : -1;
        if (t->image[u] >= 0)
            taken[t->image[u]] = 1;
    }
    for (int any = 0; any < 2; any++)
        for (int32_t u = 0; u < (any ? t->n2 : t->n1); u++)
            for (int32_t v = 0; t->image[u] < 0 && v < t->n2; v++)
                if (!taken[v] && (any || types_fit(t, u, v))) {
                    t->image[u] = v;
                    taken[v] = 1;
                }
}

static void keep_best(edge_tabu *t)
{
    t->best_value = t->value;
    memcpy(t->best, t->image, sizeof *t->best * (size_t)t->n1);
}

/* Fills the row of a node. */
static void fill_row(edge_tabu *t, int32_t u)
{
    const int64_t n2 = t->n2;
    const int32_t *table = t->second->table, loop = u < t->n1 ? edge_of(t, u, u) : 0;
    for (int32_t w = 0; w < n2; w++) {
        const int64_t v = t->image[u], x = t->image[w], at = u * n2 + w;
        t->from[at] = v == x ? 0 : table[v * n2 + x];
        t->to[at] = v == x ? 0 : table[x * n2 + v];
        t->fits[at] = u < t->n1 && types_fit(t, u, t->image[w]);
        t->gain[at] = t->fits[at] && loop && loop == table[x * n2 + x];
    }
}

void edge_tabu_begin(edge_tabu *t, const edit_search *s, const int32_t *labels)
{
    t->first = &s->sides[0];
    t->second = &s->sides[1];
    t->n1 = t->first->graph.n_nodes;
    t->n2 = t->second->graph.n_nodes;
    t->directed = s->directed;
    list_first(t);
    begin_map(t, labels);
    for (int32_t u = 0; u < t->n2; u++)
        fill_row(t, u);
    for (int32_t u = 0; u < t->n1; u++) {
        t->value += t->gain[(int64_t)u * t->n2 + u]; /* loops, and edges to the nodes before it */
        change_gains(t, u, 1);
    }
    keep_best(t);
}

/* ---- steps */

/* Fills by how much the common edges grow if u and each later node exchange their images. */
GM_WIDE static void measure_exchanges(const edge_tabu *t, int32_t u)
{
    const int64_t n2 = t->n2;
    const int32_t *gain = t->gain, *row = gain + u * n2;
    for (int64_t w = u + 1; w < n2; w++)
        t->more[w] = row[w] + gain[w * n2 + u] - gain[w * n2 + w] - row[u];
    /* gains count edges between the two twice before and not at all after */
    for (int32_t k = t->start[u]; k < t->start[u + 1]; k++) {
        const int32_t w = t->near[k];
        if (w > u)
            t->more[w] += common_between(t, u, w, u, w) + common_between(t, u, w, w, u);
    }
}

/* Whether u may not get the image of w now, and w not that of u. */
static int is_tabu(const edge_tabu *t, int32_t u, int32_t w)
{
    const int64_t n2 = t->n2;
    return t->until[u * n2 + t->image[w]] > t->n_steps &&
           t->until[w * n2 + t->image[u]] > t->n_steps;
}

INLINE void swap_entries(int32_t *a, int32_t *b)
{
    const int32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Exchanges two columns of a matrix, and two rows. */
static void swap_columns(int32_t *matrix, int32_t u, int32_t w, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        swap_entries(matrix + k * n + u, matrix + k * n + w);
}

static void swap_rows(int32_t *matrix, int32_t u, int32_t w, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        swap_entries(matrix + u * n + k, matrix + w * n + k);
}

static void rest_image(edge_tabu *t, int32_t u)
{
    const int32_t steps = t->n1 / 2 + gm_random_below(&t->random, t->n1 + 1);
    t->until[(int64_t)u * t->n2 + t->image[u]] = t->n_steps + steps;
}

static void exchange_images(edge_tabu *t, int32_t u, int32_t w)
{
    rest_image(t, u);
    rest_image(t, w);
    change_gains(t, u, -1);
    change_gains(t, w, -1);
    swap_entries(t->image + u, t->image + w);
    swap_rows(t->from, u, w, t->n2);
    swap_columns(t->from, u, w, t->n2);
    if (t->directed) {
        swap_rows(t->to, u, w, t->n2);
        swap_columns(t->to, u, w, t->n2);
    }
    swap_columns(t->fits, u, w, t->n2);
    swap_columns(t->gain, u, w, t->n2);
    change_gains(t, u, 1);
    change_gains(t, w, 1);
}

/* The best exchange that is not tabu, or leads to the best map so far; 0: there is none. */
static int choose_exchange(edge_tabu *t, int32_t *one, int32_t *other, int32_t *most)
{
    const int32_t offset = gm_random_below(&t->random, t->n1);
    *most = INT32_MIN;
    for (int32_t k = 0; k < t->n1; k++) {
        const int32_t u = k + offset < t->n1 ? k + offset : k + offset - t->n1;
        measure_exchanges(t, u);
        for (int32_t w = u + 1; w < t->n2; w++) {
            const int32_t more = t->more[w];
            if (more <= *most || (t->value + more <= t->best_value && is_tabu(t, u, w)))
                continue;
            *most = more;
            *one = u;
            *other = w;
        }
    }
    return *most > INT32_MIN;
}

void edge_tabu_go(edge_tabu *t, int64_t steps)
{
    for (int64_t step = 0; step < steps; step++) {
        int32_t u, w, more;
        t->n_steps++;
        if (!choose_exchange(t, &u, &w, &more))
            continue; /* everything rests */
        exchange_images(t, u, w);
        t->value += more;
        if (t->value > t->best_value)
            keep_best(t);
    }
}

void edge_tabu_labels(const edge_tabu *t, int32_t *labels)
{
    for (int32_t u = 0; u < t->n1; u++)
        labels[u] = types_fit(t, u, t->best[u]) ? t->best[u] : -1;
}
