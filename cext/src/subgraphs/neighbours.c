/* Lists of neighbours. */
#include "subgraphs/neighbours.h"
#include "base/sorted.h"

#include <stdlib.h>

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

/* Lists both ends of all edges in `entry`, at start[u] .. start[u + 1] - 1, sorted. */
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

/* Copies the sorted entries, those of one node joined if asked for. */
static void copy_entries(sub_neighbours *near, const int64_t *start, const near_entry *entry,
                         int joined)
{
    int64_t n = 0;
    for (int32_t u = 0; u < near->n_nodes; u++) {
        near->start[u] = n;
        for (int64_t k = start[u]; k < start[u + 1]; k++) {
            const int again = joined && n > near->start[u] && near->node[n - 1] == entry[k].node;
            n -= again;
            near->node[n] = entry[k].node;
            near->there[n] = again && near->there[n] ? near->there[n] : entry[k].there;
            near->back[n] = again && near->back[n] ? near->back[n] : entry[k].back;
            n++;
        }
    }
    near->start[near->n_nodes] = n;
}

int sub_neighbours_take(sub_neighbours *near, gm_pool *pool, const gm_labelled_graph *graph,
                        int directed, int joined)
{
    const int64_t most = 2 * (int64_t)graph->n_edges;
    gm_pool scratch = {NULL, 0};
    near_entry *entry;
    int64_t *start;
    near->n_nodes = graph->n_nodes;
    GM_TAKE(&scratch, most, entry);
    GM_TAKE(&scratch, graph->n_nodes + 1, start);
    GM_TAKE(pool, most, near->node);
    GM_TAKE(pool, most, near->there);
    GM_TAKE(pool, most, near->back);
    GM_TAKE(pool, graph->n_nodes + 1, near->start);
    const int failed = scratch.failed || pool->failed;
    if (!failed) {
        list_entries(graph, directed, start, entry);
        copy_entries(near, start, entry, joined);
    }
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
}

int64_t sub_find_neighbour(const sub_neighbours *near, int32_t u, int32_t v)
{
    const int64_t k = gm_lower_bound(near->node, near->start[u], near->start[u + 1], v);
    return k < near->start[u + 1] && near->node[k] == v ? k : -1;
}
