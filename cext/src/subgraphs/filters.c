/* Bounds that tell most graphs of a list apart from a query, without any search.
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
#include "gm.h"

#include <string.h>

/* One graph of the list, or the query. */
typedef struct branches {
    int32_t n_nodes, n_edges;
    const int32_t *type, *tail, *head, *kind;
    int32_t *start; /* [n_nodes + 1] half edges of each node, in `code` */
    int32_t *code;  /* [2 n_edges] kind and direction, ascending for each node */
    int64_t *edge;  /* [n_edges] kind and types of the ends, ascending */
    int64_t *node;  /* [n_nodes] type and degree, ascending */
} branches;

typedef struct sizes {
    int64_t nodes, edges;
} sizes;

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

static void take_branches(branches *b, gm_pool *pool, sizes most)
{
    GM_TAKE(pool, most.nodes + 1, b->start);
    GM_TAKE(pool, 2 * most.edges, b->code);
    GM_TAKE(pool, most.edges, b->edge);
    GM_TAKE(pool, most.nodes, b->node);
}

static sizes largest(const gm_graph_list *list)
{
    sizes most = {0, 0};
    for (int32_t g = 0; g < list->n_graphs; g++) {
        const int64_t n = list->node_start[g + 1] - list->node_start[g];
        const int64_t m = list->edge_start[g + 1] - list->edge_start[g];
        most.nodes = n > most.nodes ? n : most.nodes;
        most.edges = m > most.edges ? m : most.edges;
    }
    return most;
}

static void point_to(branches *b, const gm_graph_list *list, int32_t g)
{
    const int64_t nodes = list->node_start[g], edges = list->edge_start[g];
    b->n_nodes = (int32_t)(list->node_start[g + 1] - nodes);
    b->n_edges = (int32_t)(list->edge_start[g + 1] - edges);
    b->type = list->type + nodes;
    b->tail = list->tail + edges;
    b->head = list->head + edges;
    b->kind = list->kind + edges;
}

static void point_to_query(branches *b, const gm_labelled_graph *query)
{
    b->n_nodes = query->n_nodes;
    b->n_edges = query->n_edges;
    b->type = query->type;
    b->tail = query->tail;
    b->head = query->head;
    b->kind = query->kind;
}

/* Kinds of half edges: of edges that leave, that arrive, of both ends of undirected ones, of loops.
 */
static void half_codes(const gm_graph_list *list, const branches *b, int32_t e, int32_t *codes)
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

static void list_half_edges(const gm_graph_list *list, branches *b, int32_t *filled)
{
    memset(b->start, 0, sizeof *b->start * (size_t)(b->n_nodes + 1));
    memset(filled, 0, sizeof *filled * (size_t)b->n_nodes);
    for (int32_t e = 0; e < b->n_edges; e++) {
        b->start[b->tail[e] + 1]++;
        b->start[b->head[e] + 1]++;
    }
    for (int32_t u = 0; u < b->n_nodes; u++)
        b->start[u + 1] += b->start[u];
    for (int32_t e = 0; e < b->n_edges; e++) {
        int32_t codes[2];
        half_codes(list, b, e, codes);
        insert_code(b, filled, b->tail[e], codes[0]);
        insert_code(b, filled, b->head[e], codes[1]);
    }
}

/* Edges by the types of their ends and their kind. */
static void list_edges(const gm_graph_list *list, branches *b)
{
    for (int32_t e = 0; e < b->n_edges; e++) {
        int64_t t = b->type[b->tail[e]], h = b->type[b->head[e]];
        if (!list->directed && t > h) {
            const int64_t other = t;
            t = h;
            h = other;
        }
        const int64_t loop = b->tail[e] == b->head[e];
        b->edge[e] = (((t * list->n_types + h) * list->n_kinds + b->kind[e]) << 1) + loop;
    }
    sort_numbers(b->edge, b->n_edges);
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

static int64_t label_bound(const branches *a, const branches *b, const int64_t *cost,
                           int32_t *count)
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

/* The cheapest assignment of branches, where one may also be deleted and one inserted: a pair costs
 * no more than both. */
static int64_t branch_bound(const branches *a, const branches *b, const int64_t *cost,
                            const assignment *memory)
{
    const int32_t n = a->n_nodes > b->n_nodes ? a->n_nodes : b->n_nodes;
    for (int32_t i = 0; i < n; i++)
        for (int32_t s = 0; s < n; s++) {
            const int64_t del = i < a->n_nodes ? whole_branch(a, i, cost) : 0;
            const int64_t ins = s < b->n_nodes ? whole_branch(b, s, cost) : 0;
            int64_t pair = del + ins;
            if (i < a->n_nodes && s < b->n_nodes) {
                const int64_t relabel = a->type[i] == b->type[s] ? 0 : cost[1];
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

int gm_edit_bounds(const gm_graph_list *list, const gm_labelled_graph *query, const int64_t *cost,
                   int64_t limit, int64_t *bound)
{
    gm_pool pool = {0};
    branches asked = {0}, other = {0};
    assignment memory = {0};
    int32_t *count, *filled;
    const sizes most = largest(list);
    const int64_t n = most.nodes > query->n_nodes ? most.nodes : query->n_nodes;
    take_branches(&asked, &pool, (sizes){query->n_nodes, query->n_edges});
    take_branches(&other, &pool, most);
    GM_TAKE(&pool, list->n_types > list->n_kinds ? list->n_types : list->n_kinds, count);
    GM_TAKE(&pool, n, filled);
    GM_TAKE(&pool, n * n, memory.cost);
    GM_TAKE(&pool, n, memory.u);
    GM_TAKE(&pool, n, memory.v);
    GM_TAKE(&pool, 5 * n + 5, memory.scratch);
    GM_TAKE(&pool, n, memory.col_of);
    GM_TAKE(&pool, n, memory.row_of);
    if (!pool.failed) {
        point_to_query(&asked, query);
        list_half_edges(list, &asked, filled);
        for (int32_t g = 0; g < list->n_graphs; g++) {
            point_to(&other, list, g);
            bound[g] = label_bound(&asked, &other, cost, count);
            if (bound[g] > limit)
                continue;
            list_half_edges(list, &other, filled);
            const int64_t closer = branch_bound(&asked, &other, cost, &memory);
            bound[g] = closer > bound[g] ? closer : bound[g];
        }
    }
    const int status = pool.failed ? GM_ENOMEM : GM_OK;
    gm_pool_free(&pool);
    return status;
}

/* ---- common and contained subgraphs */

int gm_common_bounds(const gm_graph_list *list, const gm_labelled_graph *query, int32_t *most)
{
    gm_pool pool = {0};
    branches asked = {0}, other = {0};
    take_branches(&asked, &pool, (sizes){query->n_nodes, query->n_edges});
    take_branches(&other, &pool, largest(list));
    if (!pool.failed) {
        point_to_query(&asked, query);
        list_edges(list, &asked);
        for (int32_t g = 0; g < list->n_graphs; g++) {
            point_to(&other, list, g);
            list_edges(list, &other);
            most[g] = (int32_t)count_common(asked.edge, asked.n_edges, other.edge, other.n_edges);
        }
    }
    const int status = pool.failed ? GM_ENOMEM : GM_OK;
    gm_pool_free(&pool);
    return status;
}

/* Nodes by type and, among those, by descending degree. */
static void list_nodes(branches *b)
{
    const int64_t width = 2 * (int64_t)b->n_edges + 1;
    for (int32_t u = 0; u < b->n_nodes; u++)
        b->node[u] = 0;
    for (int32_t e = 0; e < b->n_edges; e++) {
        b->node[b->tail[e]]--;
        b->node[b->head[e]]--;
    }
    for (int32_t u = 0; u < b->n_nodes; u++)
        b->node[u] += width * (b->type[u] + 1);
    sort_numbers(b->node, b->n_nodes);
}

/* Whether the k-th node of each type, by degree, has no more half edges than that of the other. */
static int nodes_fit(const branches *a, const branches *b)
{
    const int64_t wide_a = 2 * (int64_t)a->n_edges + 1, wide_b = 2 * (int64_t)b->n_edges + 1;
    int32_t s = 0;
    for (int32_t k = 0; k < a->n_nodes; k++, s++) {
        const int64_t type = (a->node[k] + wide_a - 1) / wide_a;
        while (s < b->n_nodes && (b->node[s] + wide_b - 1) / wide_b < type)
            s++;
        if (s == b->n_nodes || (b->node[s] + wide_b - 1) / wide_b > type ||
            type * wide_a - a->node[k] > type * wide_b - b->node[s])
            return 0;
    }
    return 1;
}

int gm_contained_filter(const gm_graph_list *list, const gm_labelled_graph *query, int32_t *may)
{
    gm_pool pool = {0};
    branches asked = {0}, other = {0};
    take_branches(&asked, &pool, (sizes){query->n_nodes, query->n_edges});
    take_branches(&other, &pool, largest(list));
    if (!pool.failed) {
        point_to_query(&asked, query);
        list_edges(list, &asked);
        list_nodes(&asked);
        for (int32_t g = 0; g < list->n_graphs; g++) {
            point_to(&other, list, g);
            may[g] = 0;
            if (other.n_nodes < asked.n_nodes || other.n_edges < asked.n_edges)
                continue;
            list_edges(list, &other);
            list_nodes(&other);
            may[g] =
                nodes_fit(&asked, &other) &&
                count_common(asked.edge, asked.n_edges, other.edge, other.n_edges) == asked.n_edges;
        }
    }
    const int status = pool.failed ? GM_ENOMEM : GM_OK;
    gm_pool_free(&pool);
    return status;
}
