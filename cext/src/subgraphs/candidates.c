/* Filters for the candidates of a pattern's nodes. */
#include "subgraphs/candidates.h"
#include "subgraphs/bits.h"

#include <stdlib.h>
#include <string.h>

static const int MOST_ROUNDS = 5; /* of looking for neighbours among the candidates */

/* ---- degrees */

typedef struct degrees {
    int32_t *out, *in; /* neighbours by an edge from the node, and to it */
    int32_t *sorted;   /* degrees of the neighbours, descending, as the lists of neighbours */
} degrees;

static int compare_descending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

static void take_degrees(degrees *d, gm_pool *pool, const sub_neighbours *near)
{
    const int32_t n = near->n_nodes;
    GM_TAKE(pool, n, d->out);
    GM_TAKE(pool, n, d->in);
    GM_TAKE(pool, near->start[n], d->sorted);
    if (pool->failed)
        return;
    for (int32_t u = 0; u < n; u++)
        for (int64_t k = near->start[u]; k < near->start[u + 1]; k++) {
            d->out[u] += near->there[k] > 0;
            d->in[u] += near->back[k] > 0;
            d->sorted[k] = (int32_t)sub_degree(near, near->node[k]);
        }
    for (int32_t u = 0; u < n; u++)
        qsort(d->sorted + near->start[u], (size_t)sub_degree(near, u), sizeof *d->sorted,
              compare_descending);
}

/* Whether node v has enough neighbours to be p, and these do. */
static int degrees_fit(const sub_candidates *c, const degrees *first, const degrees *second,
                       int32_t p, int32_t v)
{
    if (first->out[p] > second->out[v] || first->in[p] > second->in[v])
        return 0;
    const int64_t degree = sub_degree(&c->first, p), other = sub_degree(&c->second, v);
    if (degree > other)
        return 0;
    if (c->options.isomorphic &&
        (first->out[p] != second->out[v] || first->in[p] != second->in[v] || degree != other))
        return 0;
    /* nodes that are not neighbours stay ones that are not */
    if (c->options.induced && c->second.n_nodes - other < c->first.n_nodes - degree)
        return 0;
    const int32_t *ours = first->sorted + c->first.start[p];
    const int32_t *theirs = second->sorted + c->second.start[v];
    for (int64_t k = 0; k < degree; k++)
        if (ours[k] > theirs[k])
            return 0;
    return 1;
}

static int types_fit(const sub_candidates *c, int32_t p, int32_t v)
{
    const gm_graph_pair *pair = c->pair;
    return pair->types_fit[(int64_t)pair->first.type[p] * pair->n_types2 + pair->second.type[v]];
}

/* ---- variables and values */

/* Numbers the nodes of the second graph with value[v] >= 0, by descending degree. */
static int number_values(sub_candidates *c)
{
    const int32_t n = c->second.n_nodes;
    int32_t *count, most = 0;
    gm_pool scratch = {NULL, 0};
    for (int32_t v = 0; v < n; v++)
        most = sub_degree(&c->second, v) > most ? (int32_t)sub_degree(&c->second, v) : most;
    GM_TAKE(&scratch, most + 2, count);
    const int failed = scratch.failed;
    c->n_values = 0;
    for (int32_t v = 0; !failed && v < n; v++)
        if (c->value[v] >= 0) {
            count[most - (int32_t)sub_degree(&c->second, v) + 1]++;
            c->n_values++;
        }
    for (int32_t d = 0; !failed && d <= most; d++)
        count[d + 1] += count[d];
    for (int32_t v = 0; !failed && v < n; v++)
        if (c->value[v] >= 0) {
            c->value[v] = count[most - (int32_t)sub_degree(&c->second, v)]++;
            c->image[c->value[v]] = v;
        }
    c->words = bits_words(c->n_values);
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

static int take_domains(sub_candidates *c, gm_pool *pool)
{
    if (number_values(c) != GM_OK)
        return GM_ENOMEM;
    GM_TAKE(pool, (int64_t)c->first.n_nodes * c->words, c->domain);
    return pool->failed ? GM_ENOMEM : GM_OK;
}

static void add_candidate(sub_candidates *c, int32_t x, int32_t v)
{
    bits_add(c->domain + (int64_t)x * c->words, c->value[v]);
    c->size[x]++;
}

/* Domains from types, degrees and fixed images; every node of the second graph is a value. */
static int fill_domains(sub_candidates *c, gm_pool *pool)
{
    gm_pool scratch = {NULL, 0};
    degrees first, second;
    take_degrees(&first, &scratch, &c->first);
    take_degrees(&second, &scratch, &c->second);
    const int failed = scratch.failed || take_domains(c, pool) != GM_OK;
    const int32_t *fixed = c->options.fixed;
    for (int32_t x = 0; !failed && x < c->first.n_nodes; x++) {
        const int32_t only = fixed ? fixed[x] : -1;
        for (int32_t v = only >= 0 ? only : 0; v < (only >= 0 ? only + 1 : c->second.n_nodes); v++)
            if (types_fit(c, x, v) && degrees_fit(c, &first, &second, x, v))
                add_candidate(c, x, v);
    }
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

/* ---- neighbours among the candidates */

/* Whether a neighbour of v is a candidate of the neighbour q of p that entry k lists. */
static int has_support(const sub_candidates *c, int64_t k, int32_t x, int32_t v)
{
    const uint64_t *domain = c->domain + (int64_t)x * c->words;
    for (int64_t m = c->second.start[v]; m < c->second.start[v + 1]; m++) {
        const int32_t s = c->value[c->second.node[m]];
        if (s >= 0 && bits_has(domain, s) && sub_edges_fit(c, k, m))
            return 1;
    }
    return 0;
}

/* Drops the candidates of variable x that lack a neighbour; returns how many. */
static int32_t drop_unsupported(sub_candidates *c, int32_t x)
{
    uint64_t *domain = c->domain + (int64_t)x * c->words;
    int32_t dropped = 0;
    for (int32_t s = bits_next(domain, c->words, 0); s >= 0; s = bits_next(domain, c->words, s + 1))
        for (int64_t k = c->first.start[x]; k < c->first.start[x + 1]; k++) {
            if (!has_support(c, k, c->first.node[k], c->image[s])) {
                bits_drop(domain, s);
                dropped++;
                break;
            }
        }
    c->size[x] -= dropped;
    c->infeasible |= c->size[x] == 0;
    return dropped;
}

static void filter_by_neighbours(sub_candidates *c)
{
    for (int round = 0; round < MOST_ROUNDS && !c->infeasible; round++) {
        int64_t dropped = 0, all = 0;
        for (int32_t x = 0; x < c->first.n_nodes && !c->infeasible; x++) {
            all += c->size[x];
            dropped += drop_unsupported(c, x);
        }
        if (20 * dropped < all) /* the search drops the others as it goes */
            return;
    }
}

/* Numbers the values afresh, without those that are in no domain any more. */
static int drop_unused_values(sub_candidates *c, gm_pool *pool)
{
    const sub_candidates before = *c;
    gm_pool scratch = {NULL, 0};
    int32_t *old;
    GM_TAKE(&scratch, c->second.n_nodes, old);
    int failed = scratch.failed;
    if (!failed) {
        memcpy(old, c->value, sizeof *old * (size_t)c->second.n_nodes);
        for (int32_t v = 0; v < c->second.n_nodes; v++) {
            int used = 0;
            for (int32_t x = 0; c->value[v] >= 0 && !used && x < c->first.n_nodes; x++)
                used = bits_has(c->domain + (int64_t)x * c->words, c->value[v]);
            c->value[v] = used ? 0 : -1;
        }
        failed = take_domains(c, pool) != GM_OK;
    }
    for (int32_t x = 0; !failed && x < c->first.n_nodes; x++)
        for (int32_t s = 0; s < c->n_values; s++)
            if (bits_has(before.domain + (int64_t)x * before.words, old[c->image[s]]))
                bits_add(c->domain + (int64_t)x * c->words, s);
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

/* ---- all of it */

double sub_candidates_memory(const gm_graph_pair *pair)
{
    return (double)pair->first.n_nodes * bits_words(pair->second.n_nodes) * 8.0;
}

static void fill_kinds(sub_candidates *c)
{
    const gm_graph_pair *pair = c->pair;
    /* an edge of the pattern becomes one; where it has none there may be any, unless induced */
    for (int32_t m = 0; m <= pair->n_kinds2; m++)
        c->kinds_fit[m] = m == 0 || !c->options.induced;
    for (int32_t k = 0; k < pair->n_kinds1; k++)
        for (int32_t m = 0; m < pair->n_kinds2; m++)
            c->kinds_fit[(k + 1) * c->kinds2 + m + 1] =
                pair->kinds_fit[(int64_t)k * pair->n_kinds2 + m];
}

static int take_arrays(sub_candidates *c, gm_pool *pool)
{
    const int32_t n1 = c->first.n_nodes, n2 = c->second.n_nodes;
    c->kinds2 = c->pair->n_kinds2 + 1;
    GM_TAKE(pool, (int64_t)(c->pair->n_kinds1 + 1) * c->kinds2, c->kinds_fit);
    GM_TAKE(pool, n1, c->size);
    GM_TAKE(pool, n2, c->image);
    GM_TAKE(pool, n2, c->value);
    if (pool->failed)
        return GM_ENOMEM;
    fill_kinds(c);
    return GM_OK;
}

int sub_candidates_take(sub_candidates *c, gm_pool *pool, const gm_graph_pair *pair,
                        const gm_contained_options *options)
{
    c->pair = pair;
    c->options = *options;
    if (sub_neighbours_take(&c->first, pool, &pair->first, pair->directed, 1) != GM_OK ||
        sub_neighbours_take(&c->second, pool, &pair->second, pair->directed, 1) != GM_OK ||
        take_arrays(c, pool) != GM_OK || fill_domains(c, pool) != GM_OK)
        return GM_ENOMEM;
    for (int32_t x = 0; x < c->first.n_nodes && !c->infeasible; x++)
        c->infeasible = c->size[x] == 0;
    if (c->infeasible)
        return GM_OK;
    filter_by_neighbours(c);
    return c->infeasible ? GM_OK : drop_unused_values(c, pool);
}
