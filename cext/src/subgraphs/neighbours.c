/* Lists of neighbours. */
#include "subgraphs/neighbours.h"
#include "base/sorted.h"

/* One end of an edge as the other end, its owner, sees it. */
typedef struct near_entry {
    int32_t owner, node, there, back;
} near_entry;

/* Whether an entry of the same owner comes after another. */
static int comes_after(const near_entry *x, const near_entry *y)
{
    if (x->node != y->node)
        return x->node > y->node;
    return x->there != y->there ? x->there > y->there : x->back > y->back;
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

/* Lists both ends of all edges in `listed`, those with the same neighbour together. */
static void list_ends(const gm_labelled_graph *graph, int directed, int64_t *start,
                      near_entry *listed)
{
    for (int32_t e = 0; e < graph->n_edges; e++) {
        start[graph->head[e] + 1]++;
        start[graph->tail[e] + 1] += graph->head[e] != graph->tail[e];
    }
    add_up(start, graph->n_nodes);
    for (int32_t e = 0; e < graph->n_edges; e++) {
        const int32_t u = graph->tail[e], v = graph->head[e], kind = graph->kind[e] + 1;
        listed[start[v]++] = (near_entry){u, v, kind, 0};
        if (u != v)
            listed[start[u]++] = (near_entry){v, u, directed ? 0 : kind, directed ? kind : 0};
    }
    move_back(start, graph->n_nodes);
}

/* Sorts the n ends by owner, at start[u] .. start[u + 1] - 1, and by neighbour: these are in order
 * already, except for several edges between two nodes. An owner has as many ends as a neighbour. */
static void sort_ends(const near_entry *listed, int64_t n, int64_t *start, int32_t n_nodes,
                      near_entry *entry)
{
    for (int64_t k = 0; k < n; k++)
        entry[start[listed[k].owner]++] = listed[k];
    move_back(start, n_nodes);
    for (int64_t k = 1; k < n; k++) {
        const near_entry moved = entry[k];
        int64_t m = k;
        for (; m > start[moved.owner] && comes_after(&entry[m - 1], &moved); m--)
            entry[m] = entry[m - 1];
        entry[m] = moved;
    }
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
    near_entry *listed, *entry;
    int64_t *start;
    near->n_nodes = graph->n_nodes;
    GM_TAKE(&scratch, most, listed);
    GM_TAKE(&scratch, most, entry);
    GM_TAKE(&scratch, graph->n_nodes + 1, start);
    GM_TAKE(pool, most, near->node);
    GM_TAKE(pool, most, near->there);
    GM_TAKE(pool, most, near->back);
    GM_TAKE(pool, graph->n_nodes + 1, near->start);
    const int failed = scratch.failed || pool->failed;
    if (!failed) {
        list_ends(graph, directed, start, listed);
        sort_ends(listed, start[graph->n_nodes], start, graph->n_nodes, entry);
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
