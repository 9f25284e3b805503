/* The transforms `bijective` and `nonpositive` (core/transforms.py) in C, for many small models. */
#include "baselines/extended.h"
#include "base/csr.h"

#include <math.h>
#include <string.h>

/* Edges of at most this absolute cost are dropped, as by TINY in core/transforms.py. */
static const double TINY = 1e-8;

/* `bijective` for a model that need not be complete: label s gets a copy, node n1 + s, and node i
 * gets a copy, label n2 + i. A node or label stays unmatched by being matched to its copy, at cost
 * 0. In the order of candidates, (right, left), that of label s and its copy comes last of its
 * label, so candidate k becomes k + right[k], and edges stay sorted. */
static int add_copies(gm_extended *e, const gm_model *model)
{
    const int32_t n1 = model->n1, n2 = model->n2, n = n1 + n2, N = model->n_candidates;
    int32_t *left, *right, *a, *b;
    double *cost;
    GM_TAKE(&e->pool, N + n, left);
    GM_TAKE(&e->pool, N + n, right);
    GM_TAKE(&e->pool, N + n, cost);
    GM_TAKE(&e->pool, model->n_edges, a);
    GM_TAKE(&e->pool, model->n_edges, b);
    if (e->pool.failed)
        return GM_ENOMEM;
    int32_t k = 0;
    int32_t made = 0; /* candidates so far; costs of those with a copy stay 0 */
    for (int32_t s = 0; s < n2; s++) {
        for (; k < N && model->right[k] == s; k++, made++) {
            left[made] = model->left[k];
            right[made] = s;
            cost[made] = model->cost[k];
        }
        left[made] = n1 + s;
        right[made++] = s;
    }
    for (int32_t i = 0; i < n1; i++, made++) {
        left[made] = i;
        right[made] = n2 + i;
    }
    for (int64_t j = 0; j < model->n_edges; j++) {
        a[j] = model->a[j] + model->right[model->a[j]];
        b[j] = model->b[j] + model->right[model->b[j]];
    }
    e->model.n1 = e->model.n2 = n;
    e->model.n_candidates = N + n;
    e->model.left = left;
    e->model.right = right;
    e->model.cost = cost;
    e->model.a = a;
    e->model.b = b;
    e->row = n1;
    e->col = n2;
    return GM_OK;
}

static int has_positive(int64_t n, const double *x)
{
    for (int64_t k = 0; k < n; k++)
        if (x[k] > 0.0)
            return 1;
    return 0;
}

/* ---- `nonpositive`: for each node its largest positive cost is subtracted from all its
 * candidates, for each pair of nodes their largest positive edge cost from all pairs of their
 * candidates. */

/* The side whose nodes these are; `other` is the opposite one. */
typedef struct side {
    const int32_t *node, *other; /* of each candidate */
    int32_t *start, *member;     /* candidates of each node */
    double *most;                /* per node: its largest positive cost, or 0 */
    double *most_pair;           /* n x n, pairs of nodes i < j: largest positive edge cost, or 0 */
} side;

/* Whether no matching has both candidates. */
static int conflicting(const side *S, int32_t p, int32_t q)
{
    return S->node[p] == S->node[q] || S->other[p] == S->other[q];
}

/* The entry of most_pair for the nodes of two candidates. */
static double *of_pair(const side *S, int32_t n, int32_t p, int32_t q)
{
    const int32_t i = S->node[p], j = S->node[q];
    return S->most_pair + (i < j ? (int64_t)i * n + j : (int64_t)j * n + i);
}

static void find_largest(const gm_model *m, const side *S)
{
    for (int32_t k = 0; k < m->n_candidates; k++)
        S->most[S->node[k]] = fmax(S->most[S->node[k]], m->cost[k]);
    for (int64_t e = 0; e < m->n_edges; e++)
        if (m->edge_cost[e] > 0.0 && !conflicting(S, m->a[e], m->b[e])) {
            double *most = of_pair(S, m->n1, m->a[e], m->b[e]);
            *most = fmax(*most, m->edge_cost[e]);
        }
}

/* An upper bound on the edges that subtracting adds. */
static int64_t count_new_edges(const gm_model *m, const side *S)
{
    int64_t count = 0;
    for (int32_t i = 0; i < m->n1; i++)
        for (int32_t j = i + 1; j < m->n1; j++)
            if (S->most_pair[(int64_t)i * m->n1 + j] > 0.0)
                count += (int64_t)(S->start[i + 1] - S->start[i]) * (S->start[j + 1] - S->start[j]);
    return count;
}

/* Edges under construction. */
typedef struct edge_list {
    int32_t *a, *b;
    double *cost;
    int64_t n;
} edge_list;

static void add_edge(edge_list *edges, int32_t a, int32_t b, double cost)
{
    edges->a[edges->n] = a;
    edges->b[edges->n] = b;
    edges->cost[edges->n++] = cost;
}

/* The edges of the model, but those positive ones that no matching pays. */
static void copy_edges(const gm_model *m, const side *S, edge_list *edges)
{
    for (int64_t e = 0; e < m->n_edges; e++)
        if (!(m->edge_cost[e] > 0.0 && conflicting(S, m->a[e], m->b[e])))
            add_edge(edges, m->a[e], m->b[e], m->edge_cost[e]);
}

/* For each pair of nodes with a positive edge cost: minus the largest, on all pairs of candidates.
 */
static void subtract_largest(int32_t n, const side *S, edge_list *edges)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            const double most = S->most_pair[(int64_t)i * n + j];
            if (!(most > 0.0))
                continue;
            for (int32_t p = S->start[i]; p < S->start[i + 1]; p++)
                for (int32_t q = S->start[j]; q < S->start[j + 1]; q++)
                    if (S->other[S->member[p]] != S->other[S->member[q]])
                        add_edge(edges, S->member[p], S->member[q], -most);
        }
}

static void drop_tiny(edge_list *edges)
{
    const int64_t n = edges->n;
    edges->n = 0;
    for (int64_t k = 0; k < n; k++)
        if (fabs(edges->cost[k]) > TINY)
            add_edge(edges, edges->a[k], edges->b[k], edges->cost[k]);
}

/* The transform `nonpositive`. */
static int make_nonpositive(gm_extended *e)
{
    gm_model *m = &e->model;
    const int32_t n = m->n1, N = m->n_candidates;
    /* row = 0: every left node may take the added labels, without a candidate. Then the right side
     * is used: all pairs of an original label are candidates. */
    const int by_label = e->row == 0;
    side S = {.node = by_label ? m->right : m->left, .other = by_label ? m->left : m->right};
    double *unary;
    GM_TAKE(&e->pool, n + 1, S.start);
    GM_TAKE(&e->pool, N, S.member);
    GM_TAKE(&e->pool, n, S.most);
    GM_TAKE(&e->pool, (int64_t)n * n, S.most_pair);
    GM_TAKE(&e->pool, N, unary);
    if (e->pool.failed)
        return GM_ENOMEM;
    gm_csr_group(n, N, S.node, S.start, S.member);
    find_largest(m, &S);
    for (int32_t k = 0; k < N; k++)
        unary[k] = m->cost[k] - S.most[S.node[k]];

    const int64_t room = m->n_edges + count_new_edges(m, &S);
    edge_list edges = {.n = 0};
    GM_TAKE(&e->pool, room, edges.a);
    GM_TAKE(&e->pool, room, edges.b);
    GM_TAKE(&e->pool, room, edges.cost);
    if (e->pool.failed)
        return GM_ENOMEM;
    copy_edges(m, &S, &edges);
    subtract_largest(n, &S, &edges);
    if (gm_sort_edges(N, edges.n, NULL, edges.a, edges.b, edges.cost, &edges.n) != GM_OK)
        return GM_ENOMEM;
    drop_tiny(&edges);
    m->cost = unary;
    m->a = edges.a;
    m->b = edges.b;
    m->edge_cost = edges.cost;
    m->n_edges = edges.n;
    return GM_OK;
}

int gm_extend(gm_extended *extended, const gm_model *model)
{
    memset(extended, 0, sizeof *extended);
    const int32_t n1 = model->n1, n2 = model->n2;
    extended->model = *model;
    extended->model.complete = 1;
    if (!model->complete) {
        if (add_copies(extended, model) != GM_OK)
            return GM_ENOMEM;
    } else { /* the smaller side gets as many nodes as it lacks, which may be matched to any */
        extended->model.n1 = extended->model.n2 = n1 > n2 ? n1 : n2;
        extended->row = n1 > n2 ? 0 : n1;
        extended->col = n1 < n2 ? 0 : n2;
    }
    const gm_model *made = &extended->model;
    if (!has_positive(made->n_candidates, made->cost) &&
        !has_positive(made->n_edges, made->edge_cost))
        return GM_OK;
    return make_nonpositive(extended);
}

void gm_extended_clear(gm_extended *extended)
{
    gm_pool_free(&extended->pool);
}
