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

static void exchange(int32_t *map, int32_t u, int32_t w)
{
    const int32_t image = map[u];
    map[u] = map[w];
    map[w] = image;
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
            for (int32_t w = u + 1; w < n2; w++) {
                exchange(s->map, u, w);
                const int64_t there = edit_map_cost(s, s->map);
                if (there < cost)
                    cost = there;
                else
                    exchange(s->map, u, w);
            }
        s->work += (int64_t)n1 * n2;
    } while (cost < before);
    return cost;
}
