/* Reweighted random walks (Cho, Lee and Lee, ECCV 2010) from a model to its labels, for many small
 * problems, like solvers/rrwm.py and the driver around gm_rrwm_step. All operations are done in
 * the same order as there, so that the labels are the same. */
#include "assignment/munkres.h"
#include "base/pool.h"
#include "baselines/extended.h"
#include "gm.h"

#include <math.h>
#include <string.h>

static const double SLICE = 0.05; /* seconds after which to look again whether to stop */

/* M = W, with pairs of candidates of one node or label set to 0, divided by its largest row sum. */
static int walk_matrix(gm_pool *pool, const gm_model *m, gm_affinity *M)
{
    const int32_t N = m->n_candidates;
    int64_t *start, n_kept = 0;
    int32_t *a, *behind;
    double *cost, *edge_cost, *ones, *sums;
    GM_TAKE(pool, N + 1, start);
    GM_TAKE(pool, m->n_edges, a);
    GM_TAKE(pool, m->n_edges, behind);
    GM_TAKE(pool, m->n_edges, edge_cost);
    GM_TAKE(pool, N, cost);
    GM_TAKE(pool, N, ones);
    GM_TAKE(pool, N, sums);
    if (pool->failed)
        return GM_ENOMEM;
    for (int64_t e = 0; e < m->n_edges; e++) {
        const int32_t p = m->a[e], q = m->b[e];
        if (m->left[p] == m->left[q] || m->right[p] == m->right[q])
            continue;
        a[n_kept] = p;
        behind[n_kept] = q;
        edge_cost[n_kept++] = m->edge_cost[e];
    }
    memcpy(cost, m->cost, sizeof *cost * (size_t)N);
    gm_edge_starts(N, n_kept, a, start);
    *M = (gm_affinity){N, start, behind, cost, edge_cost};
    for (int32_t k = 0; k < N; k++)
        ones[k] = 1.0;
    gm_multiply(M, ones, sums);
    double largest = sums[0];
    for (int32_t k = 1; k < N; k++)
        largest = sums[k] > largest ? sums[k] : largest;
    if (largest > 0.0) {
        const double factor = 1.0 / largest;
        for (int32_t k = 0; k < N; k++)
            cost[k] *= factor;
        for (int64_t e = 0; e < n_kept; e++)
            edge_cost[e] *= factor;
    }
    return GM_OK;
}

/* The candidates line by line, for gm_sinkhorn. */
static int make_lines(gm_pool *pool, int32_t n, int32_t N, const int32_t *line,
                      const int32_t *other, gm_lines *lines)
{
    int32_t *start, *across, *order;
    GM_TAKE(pool, n + 1, start);
    GM_TAKE(pool, N, across);
    GM_TAKE(pool, n, order);
    if (pool->failed)
        return GM_ENOMEM;
    gm_fill_lines(n, N, line, other, start, across, order);
    *lines = (gm_lines){start, across, order};
    return GM_OK;
}

/* The walk at its start: states and jump are uniform over all allowed pairs. */
static int walk_start(gm_pool *pool, const gm_extended *e, gm_rrwm *w)
{
    const gm_model *m = &e->model;
    const int32_t n = m->n1, N = m->n_candidates;
    gm_parts *jump = &w->jump;
    *jump = (gm_parts){.n1 = n,
                       .n2 = n,
                       .n_candidates = N,
                       .row = e->row,
                       .col = e->col,
                       .left = m->left,
                       .right = m->right};
    GM_TAKE(pool, N, jump->x);
    GM_TAKE(pool, n - e->row, jump->rho);
    GM_TAKE(pool, n - e->col, jump->gamma);
    GM_TAKE(pool, N + 6 * (int64_t)n, w->scratch);
    GM_TAKE(pool, N, w->s);
    GM_TAKE(pool, N, w->older);
    GM_TAKE(pool, N, w->q);
    GM_TAKE(pool, N, w->mixed);
    if (pool->failed || make_lines(pool, n, N, m->left, m->right, &jump->rows) != GM_OK ||
        make_lines(pool, n, N, m->right, m->left, &jump->columns) != GM_OK)
        return GM_ENOMEM;
    const double uniform = 1.0 / (double)(N + (int64_t)(n - e->row) * (n - e->col));
    for (int32_t k = 0; k < N; k++)
        jump->x[k] = w->s[k] = w->older[k] = w->q[k] = w->mixed[k] = uniform;
    for (int32_t i = 0; i < n - e->row; i++)
        jump->rho[i] = 1.0;
    for (int32_t s = 0; s < n - e->col; s++)
        jump->gamma[s] = 1.0;
    w->implicit = w->older_implicit = uniform;
    w->iteration = 0;
    return walk_matrix(pool, m, &w->M);
}

/* Rounds as the originals do: Munkres on -score, shifted so that its least is 0; forbidden pairs
 * are infinite. match gets the column of each row, or -1. */
static int round_walk(gm_pool *pool, const gm_extended *e, const double *score, int32_t *match)
{
    const gm_model *m = &e->model;
    const int32_t n = m->n1;
    double *P;
    char *memory;
    GM_TAKE(pool, (int64_t)n * n, P);
    GM_TAKE(pool, (int64_t)gm_munkres_bytes(n, n), memory);
    if (pool->failed)
        return GM_ENOMEM;
    double least = INFINITY;
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        P[k] = INFINITY;
    for (int32_t s = e->col; s < n; s++)
        for (int32_t i = e->row; i < n; i++)
            least = P[i + (int64_t)n * s] = 0.0;
    for (int32_t k = 0; k < m->n_candidates; k++) {
        const double price = -score[k];
        P[m->left[k] + (int64_t)n * m->right[k]] = price;
        least = price < least ? price : least;
    }
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        P[k] -= least;
    gm_munkres_with(n, n, P, match, memory);
    return GM_OK;
}

/* Steps until the walk converges, dies out or must end; returns how it ended. */
static enum gm_ending walk_to_end(gm_rrwm *w, int64_t max_iterations, double deadline,
                                  const int32_t *stop)
{
    int state = GM_WALK_ON;
    while (state == GM_WALK_ON) {
        const double remaining = deadline - gm_clock();
        if (w->iteration >= max_iterations)
            return GM_OUT_OF_ITERATIONS;
        if (remaining <= 0.0)
            return GM_OUT_OF_TIME;
        if (*(const volatile int32_t *)stop)
            return GM_STOPPED;
        state = gm_rrwm_step(w, max_iterations - w->iteration, fmin(SLICE, remaining));
    }
    return state == GM_WALK_DEAD ? GM_BROKEN_DOWN : GM_ENDED;
}

int gm_rrwm_solve(const gm_model *model, const gm_rrwm_options *options, int64_t max_iterations,
                  double seconds, const int32_t *stop, int32_t *labels, double *scores,
                  int64_t *iterations, int32_t *ending)
{
    const double deadline = gm_clock() + seconds;
    gm_pool pool = {NULL, 0};
    gm_extended e;
    gm_rrwm w = {.c = options->c,
                 .amp_max = options->amp_max,
                 .tol = options->tol,
                 .tol_sinkhorn = options->tol_sinkhorn,
                 .sweeps = options->sweeps};
    int32_t *match;
    int status = gm_extend(&e, model);
    if (status == GM_OK)
        status = walk_start(&pool, &e, &w);
    GM_TAKE(&pool, e.model.n1, match);
    if (status != GM_OK || pool.failed) {
        status = GM_ENOMEM;
        goto done;
    }
    *ending = walk_to_end(&w, max_iterations, deadline, stop);
    *iterations = w.iteration;
    for (int32_t k = 0; k < e.model.n_candidates; k++)
        if (e.model.left[k] < model->n1 && e.model.right[k] < model->n2)
            scores[(int64_t)e.model.left[k] * model->n2 + e.model.right[k]] = w.s[k];
    status = round_walk(&pool, &e, w.s, match);
    for (int32_t i = 0; i < model->n1; i++)
        labels[i] = match[i] < model->n2 ? match[i] : -1;
done:
    gm_pool_free(&pool);
    gm_extended_clear(&e);
    return status;
}
