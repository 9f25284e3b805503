/* One graph of a search for an edit distance: its table of edges, half edges and twins. */
#include "subgraphs/edit_search.h"

#include <string.h>

void edit_side_take(edit_side *side, gm_pool *pool, int64_t n, int64_t m)
{
    GM_TAKE(pool, n * n, side->table);
    GM_TAKE(pool, n + 1, side->start);
    GM_TAKE(pool, 2 * m, side->near);
    GM_TAKE(pool, 2 * m, side->code);
    GM_TAKE(pool, 2 * m, side->back);
    GM_TAKE(pool, 2 * m, side->number);
    GM_TAKE(pool, 2 * m, side->from);
    GM_TAKE(pool, n, side->image);
    GM_TAKE(pool, n, side->twin);
    GM_TAKE(pool, n + EDIT_LANES, side->inner);
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

/* The code of a half edge: of one that arrives at a node, it is above all kinds. The type of the
 * other end v is a part of it if types must be equal. */
static int32_t half_edge_code(const edit_search *s, const edit_side *side, int32_t kind, int32_t v)
{
    return s->strict ? kind * s->n_types + side->graph.type[v] : kind;
}

/* Adds the half edge of u to v; kind and back: with the direction, at u and at v. */
static void insert_half_edge(const edit_search *s, edit_side *side, int32_t u, int32_t v,
                             int32_t kind, int32_t back)
{
    const int32_t code = half_edge_code(s, side, kind, v);
    int32_t k = side->start[u + 1]++;
    for (; k > side->start[u] && side->code[k - 1] > code; k--) {
        side->code[k] = side->code[k - 1];
        side->back[k] = side->back[k - 1];
        side->near[k] = side->near[k - 1];
    }
    side->code[k] = code;
    side->back[k] = half_edge_code(s, side, back, u);
    side->near[k] = v;
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
            const int32_t arriving = s->directed ? s->n_kinds : 0;
            if (u != v && there)
                insert_half_edge(s, side, u, v, there - 1, there - 1 + arriving);
            if (u != v && back)
                insert_half_edge(s, side, u, v, back - 1 + arriving, back - 1);
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

/* ---- numbers of codes */

/* The place of a code among those of the first graph; -1 - its place if it is not there. */
static int32_t find_code(const edit_search *s, int32_t code)
{
    int32_t low = 0, high = s->n_codes;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (s->codes[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_codes && s->codes[low] == code ? low : -1 - low;
}

void edit_number_codes(edit_search *s)
{
    const edit_side *first = s->first, *sides[2] = {s->first, s->second};
    s->n_codes = 0;
    for (int32_t e = 0; e < first->start[first->graph.n_nodes]; e++) {
        const int32_t found = find_code(s, first->code[e]), place = -1 - found;
        if (found >= 0)
            continue;
        memmove(s->codes + place + 1, s->codes + place,
                sizeof *s->codes * (size_t)(s->n_codes++ - place));
        s->codes[place] = first->code[e];
    }
    for (int k = 0; k < 2; k++)
        for (int32_t e = 0; e < sides[k]->start[sides[k]->graph.n_nodes]; e++) {
            sides[k]->number[e] = find_code(s, sides[k]->code[e]);
            sides[k]->from[e] = find_code(s, sides[k]->back[e]);
        }
}
