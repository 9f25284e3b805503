/* Whole maps of one graph to another: their cost, and exchanges that lower it. */
#include "subgraphs/edit_search.h"

int64_t edit_map_cost(const edit_search *s, const int32_t *map)
{
    const gm_labelled_graph *a = &s->first->graph, *b = &s->second->graph;
    int64_t sum = (int64_t)(b->n_nodes - a->n_nodes) * s->node, common = 0;
    for (int32_t u = 0; u < a->n_nodes; u++)
        sum += a->type[u] == b->type[map[u]] ? 0 : s->relabel;
    for (int32_t e = 0; e < a->n_edges; e++) {
        const int32_t v = map[a->tail[e]], x = map[a->head[e]];
        const int fits = edit_may_map(s, a->tail[e], v) && edit_may_map(s, a->head[e], x);
        const int32_t there = fits ? s->second->table[(int64_t)v * b->n_nodes + x] : 0;
        common += there > 0;
        sum += edit_entry_cost(s, a->kind[e] + 1, there);
    }
    return sum + (b->n_edges - common) * 2 * s->half;
}

/* Cost of an edge between u and x of the first graph that becomes an entry `there`, less that of
 * inserting the entry. */
static int64_t edge_share(const edit_search *s, int32_t u, int32_t x, int32_t there)
{
    const int32_t from = s->first->table[(int64_t)u * s->first->graph.n_nodes + x];
    return edit_entry_cost(s, from, there) - (there ? 2 * s->half : 0);
}

/* By how much the cost changes if node u gets the image v instead of its own; its neighbour w keeps
 * its edge to u. Undirected graphs, nodes of all types. */
static int64_t move_cost(const edit_search *s, const int32_t *map, int32_t u, int32_t w, int32_t v)
{
    const edit_side *first = s->first, *second = s->second;
    if (u >= first->graph.n_nodes) /* nothing is mapped */
        return 0;
    const int32_t *own = second->table + (int64_t)map[u] * second->graph.n_nodes;
    const int32_t *other = second->table + (int64_t)v * second->graph.n_nodes;
    const int32_t *type = second->graph.type;
    int64_t more = 0;
    more += (first->graph.type[u] == type[v] ? 0 : s->relabel) -
            (first->graph.type[u] == type[map[u]] ? 0 : s->relabel);
    more += edge_share(s, u, u, other[v]) - edge_share(s, u, u, own[map[u]]);
    for (int32_t k = first->start[u]; k < first->start[u + 1]; k++) {
        const int32_t x = first->near[k];
        if (x != w)
            more += edge_share(s, u, x, other[map[x]]) - edge_share(s, u, x, own[map[x]]);
    }
    return more;
}

/* Exchanges the images of u and w if that costs less; returns the cost. */
static int64_t exchange(const edit_search *s, int32_t *map, int32_t u, int32_t w, int64_t cost)
{
    const int is_simple = !s->directed && !s->strict;
    const int64_t more =
        is_simple ? move_cost(s, map, u, w, map[w]) + move_cost(s, map, w, u, map[u]) : 0;
    if (is_simple && more >= 0)
        return cost;
    const int32_t image = map[u];
    map[u] = map[w];
    map[w] = image;
    const int64_t there = is_simple ? cost + more : edit_map_cost(s, map);
    if (there < cost)
        return there;
    map[w] = map[u];
    map[u] = image;
    return cost;
}

int64_t edit_descend(edit_search *s, int64_t cost)
{
    const int32_t n1 = s->first->graph.n_nodes, n2 = s->second->graph.n_nodes;
    for (int32_t v = 0; v < n2; v++)
        s->col_images[v] = 0;
    for (int32_t u = 0; u < n1; u++)
        s->col_images[s->map[u]] = 1;
    for (int32_t v = 0, n = n1; v < n2; v++)
        if (!s->col_images[v])
            s->map[n++] = v;
    int64_t before;
    do {
        before = cost;
        for (int32_t u = 0; u < n1; u++)
            for (int32_t w = u + 1; w < n2; w++)
                cost = exchange(s, s->map, u, w, cost);
        s->work += (int64_t)n1 * n2;
    } while (cost < before);
    return edit_map_cost(s, s->map);
}
