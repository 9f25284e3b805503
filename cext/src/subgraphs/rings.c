/* Whole rings; see rings.h. */
#include "subgraphs/rings.h"

#include <string.h>

void sub_rings_take(sub_rings *rings, gm_pool *pool, const sub_question *q)
{
    const int64_t n = q->left.n_nodes, m = q->pair->first.n_edges;
    GM_TAKE(pool, m, rings->common);
    GM_TAKE(pool, n + 1, rings->start);
    GM_TAKE(pool, 2 * m, rings->listed);
    GM_TAKE(pool, n, rings->entered);
    GM_TAKE(pool, n, rings->low);
    GM_TAKE(pool, n, rings->stack);
    GM_TAKE(pool, n, rings->by);
    GM_TAKE(pool, n, rings->next);
    GM_TAKE(pool, n, rings->part);
    GM_TAKE(pool, n, rings->size);
}

/* Whether edge e of the first graph is common under the labels. */
static int is_common(const sub_question *q, const int32_t *labels, int32_t e)
{
    const gm_graph_pair *pair = q->pair;
    const int32_t u = labels[pair->first.tail[e]], v = labels[pair->first.head[e]];
    if (u < 0 || v < 0)
        return 0;
    const int64_t k = sub_find_neighbour(&q->right.near, u, v);
    if (k < 0)
        return 0;
    const int32_t kind = q->right.near.there[k] - 1;
    return kind >= 0 && pair->kinds_fit[(int64_t)pair->first.kind[e] * pair->n_kinds2 + kind];
}

/* Lists the common edges of every node. */
static void list_edges(sub_rings *r, const gm_labelled_graph *graph)
{
    const int32_t n = graph->n_nodes;
    memset(r->start, 0, sizeof *r->start * (size_t)(n + 1));
    for (int32_t e = 0; e < graph->n_edges; e++)
        if (r->common[e]) {
            r->start[graph->tail[e] + 1]++;
            r->start[graph->head[e] + 1]++;
        }
    for (int32_t u = 0; u < n; u++) {
        r->start[u + 1] += r->start[u];
        r->next[u] = r->start[u];
    }
    for (int32_t e = 0; e < graph->n_edges; e++)
        if (r->common[e]) {
            r->listed[r->next[graph->tail[e]]++] = e;
            r->listed[r->next[graph->head[e]]++] = e;
        }
    memcpy(r->next, r->start, sizeof *r->next * (size_t)n);
}

static int32_t other_end(const gm_labelled_graph *graph, int32_t e, int32_t u)
{
    return graph->tail[e] == u ? graph->head[e] : graph->tail[e];
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Takes the marked bridges below a root away (Tarjan 1974). */
static void drop_bridges(sub_rings *r, const gm_labelled_graph *graph, const int32_t *marked,
                         int32_t root, int32_t *clock)
{
    int32_t depth = 1;
    r->stack[0] = root;
    r->by[0] = -1;
    r->entered[root] = r->low[root] = ++*clock;
    while (depth > 0) {
        const int32_t u = r->stack[depth - 1];
        if (r->next[u] < r->start[u + 1]) {
            const int32_t e = r->listed[r->next[u]++], v = other_end(graph, e, u);
            if (e == r->by[depth - 1])
                continue;
            if (r->entered[v]) {
                r->low[u] = lesser(r->low[u], r->entered[v]);
                continue;
            }
            r->entered[v] = r->low[v] = ++*clock;
            r->by[depth] = e;
            r->stack[depth++] = v;
        } else if (--depth > 0) {
            const int32_t parent = r->stack[depth - 1], e = r->by[depth];
            r->low[parent] = lesser(r->low[parent], r->low[u]);
            if (r->low[u] > r->entered[parent] && marked[e])
                r->common[e] = 0;
        }
    }
}

/* The root of the part of u, whose path becomes shorter. */
static int32_t find_part(int32_t *part, int32_t u)
{
    while (part[u] != u)
        u = part[u] = part[part[u]];
    return u;
}

/* Joins the ends of the common edges to parts; returns the part with the most of them. */
static int32_t largest_part(sub_rings *r, const gm_labelled_graph *graph)
{
    int32_t best = -1;
    for (int32_t u = 0; u < graph->n_nodes; u++) {
        r->part[u] = u;
        r->size[u] = 0;
    }
    for (int32_t e = 0; e < graph->n_edges; e++)
        if (r->common[e])
            r->part[find_part(r->part, graph->tail[e])] = find_part(r->part, graph->head[e]);
    for (int32_t e = 0; e < graph->n_edges; e++)
        if (r->common[e]) {
            const int32_t part = find_part(r->part, graph->tail[e]);
            r->size[part]++;
            if (best < 0 || r->size[part] > r->size[best])
                best = part;
        }
    return best;
}

int32_t sub_whole_rings(sub_rings *r, const sub_question *q, const int32_t *labels, int32_t *kept)
{
    const gm_labelled_graph *graph = &q->pair->first;
    int32_t clock = 0;
    for (int32_t e = 0; e < graph->n_edges; e++)
        r->common[e] = is_common(q, labels, e);
    list_edges(r, graph);
    memset(r->entered, 0, sizeof *r->entered * (size_t)graph->n_nodes);
    for (int32_t u = 0; u < graph->n_nodes; u++)
        if (!r->entered[u] && r->start[u] < r->start[u + 1])
            drop_bridges(r, graph, q->options.ring, u, &clock);
    const int32_t best = largest_part(r, graph);
    for (int32_t u = 0; u < graph->n_nodes; u++)
        kept[u] = best >= 0 && find_part(r->part, u) == best ? labels[u] : -1;
    return best >= 0 ? r->size[best] : 0;
}
