/* Plain backtracking; see first_guess.h. */
#include "subgraphs/first_guess.h"

typedef struct guess {
    const sub_candidates *c;
    int32_t *order;  /* [n1] nodes of the pattern */
    int32_t *before; /* [n1] a neighbour that comes earlier, of the k-th node; -1: none */
    int64_t *next;   /* [n1] the next candidate to try, of the k-th node */
    int32_t *map;    /* [n1] */
    int32_t *used;   /* [n2] */
    int64_t steps;
} guess;

/* Lists the nodes of the pattern: the largest degree first, then always one with the most listed
 * neighbours, of several the one of largest degree. */
static void order_nodes(guess *g, int32_t *listed_near)
{
    const sub_neighbours *near = &g->c->first;
    for (int32_t k = 0; k < near->n_nodes; k++) {
        int32_t best = -1;
        for (int32_t u = 0; u < near->n_nodes; u++)
            if (listed_near[u] >= 0 && (best < 0 || listed_near[u] > listed_near[best] ||
                                        (listed_near[u] == listed_near[best] &&
                                         sub_degree(near, u) > sub_degree(near, best))))
                best = u;
        g->order[k] = best;
        g->before[k] = -1;
        for (int64_t m = near->start[best]; m < near->start[best + 1]; m++) {
            const int32_t v = near->node[m];
            if (listed_near[v] >= 0)
                listed_near[v]++;
            else if (v != best)
                g->before[k] = v;
        }
        listed_near[best] = -1;
    }
}

/* Whether node u of the pattern may become v, as far as mapped nodes decide. */
static int may_become(const guess *g, int32_t u, int32_t v)
{
    const sub_candidates *c = g->c;
    const sub_neighbours *first = &c->first, *second = &c->second;
    if (g->used[v] || !sub_types_fit(c, u, v) || sub_degree(first, u) > sub_degree(second, v))
        return 0;
    int32_t n_mapped = 0;
    for (int64_t k = first->start[u]; k < first->start[u + 1]; k++) {
        const int32_t image = g->map[first->node[k]];
        if (image < 0)
            continue;
        const int64_t m = sub_find_neighbour(second, v, image);
        if (m < 0 || !sub_edges_fit(c, k, m))
            return 0;
        n_mapped++;
    }
    if (!c->options.induced)
        return 1;
    for (int64_t m = second->start[v]; m < second->start[v + 1]; m++)
        n_mapped -= g->used[second->node[m]];
    return n_mapped == 0; /* v has no other neighbours among the images */
}

/* Maps the k-th node to its next candidate; 0: there is none. */
static int map_next(guess *g, int32_t k)
{
    const sub_neighbours *second = &g->c->second;
    const int32_t u = g->order[k], near = g->before[k];
    const int32_t only = g->c->options.fixed ? g->c->options.fixed[u] : -1;
    const int32_t image = near >= 0 ? g->map[near] : -1;
    const int64_t from = near >= 0 ? second->start[image] : 0;
    const int64_t n = near >= 0 ? second->start[image + 1] - from : second->n_nodes;
    while (g->next[k] < n) {
        const int64_t place = from + g->next[k]++;
        const int32_t v = near >= 0 ? second->node[place] : (int32_t)place;
        g->steps++;
        if ((only >= 0 && v != only) || !may_become(g, u, v))
            continue;
        g->map[u] = v;
        g->used[v] = 1;
        return 1;
    }
    return 0;
}

int sub_first_guess(const sub_candidates *c, int64_t max_steps, int32_t *map)
{
    const int32_t n = c->first.n_nodes;
    gm_pool scratch = {NULL, 0};
    int32_t *listed_near, k = 0;
    guess g = {.c = c, .map = map};
    GM_TAKE(&scratch, n, g.order);
    GM_TAKE(&scratch, n, g.before);
    GM_TAKE(&scratch, n, g.next);
    GM_TAKE(&scratch, n, listed_near);
    GM_TAKE(&scratch, c->second.n_nodes, g.used);
    const int failed = scratch.failed;
    for (int32_t u = 0; u < n; u++)
        map[u] = -1;
    if (!failed)
        order_nodes(&g, listed_near);
    while (!failed && k >= 0 && k < n && g.steps < max_steps) {
        if (map_next(&g, k)) {
            k++;
            continue;
        }
        g.next[k--] = 0;
        if (k >= 0) {
            g.used[map[g.order[k]]] = 0;
            map[g.order[k]] = -1;
        }
    }
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : k == n;
}
