/* Items, parts and twins of one graph. */
#include "subgraphs/sides.h"
#include "subgraphs/bits.h"

#include <stdlib.h>

/* ---- twins */

/* The next entry of u's list from k on whose node is (is_other) or is not one of u and v. */
static int64_t next_entry(const sub_side *side, int32_t u, int32_t v, int64_t k, int32_t only)
{
    const int64_t end = side->near.start[u + 1];
    while (k < end && (only >= 0 ? side->near.node[k] != only
                                 : side->near.node[k] == u || side->near.node[k] == v))
        k++;
    return k;
}

/* Whether the entries of u's list for the node a equal those of v's list for the node b; a = b = -1
 * compares the entries of all nodes but u and v. */
static int same_entries(const sub_side *side, int32_t u, int32_t v, int32_t a, int32_t b)
{
    int64_t k = next_entry(side, u, v, side->near.start[u], a);
    int64_t m = next_entry(side, v, u, side->near.start[v], b);
    while (k < side->near.start[u + 1] && m < side->near.start[v + 1]) {
        if ((a < 0 && side->near.node[k] != side->near.node[m]) ||
            side->near.there[k] != side->near.there[m] || side->near.back[k] != side->near.back[m])
            return 0;
        k = next_entry(side, u, v, k + 1, a);
        m = next_entry(side, v, u, m + 1, b);
    }
    return k == side->near.start[u + 1] && m == side->near.start[v + 1];
}

int sub_side_are_twins(const sub_side *side, int32_t u, int32_t v)
{
    const int64_t *start = side->near.start;
    return side->graph->type[u] == side->graph->type[v] &&
           start[u + 1] - start[u] == start[v + 1] - start[v] && same_entries(side, u, v, -1, -1) &&
           same_entries(side, u, v, v, u) && same_entries(side, u, v, u, v);
}

static void find_twins(sub_side *side)
{
    for (int32_t u = 0; u < side->n_nodes; u++)
        side->twin[u] = u;
    for (int32_t u = 0; u < side->n_nodes; u++)
        for (int32_t v = u + 1; side->twin[u] == u && v < side->n_nodes; v++)
            if (side->twin[v] == v && sub_side_are_twins(side, u, v))
                side->twin[v] = u;
}

/* ---- items */

static int compare_keys(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Neighbours of an item. */
static int64_t degree_of(const sub_side *side, int by_edges, int32_t item)
{
    const gm_labelled_graph *graph = side->graph;
    const int64_t *start = side->near.start;
    if (!by_edges)
        return start[item + 1] - start[item];
    const int32_t u = graph->tail[item], v = graph->head[item];
    return start[u + 1] - start[u] + start[v + 1] - start[v];
}

/* Whether most pairs of nodes have an edge. */
static int is_dense(const gm_labelled_graph *graph)
{
    const int64_t n = graph->n_nodes;
    return 4 * (int64_t)graph->n_edges > n * (n - 1);
}

/* Numbers the items by degree, the largest first; the smallest first if the other graph is
 * dense (McCreesh, Prosser and Trimble 2017, section 5). */
static int order_items(sub_side *side, int by_edges)
{
    int64_t *key = malloc(sizeof *key * (size_t)(side->n_items > 0 ? side->n_items : 1));
    if (!key)
        return GM_ENOMEM;
    for (int32_t k = 0; k < side->n_items; k++) {
        const int64_t degree = degree_of(side, by_edges, k);
        key[k] = (side->ascending ? degree : INT32_MAX - degree) << 31 | k;
    }
    qsort(key, (size_t)side->n_items, sizeof *key, compare_keys);
    for (int32_t k = 0; k < side->n_items; k++) {
        const int32_t item = (int32_t)(key[k] & INT32_MAX);
        side->original[k] = item;
        side->tail[k] = by_edges ? side->graph->tail[item] : item;
        side->head[k] = by_edges ? side->graph->head[item] : item;
    }
    free(key);
    return GM_OK;
}

/* ---- parts */

/* The parts of every node: the edges from it and the edges to it, all of them in one part if the
 * graph is undirected. */
static int take_parts_by_edges(sub_side *side, gm_pool *pool, int directed)
{
    sub_parts *parts = &side->parts;
    sub_parts_take(parts, pool, side->n_nodes, 2 * (int64_t)side->n_nodes, side->words);
    if (pool->failed)
        return GM_ENOMEM;
    for (int32_t u = 0; u < side->n_nodes; u++) {
        parts->start[u + 1] = parts->start[u];
        sub_part_of(parts, u, 1, 0);
        if (directed)
            sub_part_of(parts, u, 0, 1);
    }
    GM_TAKE(pool, (int64_t)parts->start[side->n_nodes] * side->words, parts->set);
    if (pool->failed)
        return GM_ENOMEM;
    for (int32_t k = 0; k < side->n_items; k++) {
        const int32_t u = side->tail[k], v = side->head[k];
        bits_add(parts->set + sub_part_of(parts, u, 1, 0) * side->words, k);
        if (u != v)
            bits_add(parts->set + sub_part_of(parts, v, !directed, directed) * side->words, k);
    }
    sub_parts_unite(parts, side->n_nodes);
    return GM_OK;
}

/* The parts of every node: its neighbours by kind. They cover the node itself, too. */
static int take_parts_by_nodes(sub_side *side, gm_pool *pool)
{
    int32_t *place;
    GM_TAKE(pool, side->n_nodes, place);
    if (pool->failed)
        return GM_ENOMEM;
    for (int32_t k = 0; k < side->n_items; k++)
        place[side->original[k]] = k;
    if (sub_parts_of_neighbours(&side->parts, pool, &side->near, place, side->words) != GM_OK)
        return GM_ENOMEM;
    for (int32_t u = 0; u < side->n_nodes; u++)
        bits_add(side->cover + (int64_t)u * side->words, place[u]);
    return GM_OK;
}

int sub_side_take(sub_side *side, gm_pool *pool, const gm_labelled_graph *graph,
                  const gm_labelled_graph *other, int directed, int by_edges)
{
    side->graph = graph;
    side->n_nodes = graph->n_nodes;
    side->n_items = by_edges ? graph->n_edges : graph->n_nodes;
    side->words = bits_words(side->n_items);
    if (sub_neighbours_take(&side->near, pool, graph, directed, !by_edges) != GM_OK)
        return GM_ENOMEM;
    GM_TAKE(pool, side->n_items, side->original);
    GM_TAKE(pool, side->n_items, side->tail);
    GM_TAKE(pool, side->n_items, side->head);
    GM_TAKE(pool, (int64_t)side->n_nodes * side->words, side->cover);
    GM_TAKE(pool, side->n_nodes, side->twin);
    side->ascending = is_dense(other);
    if (pool->failed || order_items(side, by_edges) != GM_OK)
        return GM_ENOMEM;
    const int status =
        by_edges ? take_parts_by_edges(side, pool, directed) : take_parts_by_nodes(side, pool);
    if (status != GM_OK)
        return status;
    for (int64_t w = 0; w < (int64_t)side->n_nodes * side->words; w++)
        side->cover[w] |= side->parts.touch[w];
    find_twins(side);
    return GM_OK;
}
