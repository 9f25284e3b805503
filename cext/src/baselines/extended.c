/* The transforms of the classic baselines for one small model, without Python. */
#include "baselines/extended.h"
#include "base/csr.h"

#include <math.h>
#include <string.h>

static const double TINY = 1e-8; /* core/transforms.py: edges of at most this cost are dropped */

/* Not complete: a copy n1 + s of each label and a copy n2 + i of each node; leaving i or s free is
 * matching it to its copy. The copy of label s comes last in its column, so candidate k moves on
 * by right[k] and edges stay sorted. */
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
    int32_t k = 0, made = 0;
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

/* One side of the candidates: the nodes whose largest costs are taken off, and all pairs of
 * candidates of two such nodes. */
typedef struct side {
    const int32_t *node, *other; /* of each candidate */
    int32_t *start, *member;     /* candidates of each node */
    double *most;                /* per node: largest positive unary cost, or 0 */
    double *most_pair;           /* n x n, first < second: largest positive edge cost, or 0 */
} side;

static int conflicting(const side *S, int32_t p, int32_t q)
{
    return S->node[p] == S->node[q] || S->other[p] == S->other[q];
}

/* Where the largest cost of the two nodes of a pair of candidates stands. */
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

static int64_t count_new_edges(const gm_model *m, const side *S)
{
    int64_t count = 0;
    for (int32_t i = 0; i < m->n1; i++)
        for (int32_t j = i + 1; j < m->n1; j++)
            if (S->most_pair[(int64_t)i * m->n1 + j] > 0.0)
                count += (int64_t)(S->start[i + 1] - S->start[i]) * (S->start[j + 1] - S->start[j]);
    return count;
}

/* Each node's largest positive unary cost is taken off all its candidates, each pair of nodes'
 * largest positive edge cost off all its pairs of candidates; positive edges that no matching pays
 * are left out. */
static int take_off(gm_extended *e)
{
    gm_model *m = &e->model;
    const int32_t n = m->n1, N = m->n_candidates;
    /* free labels that serve every left node: the right side has no free nodes */
    const int other_side = e->row == 0;
    side S = {
        other_side ? m->right : m->left, other_side ? m->left : m->right, NULL, NULL, NULL, NULL};
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
    int32_t *a, *b;
    double *cost;
    GM_TAKE(&e->pool, room, a);
    GM_TAKE(&e->pool, room, b);
    GM_TAKE(&e->pool, room, cost);
    if (e->pool.failed)
        return GM_ENOMEM;
    int64_t made = 0;
    for (int64_t k = 0; k < m->n_edges; k++) {
        if (m->edge_cost[k] > 0.0 && conflicting(&S, m->a[k], m->b[k]))
            continue;
        a[made] = m->a[k];
        b[made] = m->b[k];
        cost[made++] = m->edge_cost[k];
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            const double most = S.most_pair[(int64_t)i * n + j];
            if (!(most > 0.0))
                continue;
            for (int32_t p = S.start[i]; p < S.start[i + 1]; p++)
                for (int32_t q = S.start[j]; q < S.start[j + 1]; q++) {
                    if (S.other[S.member[p]] == S.other[S.member[q]])
                        continue;
                    a[made] = S.member[p];
                    b[made] = S.member[q];
                    cost[made++] = -most;
                }
        }
    int64_t distinct;
    if (gm_sort_edges(N, made, NULL, a, b, cost, &distinct) != GM_OK)
        return GM_ENOMEM;
    int64_t kept = 0;
    for (int64_t k = 0; k < distinct; k++) {
        if (!(fabs(cost[k]) > TINY))
            continue;
        a[kept] = a[k];
        b[kept] = b[k];
        cost[kept++] = cost[k];
    }
    m->cost = unary;
    m->a = a;
    m->b = b;
    m->edge_cost = cost;
    m->n_edges = kept;
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
    } else {
        extended->model.n1 = extended->model.n2 = n1 > n2 ? n1 : n2;
        extended->row = n1 > n2 ? 0 : n1;
        extended->col = n1 < n2 ? 0 : n2;
    }
    const gm_model *made = &extended->model;
    if (!has_positive(made->n_candidates, made->cost) &&
        !has_positive(made->n_edges, made->edge_cost))
        return GM_OK;
    return take_off(extended);
}

void gm_extended_clear(gm_extended *extended)
{
    gm_pool_free(&extended->pool);
}
