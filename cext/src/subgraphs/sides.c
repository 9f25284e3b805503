/* Items, parts and twins of one graph. */
#include "subgraphs/sides.h"
#include "subgraphs/bits.h"

#include <stdlib.h>
#include <string.h>

/* ---- neighbours */

/* One end of an edge as the other end sees it. */
typedef struct near_entry {
    int32_t node, there, back;
} near_entry;

static int compare_entries(const void *a, const void *b)
{
    const near_entry *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->there != y->there)
        return x->there < y->there ? -1 : 1;
    return (x->back > y->back) - (x->back < y->back);
}

/* Lists the neighbours of all nodes in `entry`, at start[u] .. start[u + 1] - 1. A loop is listed
 * once. */
static void list_entries(const gm_labelled_graph *graph, int directed, int64_t *start,
                         near_entry *entry)
{
    for (int32_t e = 0; e < graph->n_edges; e++) {
        start[graph->tail[e] + 1]++;
        if (graph->head[e] != graph->tail[e])
            start[graph->head[e] + 1]++;
    }
    for (int32_t u = 0; u < graph->n_nodes; u++)
        start[u + 1] += start[u];
    for (int32_t e = 0; e < graph->n_edges; e++) {
        const int32_t u = graph->tail[e], v = graph->head[e], kind = graph->kind[e] + 1;
        entry[start[u]++] = (near_entry){v, kind, 0};
        if (u != v)
            entry[start[v]++] = (near_entry){u, directed ? 0 : kind, directed ? kind : 0};
    }
    for (int32_t u = graph->n_nodes; u > 0; u--)
        start[u] = start[u - 1];
    start[0] = 0;
    for (int32_t u = 0; u < graph->n_nodes; u++)
        qsort(entry + start[u], (size_t)(start[u + 1] - start[u]), sizeof *entry, compare_entries);
}

/* Fills near, near_there, near_back. joined: both directions between two nodes are one entry. */
static int take_neighbours(sub_side *side, gm_pool *pool, int directed, int joined)
{
    const gm_labelled_graph *graph = side->graph;
    const int64_t most = 2 * (int64_t)graph->n_edges;
    gm_pool scratch = {NULL, 0};
    near_entry *entry;
    int64_t *start;
    GM_TAKE(&scratch, most, entry);
    GM_TAKE(&scratch, graph->n_nodes + 1, start);
    GM_TAKE(pool, most, side->near);
    GM_TAKE(pool, most, side->near_there);
    GM_TAKE(pool, most, side->near_back);
    GM_TAKE(pool, graph->n_nodes + 1, side->near_start);
    if (!scratch.failed && !pool->failed) {
        list_entries(graph, directed, start, entry);
        int64_t n = 0;
        for (int32_t u = 0; u < graph->n_nodes; u++) {
            side->near_start[u] = n;
            for (int64_t k = start[u]; k < start[u + 1]; k++) {
                const int again =
                    joined && n > side->near_start[u] && side->near[n - 1] == entry[k].node;
                n -= again;
                side->near[n] = entry[k].node;
                side->near_there[n] =
                    again && side->near_there[n] ? side->near_there[n] : entry[k].there;
                side->near_back[n] =
                    again && side->near_back[n] ? side->near_back[n] : entry[k].back;
                n++;
            }
        }
        side->near_start[graph->n_nodes] = n;
    }
    const int failed = scratch.failed || pool->failed;
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

/* ---- twins */

/* The next entry of u's list from k on whose node is (is_other) or is not one of u and v. */
static int64_t next_entry(const sub_side *side, int32_t u, int32_t v, int64_t k, int32_t only)
{
    const int64_t end = side->near_start[u + 1];
    while (k < end &&
           (only >= 0 ? side->near[k] != only : side->near[k] == u || side->near[k] == v))
        k++;
    return k;
}

/* Whether the entries of u's list for the node a equal those of v's list for the node b; a = b = -1
 * compares the entries of all nodes but u and v. */
static int same_entries(const sub_side *side, int32_t u, int32_t v, int32_t a, int32_t b)
{
    int64_t k = next_entry(side, u, v, side->near_start[u], a);
    int64_t m = next_entry(side, v, u, side->near_start[v], b);
    while (k < side->near_start[u + 1] && m < side->near_start[v + 1]) {
        if ((a < 0 && side->near[k] != side->near[m]) ||
            side->near_there[k] != side->near_there[m] || side->near_back[k] != side->near_back[m])
            return 0;
        k = next_entry(side, u, v, k + 1, a);
        m = next_entry(side, v, u, m + 1, b);
    }
    return k == side->near_start[u + 1] && m == side->near_start[v + 1];
}

int sub_side_are_twins(const sub_side *side, int32_t u, int32_t v)
{
    const int64_t *start = side->near_start;
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
    const int64_t *start = side->near_start;
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
static int order_items(sub_side *side, int by_edges, int ascending)
{
    int64_t *key = malloc(sizeof *key * (size_t)(side->n_items > 0 ? side->n_items : 1));
    if (!key)
        return GM_ENOMEM;
    for (int32_t k = 0; k < side->n_items; k++) {
        const int64_t degree = degree_of(side, by_edges, k);
        key[k] = (ascending ? degree : INT32_MAX - degree) << 31 | k;
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

/* Number of the part of node u with these kinds; a new one if there is none yet. */
static int64_t part_of(sub_side *side, int32_t u, int32_t there, int32_t back)
{
    int32_t k = side->start[u];
    while (k < side->start[u + 1] && (side->there[k] != there || side->back[k] != back))
        k++;
    if (k == side->start[u + 1]) {
        side->start[u + 1]++;
        side->there[k] = there;
        side->back[k] = back;
    }
    return k;
}

/* Lists the parts of all nodes, still empty. */
static void list_parts(sub_side *side, int directed, int by_edges)
{
    for (int32_t u = 0; u < side->n_nodes; u++) {
        side->start[u + 1] = side->start[u];
        if (by_edges) {
            part_of(side, u, 1, 0);
            if (directed)
                part_of(side, u, 0, 1);
            continue;
        }
        for (int64_t k = side->near_start[u]; k < side->near_start[u + 1]; k++)
            part_of(side, u, side->near_there[k], side->near_back[k]);
    }
}

static void fill_part(sub_side *side, int32_t u, int32_t there, int32_t back, int32_t item)
{
    bits_add(side->part + part_of(side, u, there, back) * side->words, item);
}

static void fill_parts_by_nodes(sub_side *side, const int32_t *place)
{
    for (int32_t u = 0; u < side->n_nodes; u++)
        for (int64_t k = side->near_start[u]; k < side->near_start[u + 1]; k++)
            fill_part(side, u, side->near_there[k], side->near_back[k], place[side->near[k]]);
}

static void fill_parts_by_edges(sub_side *side, int directed)
{
    for (int32_t k = 0; k < side->n_items; k++) {
        const int32_t u = side->tail[k], v = side->head[k];
        fill_part(side, u, 1, 0, k);
        if (u != v)
            fill_part(side, v, !directed, directed, k);
    }
}

/* touch and cover from the parts. */
static void fill_unions(sub_side *side, const int32_t *place)
{
    for (int32_t u = 0; u < side->n_nodes; u++) {
        uint64_t *touch = side->touch + (int64_t)u * side->words;
        uint64_t *cover = side->cover + (int64_t)u * side->words;
        for (int64_t k = side->start[u]; k < side->start[u + 1]; k++)
            for (int32_t w = 0; w < side->words; w++)
                touch[w] |= side->part[k * side->words + w];
        memcpy(cover, touch, sizeof *cover * (size_t)side->words);
        if (place)
            bits_add(cover, place[u]);
    }
}

int sub_side_take(sub_side *side, gm_pool *pool, const gm_labelled_graph *graph,
                  const gm_labelled_graph *other, int directed, int by_edges)
{
    side->graph = graph;
    side->n_nodes = graph->n_nodes;
    side->n_items = by_edges ? graph->n_edges : graph->n_nodes;
    side->words = bits_words(side->n_items);
    if (take_neighbours(side, pool, directed, !by_edges) != GM_OK)
        return GM_ENOMEM;
    const int64_t n = side->n_nodes;
    const int64_t most = by_edges ? 2 * n : side->near_start[n]; /* parts */
    int32_t *place;
    GM_TAKE(pool, side->n_items, side->original);
    GM_TAKE(pool, side->n_items, side->tail);
    GM_TAKE(pool, side->n_items, side->head);
    GM_TAKE(pool, n + 1, side->start);
    GM_TAKE(pool, most, side->there);
    GM_TAKE(pool, most, side->back);
    GM_TAKE(pool, n * side->words, side->touch);
    GM_TAKE(pool, n * side->words, side->cover);
    GM_TAKE(pool, n, side->twin);
    GM_TAKE(pool, n, place);
    if (pool->failed || order_items(side, by_edges, is_dense(other)) != GM_OK)
        return GM_ENOMEM;
    list_parts(side, directed, by_edges);
    GM_TAKE(pool, (int64_t)side->start[n] * side->words, side->part);
    if (pool->failed)
        return GM_ENOMEM;
    if (by_edges) {
        fill_parts_by_edges(side, directed);
    } else {
        for (int32_t k = 0; k < side->n_items; k++)
            place[side->original[k]] = k;
        fill_parts_by_nodes(side, place);
    }
    fill_unions(side, by_edges ? NULL : place);
    find_twins(side);
    return GM_OK;
}
