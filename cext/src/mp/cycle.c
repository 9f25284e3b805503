#include "mp/cycle.h"

#include <math.h>
#include <stdlib.h>

typedef struct preference {
    double size;
    int32_t from, to; /* vertices */
    int32_t differ;
} preference;

/* A spanning forest that grows from the strongest preferences: the first edge that closes an odd
 * cycle closes the one whose weakest preference is strongest. */
typedef struct forest {
    int32_t *root;    /* per vertex: union-find link */
    uint8_t *parity;  /* and the parity of the path to it */
    int32_t *n_below; /* per root: vertices of its tree */
    int32_t *parent;  /* per vertex: in the spanning tree, -1 at its top */
    int64_t *mark;    /* per vertex: the last edge whose path went through it */
} forest;

static int32_t find(forest *trees, int32_t vertex, uint8_t *parity)
{
    int32_t top = vertex;
    uint8_t odd = 0;
    while (trees->root[top] != top) {
        odd ^= trees->parity[top];
        top = trees->root[top];
    }
    *parity = odd;
    while (trees->root[vertex] != top) { /* point everything on the way straight to the top */
        const int32_t next = trees->root[vertex];
        const uint8_t before = trees->parity[vertex];
        trees->root[vertex] = top;
        trees->parity[vertex] = odd;
        odd ^= before;
        vertex = next;
    }
    return top;
}

/* Makes vertex the top of its tree. */
static void turn_over(forest *trees, int32_t vertex)
{
    int32_t below = -1;
    while (vertex >= 0) {
        const int32_t above = trees->parent[vertex];
        trees->parent[vertex] = below;
        below = vertex;
        vertex = above;
    }
}

static void join(forest *trees, const preference *edge, int32_t top_from, int32_t top_to,
                 uint8_t parity)
{
    const int smaller_from = trees->n_below[top_from] < trees->n_below[top_to];
    const int32_t moved = smaller_from ? edge->from : edge->to,
                  stays = smaller_from ? edge->to : edge->from;
    const int32_t top = smaller_from ? top_from : top_to,
                  new_top = smaller_from ? top_to : top_from;
    turn_over(trees, moved);
    trees->parent[moved] = stays;
    trees->root[top] = new_top;
    trees->parity[top] = parity;
    trees->n_below[new_top] += trees->n_below[top];
}

/* The cycle that an edge closes, as nodes; 0 if too long or through a node twice. */
static int trace(forest *trees, const int32_t *node_of, const preference *edge, int64_t stamp,
                 mp_cycle *cycle)
{
    int32_t meet = edge->to, back[MP_LONGEST_CYCLE], n_back = 0;
    for (int32_t x = edge->from; x >= 0; x = trees->parent[x])
        trees->mark[x] = stamp;
    while (trees->mark[meet] != stamp) {
        if (n_back == MP_LONGEST_CYCLE)
            return 0;
        back[n_back++] = node_of[meet];
        meet = trees->parent[meet];
    }
    cycle->length = 0;
    for (int32_t x = edge->from;; x = trees->parent[x]) {
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
    for (int32_t i = 0; i < cycle->length; i++)
        for (int32_t j = 0; j < i; j++)
            if (cycle->node[i] == cycle->node[j])
                return 0;
    cycle->gain = edge->size;
    return cycle->length >= 3;
}

/* Smallest and second smallest of n numbers a step apart, and where the smallest is. */
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

/* Preferences of one link that weigh at least least; with preferences NULL only counts them. */
static int64_t list_preferences(const mp_dual *dual, const mp_link *link, double least,
                                const double *table, double *scratch, preference *preferences)
{
    const int32_t rows = mp_states(dual, link->node[0]), cols = mp_states(dual, link->node[1]);
    const int32_t first_u = dual->state_start[link->node[0]],
                  first_v = dual->state_start[link->node[1]];
    double *row1 = scratch, *row2 = scratch + rows, *without = scratch + 2 * rows;
    int64_t n = 0;
    for (int32_t a = 0; a < rows; a++) {
        int32_t where;
        two_smallest(table + (int64_t)a * cols, cols, 1, &row1[a], &row2[a], &where);
    }
    for (int32_t b = 0; b < cols; b++) {
        double column1, column2, rest1, rest2;
        int32_t column_where, rest_where;
        for (int32_t a = 0; a < rows; a++) /* the best of row a outside column b */
            without[a] = table[(int64_t)a * cols + b] == row1[a]
                             ? row2[a]
                             : row1[a]; /* equal twice: row2 is row1 */
        two_smallest(table + b, rows, cols, &column1, &column2, &column_where);
        two_smallest(without, rows, 1, &rest1, &rest2, &rest_where);
        for (int32_t a = 0; a < rows; a++) {
            const double here = table[(int64_t)a * cols + b],
                         elsewhere = a == rest_where ? rest2 : rest1;
            const double agree = smaller(here, elsewhere),
                         differ = smaller(without[a], a == column_where ? column2 : column1);
            if (!isfinite(agree) || !isfinite(differ) || fabs(differ - agree) < least)
                continue;
            if (preferences)
                preferences[n] = (preference){.size = fabs(differ - agree),
                                              .from = first_u + a,
                                              .to = first_v + b,
                                              .differ = differ < agree};
            n++;
        }
    }
    return n;
}

static int by_size(const void *x, const void *y)
{
    const preference *p = x, *q = y;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return (p->to > q->to) - (p->to < q->to);
}

int32_t mp_odd_cycles(const mp_dual *dual, double least, double *table, mp_cycle *cycles,
                      int32_t most)
{
    gm_pool pool = {0};
    forest trees;
    int32_t *node_of, found = 0, most_states = 1;
    int64_t n_preferences = 0;
    double *scratch;
    preference *preferences = NULL;
    for (int32_t u = 0; u < dual->n_nodes; u++)
        most_states = mp_states(dual, u) > most_states ? mp_states(dual, u) : most_states;
    GM_TAKE(&pool, dual->n_states, trees.root);
    GM_TAKE(&pool, dual->n_states, trees.parity);
    GM_TAKE(&pool, dual->n_states, trees.n_below);
    GM_TAKE(&pool, dual->n_states, trees.parent);
    GM_TAKE(&pool, dual->n_states, trees.mark);
    GM_TAKE(&pool, dual->n_states, node_of);
    GM_TAKE(&pool, 3 * (int64_t)most_states, scratch);
    if (pool.failed)
        goto done;
    for (int pass = 0; pass < 2; pass++) { /* count, then store */
        int64_t n = 0;
        for (int32_t e = 0; e < dual->n_links; e++) {
            mp_link_table(dual, &dual->link[e], table);
            n += list_preferences(dual, &dual->link[e], least, table, scratch,
                                  preferences ? preferences + n : NULL);
        }
        n_preferences = n;
        if (!preferences)
            GM_TAKE(&pool, n_preferences + 1, preferences);
        if (pool.failed)
            goto done;
    }
    qsort(preferences, (size_t)n_preferences, sizeof *preferences, by_size);
    for (int32_t u = 0; u < dual->n_nodes; u++)
        for (int32_t x = dual->state_start[u]; x < dual->state_start[u + 1]; x++) {
            node_of[x] = u;
            trees.root[x] = x;
            trees.n_below[x] = 1;
            trees.parent[x] = -1;
        }
    for (int64_t k = 0; k < n_preferences && found < most; k++) {
        uint8_t parity_from, parity_to;
        const int32_t top_from = find(&trees, preferences[k].from, &parity_from),
                      top_to = find(&trees, preferences[k].to, &parity_to);
        const uint8_t parity = (uint8_t)(parity_from ^ parity_to ^ preferences[k].differ);
        if (top_from != top_to)
            join(&trees, &preferences[k], top_from, top_to, parity);
        else if (parity)
            found += trace(&trees, node_of, &preferences[k], k + 1, &cycles[found]);
    }
done:
    gm_pool_free(&pool);
    return found;
}
