/* Bounds that exclude most graphs of a list for a query, without any search.
 *
 * Edit distances, by labels: of two multisets of nodes, of n1 and n2 members and c in common, at
 * least
 *     min(r1, r2) min(relabel, 2 node) + |r1 - r2| node,    r1 = n1 - c, r2 = n2 - c
 * is paid, and the same holds for edges. By branches (Zheng, Zou, Lian, Wang and Zhao, TKDE 2015):
 * a node with its half edges becomes another node with its half edges. The cheapest assignment of
 * branches costs no more than an edit path: every edge of the path is paid at both of its ends.
 */
#include "assignment/jv.h"
#include "base/pool.h"
#include "subgraphs/graph_list.h"

#include <string.h>

/* One graph of the list, or the query. */
typedef struct branches {
    gm_labelled_graph graph;
    int32_t *start; /* [n_nodes + 1] half edges of each node, in `code` */
    int32_t *code;  /* [2 n_edges] kind and direction, ascending for each node */
    int64_t *edge;  /* [n_edges] kind and types of the ends, ascending */
    int64_t *node;  /* [n_nodes] type and degree, ascending */
} branches;

/* A list and a query, and memory for the branches of the query and of one graph at a time. */
typedef struct comparison {
    const gm_graph_list *list;
    gm_pool pool;
    branches asked, other;
    int32_t *filled; /* [most nodes] */
} comparison;

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- lists */

/* Shell sort: lists are short. */
static void sort_numbers(int64_t *x, int64_t n)
{
    for (int64_t gap = n / 2; gap > 0; gap = gap > 2 ? gap * 5 / 11 : gap - 1)
        for (int64_t i = gap; i < n; i++) {
            const int64_t moved = x[i];
            int64_t j = i;
            for (; j >= gap && x[j - gap] > moved; j -= gap)
                x[j] = x[j - gap];
            x[j] = moved;
        }
}

static int64_t count_common(const int64_t *x, int64_t n, const int64_t *y, int64_t m)
{
    int64_t common = 0;
    for (int64_t i = 0, j = 0; i < n && j < m;) {
        common += x[i] == y[j];
        const int forward = x[i] <= y[j];
        j += y[j] <= x[i];
        i += forward;
    }
    return common;
}

static void take_branches(branches *b, gm_pool *pool, sub_sizes most)
{
    GM_TAKE(pool, most.nodes + 1, b->start);
    GM_TAKE(pool, 2 * (int64_t)most.edges, b->code);
    GM_TAKE(pool, most.edges, b->edge);
    GM_TAKE(pool, most.nodes, b->node);
}

/* Takes the memory; c->other is set by look_at. */
static void open_comparison(comparison *c, const gm_graph_list *list,
                            const gm_labelled_graph *query)
{
    const sub_sizes most = sub_largest(list);
    *c = (comparison){.list = list, .asked.graph = *query};
    take_branches(&c->asked, &c->pool, (sub_sizes){query->n_nodes, query->n_edges});
    take_branches(&c->other, &c->pool, most);
    GM_TAKE(&c->pool, most.nodes > query->n_nodes ? most.nodes : query->n_nodes, c->filled);
}

static void look_at(comparison *c, int32_t g)
{
    c->other.graph = sub_listed_graph(c->list, g);
}

/* Gives the memory back; GM_OK or GM_ENOMEM. */
static int close_comparison(comparison *c)
{
    const int status = c->pool.failed ? GM_ENOMEM : GM_OK;
    gm_pool_free(&c->pool);
    return status;
}

/* Kinds of half edges: of edges that leave, that arrive, of both ends of undirected ones, of loops.
 */
static void half_codes(const gm_graph_list *list, const gm_labelled_graph *b, int32_t e,
                       int32_t *codes)
{
    const int32_t kinds = list->n_kinds;
    codes[0] = codes[1] = b->kind[e];
    if (b->tail[e] == b->head[e])
        codes[0] = codes[1] = b->kind[e] + 2 * kinds;
    else if (list->directed)
        codes[1] += kinds;
}

static void insert_code(branches *b, int32_t *filled, int32_t u, int32_t code)
{
    int32_t k = b->start[u] + filled[u]++;
    for (; k > b->start[u] && b->code[k - 1] > code; k--)
        b->code[k] = b->code[k - 1];
    b->code[k] = code;
}

static void list_half_edges(comparison *c, branches *b)
{
    const gm_labelled_graph *graph = &b->graph;
    memset(b->start, 0, sizeof *b->start * (size_t)(graph->n_nodes + 1));
    memset(c->filled, 0, sizeof *c->filled * (size_t)graph->n_nodes);
    for (int32_t e = 0; e < graph->n_edges; e++) {
        b->start[graph->tail[e] + 1]++;
        b->start[graph->head[e] + 1]++;
    }
    for (int32_t u = 0; u < graph->n_nodes; u++)
        b->start[u + 1] += b->start[u];
    for (int32_t e = 0; e < graph->n_edges; e++) {
        int32_t codes[2];
        half_codes(c->list, graph, e, codes);
        insert_code(b, c->filled, graph->tail[e], codes[0]);
        insert_code(b, c->filled, graph->head[e], codes[1]);
    }
}

/* Edges by the types of their ends and their kind. */
static void list_edges(const gm_graph_list *list, branches *b)
{
    const gm_labelled_graph *graph = &b->graph;
    for (int32_t e = 0; e < graph->n_edges; e++) {
        int64_t t = graph->type[graph->tail[e]], h = graph->type[graph->head[e]];
        if (!list->directed && t > h) {
            const int64_t other = t;
            t = h;
            h = other;
        }
        const int64_t loop = graph->tail[e] == graph->head[e];
        b->edge[e] = (((t * list->n_types + h) * list->n_kinds + graph->kind[e]) << 1) + loop;
    }
    sort_numbers(b->edge, graph->n_edges);
}

/* ---- edit distances */

static int64_t multiset_cost(int64_t n1, int64_t n2, int64_t common, int64_t single,
                             int64_t relabel)
{
    const int64_t few = lesser(n1, n2) - common, more = n1 > n2 ? n1 - n2 : n2 - n1;
    return few * lesser(relabel, 2 * single) + more * single;
}

/* How many of two multisets of small numbers are common; count is all 0 before and after. */
static int64_t common_counts(const int32_t *x, int32_t n, const int32_t *y, int32_t m,
                             int32_t *count)
{
    int64_t common = 0;
    for (int32_t k = 0; k < n; k++)
        count[x[k]]++;
    for (int32_t k = 0; k < m; k++)
        if (count[y[k]] > 0) {
            count[y[k]]--;
            common++;
        }
    for (int32_t k = 0; k < n; k++)
        count[x[k]] = 0;
    return common;
}

static int64_t label_bound(const gm_labelled_graph *a, const gm_labelled_graph *b,
                           const int64_t *cost, int32_t *count)
{
    const int64_t nodes = common_counts(a->type, a->n_nodes, b->type, b->n_nodes, count);
    const int64_t edges = common_counts(a->kind, a->n_edges, b->kind, b->n_edges, count);
    return multiset_cost(a->n_nodes, b->n_nodes, nodes, cost[0], cost[1]) +
           2 * multiset_cost(a->n_edges, b->n_edges, edges, cost[2], cost[3]);
}

/* Cost to turn the half edges of node u into those of node v. */
static int64_t half_edge_cost(const branches *a, int32_t u, const branches *b, int32_t v,
                              const int64_t *cost)
{
    const int32_t *x = a->code + a->start[u], *y = b->code + b->start[v];
    const int32_t n = a->start[u + 1] - a->start[u], m = b->start[v + 1] - b->start[v];
    int64_t common = 0;
    for (int32_t i = 0, j = 0; i < n && j < m;) {
        if (x[i] == y[j]) {
            common++;
            i++;
            j++;
        } else if (x[i] < y[j]) {
            i++;
        } else {
            j++;
        }
    }
    return multiset_cost(n, m, common, cost[2], cost[3]);
}

static int64_t whole_branch(const branches *b, int32_t u, const int64_t *cost)
{
    return cost[0] + (b->start[u + 1] - b->start[u]) * cost[2];
}

typedef struct assignment {
    int64_t *cost, *u, *v, *scratch;
    int32_t *col_of, *row_of;
} assignment;

/* The cheapest assignment of branches, which may also be deleted and inserted: a pair costs
 * no more than both. */
static int64_t branch_bound(const branches *a, const branches *b, const int64_t *cost,
                            const assignment *memory)
{
    const gm_labelled_graph *first = &a->graph, *second = &b->graph;
    const int32_t n = first->n_nodes > second->n_nodes ? first->n_nodes : second->n_nodes;
    for (int32_t i = 0; i < n; i++)
        for (int32_t s = 0; s < n; s++) {
            const int64_t del = i < first->n_nodes ? whole_branch(a, i, cost) : 0;
            const int64_t ins = s < second->n_nodes ? whole_branch(b, s, cost) : 0;
            int64_t pair = del + ins;
            if (i < first->n_nodes && s < second->n_nodes) {
                const int64_t relabel = first->type[i] == second->type[s] ? 0 : cost[1];
                pair = lesser(pair, relabel + half_edge_cost(a, i, b, s, cost));
            }
            memory->cost[(int64_t)i * n + s] = pair;
        }
    if (n == 0)
        return 0;
    gm_jv(n, memory->cost, memory->col_of, memory->row_of, memory->u, memory->v, memory->scratch,
          NULL);
    int64_t sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += memory->cost[(int64_t)i * n + memory->col_of[i]];
    return sum;
}

static void take_assignment(assignment *memory, gm_pool *pool, int64_t n)
{
    GM_TAKE(pool, n * n, memory->cost);
    GM_TAKE(pool, n, memory->u);
    GM_TAKE(pool, n, memory->v);
    GM_TAKE(pool, 5 * n + 5, memory->scratch);
    GM_TAKE(pool, n, memory->col_of);
    GM_TAKE(pool, n, memory->row_of);
}

int gm_edit_bounds(const gm_graph_list *list, const gm_labelled_graph *query, const int64_t *cost,
                   int64_t limit, int64_t *bound)
{
    comparison c;
    assignment memory;
    int32_t *count;
    const int32_t most = sub_largest(list).nodes;
    open_comparison(&c, list, query);
    take_assignment(&memory, &c.pool, most > query->n_nodes ? most : query->n_nodes);
    GM_TAKE(&c.pool, list->n_types > list->n_kinds ? list->n_types : list->n_kinds, count);
    if (!c.pool.failed) {
        list_half_edges(&c, &c.asked);
        for (int32_t g = 0; g < list->n_graphs; g++) {
            look_at(&c, g);
            bound[g] = label_bound(&c.asked.graph, &c.other.graph, cost, count);
            if (bound[g] > limit)
                continue;
            list_half_edges(&c, &c.other);
            const int64_t closer = branch_bound(&c.asked, &c.other, cost, &memory);
            bound[g] = closer > bound[g] ? closer : bound[g];
        }
    }
    return close_comparison(&c);
}

/* ---- common and contained subgraphs */

static int32_t count_common_edges(const comparison *c)
{
    return (int32_t)count_common(c->asked.edge, c->asked.graph.n_edges, c->other.edge,
                                 c->other.graph.n_edges);
}

int gm_common_bounds(const gm_graph_list *list, const gm_labelled_graph *query, int32_t *most)
{
    comparison c;
    open_comparison(&c, list, query);
    if (!c.pool.failed) {
        list_edges(list, &c.asked);
        for (int32_t g = 0; g < list->n_graphs; g++) {
            look_at(&c, g);
            list_edges(list, &c.other);
            most[g] = count_common_edges(&c);
        }
    }
    return close_comparison(&c);
}

/* Nodes by type and, among those, by descending degree. */
static void list_nodes(branches *b)
{
    const gm_labelled_graph *graph = &b->graph;
    const int64_t width = 2 * (int64_t)graph->n_edges + 1;
    for (int32_t u = 0; u < graph->n_nodes; u++)
        b->node[u] = 0;
    for (int32_t e = 0; e < graph->n_edges; e++) {
        b->node[graph->tail[e]]--;
        b->node[graph->head[e]]--;
    }
    for (int32_t u = 0; u < graph->n_nodes; u++)
        b->node[u] += width * (graph->type[u] + 1);
    sort_numbers(b->node, graph->n_nodes);
}

/* Whether the k-th node of each type, by degree, has no more half edges than that of the other. */
static int nodes_fit(const branches *a, const branches *b)
{
    const int64_t wide_a = 2 * (int64_t)a->graph.n_edges + 1,
                  wide_b = 2 * (int64_t)b->graph.n_edges + 1;
    int32_t s = 0;
    for (int32_t k = 0; k < a->graph.n_nodes; k++, s++) {
        const int64_t type = (a->node[k] + wide_a - 1) / wide_a;
        while (s < b->graph.n_nodes && (b->node[s] + wide_b - 1) / wide_b < type)
            s++;
        if (s == b->graph.n_nodes || (b->node[s] + wide_b - 1) / wide_b > type ||
            type * wide_a - a->node[k] > type * wide_b - b->node[s])
            return 0;
    }
    return 1;
}

int gm_contained_filter(const gm_graph_list *list, const gm_labelled_graph *query, int32_t *may)
{
    comparison c;
    open_comparison(&c, list, query);
    if (!c.pool.failed) {
        list_edges(list, &c.asked);
        list_nodes(&c.asked);
        for (int32_t g = 0; g < list->n_graphs; g++) {
            look_at(&c, g);
            may[g] = 0;
            if (c.other.graph.n_nodes < query->n_nodes || c.other.graph.n_edges < query->n_edges)
                continue;
            list_edges(list, &c.other);
            list_nodes(&c.other);
            may[g] = nodes_fit(&c.asked, &c.other) && count_common_edges(&c) == query->n_edges;
        }
    }
    return close_comparison(&c);
}
