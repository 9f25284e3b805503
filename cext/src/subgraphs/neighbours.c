/* Lists of neighbours. */
#include "subgraphs/neighbours.h"
#include "base/sorted.h"

#include <string.h>

/* Edge e has two ends: 2 e, which its tail owns, and 2 e + 1, which its head owns; a loop has only
 * the first one. */
static int32_t owner_of(const gm_labelled_graph *graph, int32_t end)
{
    return (end & 1 ? graph->head : graph->tail)[end >> 1];
}

static int32_t other_of(const gm_labelled_graph *graph, int32_t end)
{
    return (end & 1 ? graph->tail : graph->head)[end >> 1];
}

/* Turns counts at start[k + 1] into places. */
static void add_up(int64_t *start, int32_t n)
{
    for (int32_t u = 0; u < n; u++)
        start[u + 1] += start[u];
}

/* Moves places that were counted up back to the first of each node. */
static void move_back(int64_t *start, int32_t n)
{
    for (int32_t u = n; u > 0; u--)
        start[u] = start[u - 1];
    start[0] = 0;
}

/* Counts the ends of each node, as places of its list. */
static void count_ends(const gm_labelled_graph *graph, int64_t *start)
{
    for (int32_t e = 0; e < graph->n_edges; e++) {
        start[graph->head[e] + 1]++;
        start[graph->tail[e] + 1] += graph->head[e] != graph->tail[e];
    }
    add_up(start, graph->n_nodes);
}

/* Lists all ends by the node at the other end, which has as many as its owner. */
static void list_ends(const gm_labelled_graph *graph, int64_t *start, int32_t *listed)
{
    for (int32_t e = 0; e < graph->n_edges; e++) {
        listed[start[graph->head[e]]++] = 2 * e;
        if (graph->head[e] != graph->tail[e])
            listed[start[graph->tail[e]]++] = 2 * e + 1;
    }
    move_back(start, graph->n_nodes);
}

enum { PARALLEL = 1, OUT_OF_ORDER = 2 };

/* Fills the lists of all owners by the ends in this order, NULL: that of the edges. Returns flags:
 * whether a neighbour comes twice in a list, and whether one comes after a larger one. last:
 * [n_nodes] zeros. */
static int fill_lists(sub_neighbours *near, const gm_labelled_graph *graph, int directed,
                      const int32_t *listed, int32_t *last)
{
    const int64_t n = listed ? near->start[near->n_nodes] : 2 * (int64_t)graph->n_edges;
    int flags = 0;
    for (int64_t k = 0; k < n; k++) {
        const int32_t end = listed ? listed[k] : (int32_t)k, kind = graph->kind[end >> 1] + 1;
        const int32_t owner = owner_of(graph, end), other = other_of(graph, end);
        if (end & 1 && owner == other)
            continue;
        const int64_t place = near->start[owner]++;
        flags |= other + 1 == last[owner] ? PARALLEL : other + 1 < last[owner] ? OUT_OF_ORDER : 0;
        last[owner] = other + 1;
        near->node[place] = other;
        near->there[place] = directed && end & 1 ? 0 : kind;
        if (directed)
            near->back[place] = end & 1 ? kind : 0;
    }
    move_back(near->start, near->n_nodes);
    return flags;
}

/* Fills the lists by ends that are sorted by the neighbour. Returns flags or GM_ENOMEM. */
static int fill_sorted(sub_neighbours *near, const gm_labelled_graph *graph, int directed)
{
    gm_pool scratch = {NULL, 0};
    int32_t *listed, *last;
    int flags = GM_ENOMEM;
    GM_TAKE(&scratch, near->start[near->n_nodes], listed);
    GM_TAKE(&scratch, graph->n_nodes, last);
    if (!scratch.failed) {
        list_ends(graph, near->start, listed);
        flags = fill_lists(near, graph, directed, listed, last);
    }
    gm_pool_free(&scratch);
    return flags;
}

/* Fills the lists by ends in the order of the edges: that is enough if these are sorted. Returns
 * flags or GM_ENOMEM. */
static int fill_as_given(sub_neighbours *near, const gm_labelled_graph *graph, int directed)
{
    gm_pool scratch = {NULL, 0};
    int32_t *last;
    GM_TAKE(&scratch, graph->n_nodes, last);
    const int flags = scratch.failed ? GM_ENOMEM : fill_lists(near, graph, directed, NULL, last);
    gm_pool_free(&scratch);
    return flags;
}

/* Whether entry k comes before the one before it: several edges between two nodes go by kind. */
static int comes_before(const sub_neighbours *near, int64_t k)
{
    if (near->node[k] != near->node[k - 1] || near->there[k] != near->there[k - 1])
        return near->node[k] == near->node[k - 1] && near->there[k] < near->there[k - 1];
    return near->back[k] < near->back[k - 1];
}

static void exchange(int32_t *of, int64_t k)
{
    const int32_t moved = of[k];
    of[k] = of[k - 1];
    of[k - 1] = moved;
}

static void sort_parallel(sub_neighbours *near)
{
    for (int32_t u = 0; u < near->n_nodes; u++)
        for (int64_t k = near->start[u] + 1; k < near->start[u + 1]; k++)
            for (int64_t m = k; m > near->start[u] && comes_before(near, m); m--) {
                exchange(near->node, m);
                exchange(near->there, m);
                exchange(near->back, m);
            }
}

/* Joins the entries of one neighbour. */
static void join_parallel(sub_neighbours *near)
{
    int64_t n = 0, k = 0;
    for (int32_t u = 0; u < near->n_nodes; u++) {
        const int64_t first = n;
        for (; k < near->start[u + 1]; k++) {
            const int again = n > first && near->node[n - 1] == near->node[k];
            n -= again;
            near->node[n] = near->node[k];
            near->there[n] = again && near->there[n] ? near->there[n] : near->there[k];
            near->back[n] = again && near->back[n] ? near->back[n] : near->back[k];
            n++;
        }
        near->start[u] = first;
    }
    near->start[near->n_nodes] = n;
}

int sub_neighbours_take(sub_neighbours *near, gm_pool *pool, const gm_labelled_graph *graph,
                        int directed, int joined)
{
    const int64_t most = 2 * (int64_t)graph->n_edges;
    if (most > INT32_MAX) /* ends are numbered */
        return GM_ENOMEM;
    near->n_nodes = graph->n_nodes;
    GM_TAKE(pool, most, near->node);
    GM_TAKE(pool, most, near->there);
    GM_TAKE(pool, most, near->back);
    GM_TAKE(pool, graph->n_nodes + 1, near->start);
    if (pool->failed)
        return GM_ENOMEM;
    count_ends(graph, near->start);
    int flags = fill_as_given(near, graph, directed);
    if (flags > 0 && flags & OUT_OF_ORDER)
        flags = fill_sorted(near, graph, directed);
    if (flags < 0)
        return GM_ENOMEM;
    if (flags & PARALLEL)
        sort_parallel(near);
    if (flags & PARALLEL && joined)
        join_parallel(near);
    return GM_OK;
}

int64_t sub_find_neighbour(const sub_neighbours *near, int32_t u, int32_t v)
{
    const int64_t k = gm_lower_bound(near->node, near->start[u], near->start[u + 1], v);
    return k < near->start[u + 1] && near->node[k] == v ? k : -1;
}
