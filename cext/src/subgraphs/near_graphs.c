/* Edit distances of a query to graphs of a list, as far as a depth-first search decides them. */
#include "subgraphs/edit_search.h"
#include "subgraphs/graph_list.h"

enum { MOST_NODES = 128, MOST_EDGES = MOST_NODES * MOST_NODES }; /* more edges: some are parallel */

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A cost that is no int32_t does not fit in any case: edit_costs_fit says so. */
static int32_t shorten(int64_t cost)
{
    return cost < INT32_MAX ? (int32_t)cost : INT32_MAX;
}

/* Divides the costs by their greatest common divisor and returns it. Relabelling costs no more than
 * deleting and inserting: the caller ensures it for nodes, and for edges both can be done at any
 * pair. */
static int64_t set_scale(edit_search *s, const gm_graph_list *list, const int64_t *cost)
{
    const int64_t half_relabel = cost[3] < 2 * cost[2] ? cost[3] : 2 * cost[2];
    const int64_t common = divisor(divisor(cost[0], cost[1]), divisor(cost[2], half_relabel));
    const int64_t scale = common > 0 ? common : 1;
    s->directed = list->directed;
    s->n_kinds = list->n_kinds;
    s->node = shorten(cost[0] / scale);
    s->relabel = shorten(cost[1] / scale);
    s->half = shorten(cost[2] / scale);
    s->half_relabel = shorten(half_relabel / scale);
    s->unit = divisor(divisor(s->node, s->relabel), 2 * divisor(s->half, s->half_relabel));
    s->unit = s->unit > 0 ? s->unit : 1;
    return scale;
}

/* The distance of the two sides as edit_search_run gives it, in the unit of the costs. */
static int64_t find_distance(edit_search *s, int64_t scale, const gm_near_options *options)
{
    const int64_t limit = options->limit < 0 ? -1 : options->limit / scale;
    const int64_t found = edit_search_run(s, limit, options->max_work);
    return found < 0 ? found : found * scale;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int gm_edit_distances(const gm_graph_list *list, const gm_labelled_graph *query,
                      const int64_t *cost, const gm_near_options *options, const int32_t *chosen,
                      int32_t n_chosen, int64_t *distance)
{
    const double start = gm_clock();
    const sub_sizes most = sub_largest(list);
    const int32_t nodes = larger(most.nodes, query->n_nodes);
    const int32_t edges = larger(most.edges, query->n_edges);
    gm_pool pool = {0};
    edit_search s = {0};
    int32_t done = 0;
    const int64_t scale = set_scale(&s, list, cost);
    edit_search_take(&s, &pool, lesser(nodes, MOST_NODES), lesser(edges, MOST_EDGES));
    const int failed = pool.failed;
    const int fits =
        !failed && query->n_nodes <= MOST_NODES && edit_list_side(&s, &s.sides[0], query);
    for (; !failed && done < n_chosen && (done == 0 || gm_clock() - start < options->seconds);
         done++) {
        const gm_labelled_graph graph = sub_listed_graph(list, chosen[done]);
        const int known =
            fits && graph.n_nodes <= MOST_NODES && edit_list_side(&s, &s.sides[1], &graph);
        distance[done] = known ? find_distance(&s, scale, options) : EDIT_OPEN;
    }
    gm_pool_free(&pool);
    return failed ? GM_ENOMEM : done;
}

/* The best map as labels of the first side. */
static void label_first(const edit_search *s, int32_t *labels)
{
    const int swapped = s->first != &s->sides[0];
    for (int32_t u = 0; u < s->sides[0].graph.n_nodes; u++)
        labels[u] = -1;
    for (int32_t u = 0; u < s->first->graph.n_nodes; u++)
        labels[swapped ? s->best_map[u] : u] = swapped ? u : s->best_map[u];
}

int gm_edit_map(const gm_graph_list *pair, const int64_t *cost, const gm_near_options *options,
                int32_t *labels, int64_t *found)
{
    const sub_sizes most = sub_largest(pair);
    gm_pool pool = {0};
    edit_search s = {0};
    found[0] = EDIT_OPEN;
    if (most.nodes > MOST_NODES)
        return GM_OK;
    const int64_t scale = set_scale(&s, pair, cost);
    edit_search_take(&s, &pool, most.nodes, lesser(most.edges, MOST_EDGES));
    int fits = !pool.failed;
    for (int32_t k = 0; k < 2 && fits; k++) {
        const gm_labelled_graph graph = sub_listed_graph(pair, k);
        fits = edit_list_side(&s, &s.sides[k], &graph);
    }
    if (fits)
        found[0] = found[1] = find_distance(&s, scale, options);
    if (found[0] == EDIT_MORE)
        found[1] = edit_root_bound(&s) * scale;
    if (found[0] != EDIT_OPEN) {
        found[2] = edit_best_cost(&s) * scale;
        label_first(&s, labels);
    }
    const int failed = pool.failed;
    gm_pool_free(&pool);
    return failed ? GM_ENOMEM : GM_OK;
}
