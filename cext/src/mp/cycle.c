#include "mp/cycle.h"

#include <math.h>
#include <stdlib.h>

/* An edge of the projection graph; a vertex is the number of a state. */
typedef struct edge {
    double weight; /* >= 0 */
    int32_t from, to;
    int32_t differ; /* 'differ' is cheaper than 'agree' */
} edge;

/* A maximum spanning forest, grown edge by edge in the order of descending weights (Kruskal): the
 * first edge that closes an odd cycle closes the one whose smallest weight is largest. Twice: as
 * union-find sets with parities, and as rooted trees for the way along their edges. */
typedef struct forest {
    int32_t *up;     /* per vertex: its representative in union-find, or one nearer to it, */
    uint8_t *parity; /* and whether the path to that one has an odd number of 'differ' edges */
    int32_t *size;   /* per representative: vertices of its set */
    int32_t *parent; /* per vertex: in its tree, -1 at the root */
    int64_t *mark;   /* per vertex: the last edge whose path to the root went through it */
} forest;

/* The representative of a vertex, and the parity of the path to it. */
static int32_t find(forest *trees, int32_t vertex, uint8_t *parity)
{
    int32_t top = vertex;
    uint8_t odd = 0;
    while (trees->up[top] != top) {
        odd ^= trees->parity[top];
        top = trees->up[top];
    }
    *parity = odd;
    while (trees->up[vertex] != top) { /* path compression */
        const int32_t next = trees->up[vertex];
        const uint8_t before = trees->parity[vertex];
        trees->up[vertex] = top;
        trees->parity[vertex] = odd;
        odd ^= before;
        vertex = next;
    }
    return top;
}

/* Makes a vertex the root of its tree. */
static void make_root(forest *trees, int32_t vertex)
{
    int32_t below = -1;
    while (vertex >= 0) {
        const int32_t above = trees->parent[vertex];
        trees->parent[vertex] = below;
        below = vertex;
        vertex = above;
    }
}

/* Unites the sets and trees of an edge's ends: the smaller one is hung below the larger one.
 * parity is that of the path between the two representatives. */
static void join(forest *trees, const edge *added, int32_t top_from, int32_t top_to, uint8_t parity)
{
    const int smaller_from = trees->size[top_from] < trees->size[top_to];
    const int32_t lower = smaller_from ? added->from : added->to;
    const int32_t upper = smaller_from ? added->to : added->from;
    const int32_t lower_top = smaller_from ? top_from : top_to;
    const int32_t upper_top = smaller_from ? top_to : top_from;
    make_root(trees, lower);
    trees->parent[lower] = upper;
    trees->up[lower_top] = upper_top;
    trees->parity[lower_top] = parity;
    trees->size[upper_top] += trees->size[lower_top];
}

static int has_node_twice(const mp_cycle *cycle)
{
    for (int32_t i = 0; i < cycle->length; i++)
        for (int32_t j = 0; j < i; j++)
            if (cycle->node[i] == cycle->node[j])
                return 1;
    return 0;
}

/* Writes the cycle that an edge closes with its tree, as nodes. Returns 0 if it is too long or goes
 * through a node twice. `stamp` must be new. */
static int trace(forest *trees, const int32_t *node_of, const edge *closing, int64_t stamp,
                 mp_cycle *cycle)
{
    int32_t meet = closing->to, back[MP_LONGEST_CYCLE], n_back = 0;
    for (int32_t x = closing->from; x >= 0; x = trees->parent[x])
        trees->mark[x] = stamp;
    while (trees->mark[meet] != stamp) {
        if (n_back == MP_LONGEST_CYCLE)
            return 0;
        back[n_back++] = node_of[meet];
        meet = trees->parent[meet];
    }
    cycle->length = 0;
    for (int32_t x = closing->from;; x = trees->parent[x]) {
        if (cycle->length == MP_LONGEST_CYCLE)
            return 0;
        cycle->node[cycle->length++] = node_of[x];
        if (x == meet)
            break;
    }
    if (cycle->length + n_back > MP_LONGEST_CYCLE)
        return 0;
    while (n_back > 0)
        cycle->node[cycle->length++] = back[--n_back];
    cycle->gain = closing->weight;
    return cycle->length >= 3 && !has_node_twice(cycle);
}

/* Smallest and second smallest of n numbers a step apart, and the position of the smallest. */
static void two_smallest(const double *x, int32_t n, int64_t step, double *first, double *second,
                         int32_t *where)
{
    *first = *second = INFINITY;
    *where = -1;
    for (int32_t k = 0; k < n; k++) {
        const double value = x[k * step];
        if (value < *first) {
            *second = *first;
            *first = value;
            *where = k;
        } else if (value < *second) {
            *second = value;
        }
    }
}

/* Lists the edges of one link (its reparametrised table is given) whose weight is at least `least`;
 * with edges NULL only counts them. scratch: three numbers per state. */
static int64_t list_edges(const mp_dual *dual, const mp_link *link, double least,
                          const double *table, double *scratch, edge *edges)
{
    const int32_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    const int32_t first_u = dual->state_start[link->node[0]];
    const int32_t first_v = dual->state_start[link->node[1]];
    double *row1 = scratch, *row2 = scratch + rows; /* smallest and second smallest of each row */
    double *without = scratch + 2 * rows;           /* the smallest of each row outside column b */
    int64_t n = 0;
    for (int32_t a = 0; a < rows; a++) {
        int32_t where;
        two_smallest(table + (int64_t)a * cols, cols, 1, &row1[a], &row2[a], &where);
    }
    for (int32_t b = 0; b < cols; b++) {
        double column1, column2, rest1, rest2;
        int32_t column_where, rest_where;
        for (int32_t a = 0; a < rows; a++) /* if two cells are smallest, row2 is row1 */
            without[a] = table[(int64_t)a * cols + b] == row1[a] ? row2[a] : row1[a];
        two_smallest(table + b, rows, cols, &column1, &column2, &column_where);
        two_smallest(without, rows, 1, &rest1, &rest2, &rest_where);
        for (int32_t a = 0; a < rows; a++) {
            const double here = table[(int64_t)a * cols + b];               /* both true */
            const double elsewhere = a == rest_where ? rest2 : rest1;       /* both false */
            const double in_column = a == column_where ? column2 : column1; /* only b */
            const double agree = gm_smaller(here, elsewhere);
            const double differ = gm_smaller(without[a], in_column);
            if (!isfinite(agree) || !isfinite(differ) || fabs(differ - agree) < least)
                continue;
            if (edges)
                edges[n] = (edge){.weight = fabs(differ - agree),
                                  .from = first_u + a,
                                  .to = first_v + b,
                                  .differ = differ < agree};
            n++;
        }
    }
    return n;
}

/* Lists the edges of all links, or only counts them. */
static int64_t list_all_edges(const mp_dual *dual, double least, double *table, double *scratch,
                              edge *edges)
{
    int64_t n = 0;
    for (int32_t e = 0; e < dual->n_links; e++) {
        mp_link_table(dual, &dual->link[e], table);
        n += list_edges(dual, &dual->link[e], least, table, scratch, edges ? edges + n : NULL);
    }
    return n;
}

static int by_weight(const void *x, const void *y)
{
    const edge *p = x, *q = y;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return (p->to > q->to) - (p->to < q->to);
}

int32_t mp_odd_cycles(const mp_dual *dual, double least, double *table, mp_cycle *cycles,
                      int32_t most)
{
    gm_pool pool = {0};
    forest trees;
    int32_t *node_of, found = 0;
    double *scratch;
    edge *edges;
    GM_TAKE(&pool, dual->n_states, trees.up);
    GM_TAKE(&pool, dual->n_states, trees.parity);
    GM_TAKE(&pool, dual->n_states, trees.size);
    GM_TAKE(&pool, dual->n_states, trees.parent);
    GM_TAKE(&pool, dual->n_states, trees.mark);
    GM_TAKE(&pool, dual->n_states, node_of);
    GM_TAKE(&pool, 3 * (int64_t)dual->most_states, scratch);
    if (pool.failed)
        goto done;
    const int64_t n_edges = list_all_edges(dual, least, table, scratch, NULL);
    GM_TAKE(&pool, n_edges + 1, edges);
    if (pool.failed)
        goto done;
    list_all_edges(dual, least, table, scratch, edges);
    qsort(edges, (size_t)n_edges, sizeof *edges, by_weight);
    for (int32_t u = 0; u < dual->n_nodes; u++)
        for (int32_t x = dual->state_start[u]; x < dual->state_start[u + 1]; x++) {
            node_of[x] = u;
            trees.up[x] = x;
            trees.size[x] = 1;
            trees.parent[x] = -1;
        }
    for (int64_t k = 0; k < n_edges && found < most; k++) {
        uint8_t parity_from, parity_to;
        const int32_t top_from = find(&trees, edges[k].from, &parity_from);
        const int32_t top_to = find(&trees, edges[k].to, &parity_to);
        const uint8_t parity = (uint8_t)(parity_from ^ parity_to ^ edges[k].differ);
        if (top_from != top_to)
            join(&trees, &edges[k], top_from, top_to, parity);
        else if (parity)
            found += trace(&trees, node_of, &edges[k], k + 1, &cycles[found]);
    }
done:
    gm_pool_free(&pool);
    return found;
}
