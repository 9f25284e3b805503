/* One graph of a search for an edit distance: its table of edges, half edges and twins. */
#include "subgraphs/edit_search.h"

#include <string.h>

void edit_side_take(edit_side *side, gm_pool *pool, int64_t n, int64_t m)
{
    GM_TAKE(pool, n * n, side->table);
    GM_TAKE(pool, n + 1, side->start);
    GM_TAKE(pool, 2 * m, side->near);
    GM_TAKE(pool, 2 * m, side->code);
    GM_TAKE(pool, n, side->image);
    GM_TAKE(pool, n, side->twin);
    GM_TAKE(pool, 2 * m, side->inner);
    GM_TAKE(pool, n + 1, side->inner_start);
    GM_TAKE(pool, n, side->open);
    GM_TAKE(pool, n, side->alike);
}

/* Fills the table of edges; 0 if two are parallel. */
static int fill_table(const edit_search *s, edit_side *side)
{
    const gm_labelled_graph *graph = &side->graph;
    const int64_t n = graph->n_nodes;
    memset(side->table, 0, sizeof *side->table * (size_t)(n * n));
    for (int32_t e = 0; e < graph->n_edges; e++) {
        int32_t *there = side->table + graph->tail[e] * n + graph->head[e];
        if (*there)
            return 0;
        *there = graph->kind[e] + 1;
        if (!s->directed)
            side->table[graph->head[e] * n + graph->tail[e]] = graph->kind[e] + 1;
    }
    return 1;
}

static void insert_half_edge(edit_side *side, int32_t u, int32_t near, int32_t code)
{
    int32_t k = side->start[u + 1]++;
    for (; k > side->start[u] && side->code[k - 1] > code; k--) {
        side->code[k] = side->code[k - 1];
        side->near[k] = side->near[k - 1];
    }
    side->code[k] = code;
    side->near[k] = near;
}

/* The code of a half edge: of one that arrives at u, it is above all kinds. The type of the other
 * end is a part of it if types must be equal. */
static int32_t half_edge_code(const edit_search *s, const edit_side *side, int32_t kind, int32_t v)
{
    return s->strict ? kind * s->n_types + side->graph.type[v] : kind;
}

/* Lists the half edges of each node. */
static void list_half_edges(const edit_search *s, edit_side *side)
{
    const int32_t n = side->graph.n_nodes;
    side->start[0] = 0;
    for (int32_t u = 0; u < n; u++) {
        side->start[u + 1] = side->start[u];
        for (int32_t v = 0; v < n; v++) {
            const int32_t there = side->table[(int64_t)u * n + v];
            const int32_t back = s->directed ? side->table[(int64_t)v * n + u] : 0;
            if (u != v && there)
                insert_half_edge(side, u, v, half_edge_code(s, side, there - 1, v));
            if (u != v && back)
                insert_half_edge(side, u, v, half_edge_code(s, side, back - 1 + s->n_kinds, v));
        }
    }
}

/* Whether two nodes can be exchanged and nothing changes. */
static int are_twins(const edit_side *side, int32_t u, int32_t v)
{
    const int64_t n = side->graph.n_nodes;
    const int32_t *row_u = side->table + u * n, *row_v = side->table + v * n;
    if (side->graph.type[u] != side->graph.type[v] || row_u[u] != row_v[v] || row_u[v] != row_v[u])
        return 0;
    for (int32_t w = 0; w < n; w++)
        if (w != u && w != v &&
            (row_u[w] != row_v[w] || side->table[w * n + u] != side->table[w * n + v]))
            return 0;
    return 1;
}

int edit_list_side(const edit_search *s, edit_side *side, const gm_labelled_graph *graph)
{
    side->graph = *graph;
    if (!fill_table(s, side))
        return 0;
    list_half_edges(s, side);
    for (int32_t u = 0; u < graph->n_nodes; u++) {
        side->twin[u] = 0;
        while (side->twin[u] < u && !are_twins(side, side->twin[u], u))
            side->twin[u]++;
    }
    return 1;
}
