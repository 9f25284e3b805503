/* Filters for the candidates of a pattern's nodes. */
#include "subgraphs/candidates.h"
#include "subgraphs/bits.h"

#include <string.h>

static const int MOST_ROUNDS = 2; /* of looking for neighbours among the candidates */

/* ---- degrees */

typedef struct degrees {
    int32_t *order;    /* nodes by descending degree */
    int32_t *out, *in; /* neighbours by an edge from the node, and to it */
    int32_t *sorted;   /* degrees of the neighbours, descending, as the lists of neighbours */
} degrees;

/* Lists the nodes by descending degree. count: [n_nodes + 2] zeros. */
static void order_by_degree(const sub_neighbours *near, int32_t *order, int32_t *count)
{
    const int32_t n = near->n_nodes;
    int64_t most = 0;
    for (int32_t u = 0; u < n; u++)
        most = sub_degree(near, u) > most ? sub_degree(near, u) : most;
    for (int32_t u = 0; u < n; u++)
        count[most - sub_degree(near, u) + 1]++;
    for (int64_t d = 0; d <= most; d++)
        count[d + 1] += count[d];
    for (int32_t u = 0; u < n; u++)
        order[count[most - sub_degree(near, u)]++] = u;
}

static void take_degrees(degrees *d, gm_pool *pool, const sub_neighbours *near)
{
    const int32_t n = near->n_nodes;
    int32_t *count;
    int64_t *place;
    GM_TAKE(pool, n, d->order);
    GM_TAKE(pool, n, d->out);
    GM_TAKE(pool, n, d->in);
    GM_TAKE(pool, near->start[n], d->sorted);
    GM_TAKE(pool, n + 2, count);
    GM_TAKE(pool, n, place);
    if (pool->failed)
        return;
    for (int32_t u = 0; u < n; u++) {
        place[u] = near->start[u];
        for (int64_t k = near->start[u]; k < near->start[u + 1]; k++) {
            d->out[u] += near->there[k] > 0;
            d->in[u] += near->back[k] > 0;
        }
    }
    order_by_degree(near, d->order, count);
    for (int32_t i = 0; i < n; i++) { /* v is a neighbour of u if u is one of v */
        const int32_t v = d->order[i], degree = (int32_t)sub_degree(near, v);
        for (int64_t k = near->start[v]; k < near->start[v + 1]; k++)
            d->sorted[place[near->node[k]]++] = degree;
    }
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

/* ---- variables and values */

static int take_domains(sub_candidates *c, gm_pool *pool)
{
    c->words = bits_words(c->n_values);
    GM_TAKE(pool, (int64_t)c->first.n_nodes * c->words, c->domain);
    return pool->failed ? GM_ENOMEM : GM_OK;
}

/* Nodes of one graph, type by type. */
typedef struct typed {
    int32_t *start; /* [n_types + 1] */
    int32_t *node;
} typed;

static int take_typed(typed *by_type, gm_pool *pool, const gm_labelled_graph *graph,
                      int32_t n_types)
{
    GM_TAKE(pool, n_types + 2, by_type->start);
    GM_TAKE(pool, graph->n_nodes, by_type->node);
    if (pool->failed)
        return GM_ENOMEM;
    int32_t *next = by_type->start + 1; /* of each type, the place of its next node */
    for (int32_t v = 0; v < graph->n_nodes; v++)
        next[graph->type[v] + 1]++;
    for (int32_t t = 0; t < n_types; t++)
        next[t + 1] += next[t];
    for (int32_t v = 0; v < graph->n_nodes; v++)
        by_type->node[next[graph->type[v]]++] = v;
    return GM_OK;
}

static void add_candidate(sub_candidates *c, int32_t x, int32_t v)
{
    bits_add(c->domain + (int64_t)x * c->words, c->value[v]);
    c->size[x]++;
}

/* The first node of the pattern with the type and degrees of node x. */
static int32_t alike_node(const sub_candidates *c, const degrees *d, int32_t x)
{
    const sub_neighbours *near = &c->first;
    const int32_t *type = c->pair->first.type;
    const size_t bytes = sizeof *d->sorted * (size_t)sub_degree(near, x);
    int32_t y = 0;
    while (y < x && (type[y] != type[x] || d->out[y] != d->out[x] || d->in[y] != d->in[x] ||
                     sub_degree(near, y) != sub_degree(near, x) ||
                     memcmp(d->sorted + near->start[y], d->sorted + near->start[x], bytes) != 0))
        y++;
    return y;
}

/* Gives x the domain of y. */
static void copy_domain(sub_candidates *c, int32_t x, int32_t y)
{
    const int64_t words = c->words;
    memcpy(c->domain + x * words, c->domain + y * words, sizeof *c->domain * (size_t)words);
    c->size[x] = c->size[y];
}

/* Fills the domain of a node without a fixed image. */
static void fill_domain(sub_candidates *c, const degrees *first, const degrees *second,
                        const typed *by_type, int32_t x)
{
    const gm_graph_pair *pair = c->pair;
    const int32_t *fits = pair->types_fit + (int64_t)pair->first.type[x] * pair->n_types2;
    for (int32_t t = 0; t < pair->n_types2; t++)
        for (int32_t k = by_type->start[t]; fits[t] && k < by_type->start[t + 1]; k++)
            if (degrees_fit(c, first, second, x, by_type->node[k]))
                add_candidate(c, x, by_type->node[k]);
}

/* Domains from types, degrees and fixed images; every node of the second graph is a value. */
static int fill_domains(sub_candidates *c, gm_pool *pool)
{
    gm_pool scratch = {NULL, 0};
    degrees first, second;
    typed by_type = {NULL, NULL};
    take_degrees(&first, &scratch, &c->first);
    take_degrees(&second, &scratch, &c->second);
    int failed = scratch.failed ||
                 take_typed(&by_type, &scratch, &c->pair->second, c->pair->n_types2) != GM_OK;
    c->n_values = c->second.n_nodes;
    failed |= take_domains(c, pool) != GM_OK;
    for (int32_t s = 0; !failed && s < c->n_values; s++) {
        c->image[s] = second.order[s];
        c->value[second.order[s]] = s;
    }
    const int32_t *fixed = c->options.fixed;
    for (int32_t x = 0; !failed && x < c->first.n_nodes; x++) {
        const int32_t only = fixed ? fixed[x] : -1;
        const int32_t alike = fixed ? x : alike_node(c, &first, x);
        if (alike < x)
            copy_domain(c, x, alike);
        else if (only < 0)
            fill_domain(c, &first, &second, &by_type, x);
        else if (sub_types_fit(c, x, only) && degrees_fit(c, &first, &second, x, only))
            add_candidate(c, x, only);
    }
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

/* ---- neighbours among the candidates */

/* Marks the candidates of a neighbour of q, by edges as entry k of q lists them: all nodes that
 * touch a candidate of q in the same way. */
static void mark_neighbours(const sub_candidates *c, int32_t q, int64_t k, uint64_t *mark)
{
    const uint64_t *domain = c->domain + (int64_t)q * c->words;
    const gm_graph_pair *pair = c->pair;
    const int all_fit =
        !pair->directed && pair->n_kinds1 == 1 && pair->n_kinds2 == 1 && pair->kinds_fit[0];
    int32_t unmarked = c->n_values;
    memset(mark, 0, sizeof *mark * (size_t)c->words);
    for (int32_t s = bits_next(domain, c->words, 0); s >= 0 && unmarked > 0;
         s = bits_next(domain, c->words, s + 1)) {
        const int32_t v = c->image[s];
        for (int64_t m = c->second.start[v]; m < c->second.start[v + 1]; m++) {
            const int32_t t = c->value[c->second.node[m]];
            if (!bits_has(mark, t) && (all_fit || sub_edges_fit(c, k, m))) {
                bits_add(mark, t);
                unmarked--;
            }
        }
    }
}

/* Cuts the domain of x to the marked values; returns how many are dropped. */
static int32_t cut_domain(sub_candidates *c, int32_t x, const uint64_t *mark)
{
    uint64_t *domain = c->domain + (int64_t)x * c->words;
    const int32_t before = c->size[x];
    for (int32_t w = 0; w < c->words; w++)
        domain[w] &= mark[w];
    c->size[x] = bits_count(domain, c->words);
    c->infeasible |= c->size[x] == 0;
    return before - c->size[x];
}

/* Drops the candidates of all neighbours of q that touch none of q; returns how many. */
static int32_t cut_neighbours(sub_candidates *c, int32_t q, uint64_t *mark)
{
    const sub_neighbours *near = &c->first;
    const int64_t first = near->start[q], end = near->start[q + 1];
    int32_t dropped = 0;
    for (int64_t k = first; k < end; k++) {
        int64_t same = first;
        while (near->there[same] != near->there[k] || near->back[same] != near->back[k])
            same++;
        if (same < k)
            continue; /* with an earlier one */
        mark_neighbours(c, q, k, mark);
        for (int64_t m = k; m < end; m++)
            if (near->there[m] == near->there[k] && near->back[m] == near->back[k])
                dropped += cut_domain(c, near->node[m], mark);
    }
    return dropped;
}

/* Drops candidates without neighbours among the candidates, until few are found; the search drops
 * the others as it goes. mark: [words] scratch. */
static void filter_by_neighbours(sub_candidates *c, uint64_t *mark)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int64_t dropped = 0, all = 0;
        for (int32_t x = 0; x < c->first.n_nodes; x++)
            all += c->size[x];
        for (int32_t q = 0; q < c->first.n_nodes && !c->infeasible; q++)
            dropped += cut_neighbours(c, q, mark);
        if (c->infeasible || 20 * dropped < all)
            return;
    }
}

/* Numbers the values afresh, in the same order, without those that are in no domain any more. */
static int drop_unused_values(sub_candidates *c, gm_pool *pool)
{
    const sub_candidates before = *c;
    const int32_t n1 = c->first.n_nodes;
    gm_pool scratch = {NULL, 0};
    uint64_t *any;
    int32_t *number; /* of each value, afresh */
    GM_TAKE(&scratch, before.words, any);
    GM_TAKE(&scratch, before.n_values, number);
    int failed = scratch.failed;
    c->n_values = 0;
    for (int64_t k = 0; !failed && k < (int64_t)n1 * before.words; k++)
        any[k % before.words] |= before.domain[k];
    for (int32_t s = 0; !failed && s < before.n_values; s++) {
        const int32_t v = c->image[s];
        c->value[v] = number[s] = bits_has(any, s) ? c->n_values : -1;
        if (number[s] >= 0)
            c->image[c->n_values++] = v;
    }
    failed = failed || take_domains(c, pool) != GM_OK;
    for (int32_t x = 0; !failed && x < n1; x++) {
        const uint64_t *domain = before.domain + (int64_t)x * before.words;
        for (int32_t s = bits_next(domain, before.words, 0); s >= 0;
             s = bits_next(domain, before.words, s + 1))
            bits_add(c->domain + (int64_t)x * c->words, number[s]);
    }
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
    /* an edge of the pattern becomes an edge; other pairs may have an edge or none, unless induced
     */
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
        sub_neighbours_take(&c->second, pool, &pair->second, pair->directed, 1) != GM_OK)
        return GM_ENOMEM;
    return take_arrays(c, pool);
}

int sub_candidates_filter(sub_candidates *c, gm_pool *pool)
{
    if (fill_domains(c, pool) != GM_OK)
        return GM_ENOMEM;
    for (int32_t x = 0; x < c->first.n_nodes && !c->infeasible; x++)
        c->infeasible = c->size[x] == 0;
    if (c->infeasible)
        return GM_OK;
    uint64_t *mark;
    GM_TAKE(pool, c->words, mark);
    if (pool->failed)
        return GM_ENOMEM;
    filter_by_neighbours(c, mark);
    return c->infeasible ? GM_OK : drop_unused_values(c, pool);
}
