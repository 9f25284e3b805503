/* A matching problem without pair costs is one linear assignment, which its duals prove: one
 * iteration. All pairs allowed: a dense matrix (assignment/dense.h). Else: shortest paths (gm_lap),
 * and if they grow long, an auction and shortest paths from its prices.
 *
 * Dense and not complete: nodes may stay free at cost 0. The assignment of min(cost, 0) matches all
 * nodes of the smaller side; those that pay 0 stay free.
 *
 * If rounding keeps duals and matching apart, assignment/polish.h brings them together. */
#include "assignment/auction.h"
#include "assignment/dense.h"
#include "assignment/dual_sum.h"
#include "assignment/polish.h"
#include "base/csr.h"
#include "base/run.h"
#include "base/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shortest paths without an auction are given up after this many passes over all entries. If all
 * nodes of both sides are matched, the first matching shows it sooner: costs of points leave a
 * tenth of the rows free, random ones more than a fifth (300 to 4000 rows of 5 to 40 entries). */
enum { QUICK_PASSES = 2, SQUARE_PASSES = 10 };
static const double MOST_FREE = 3.0 / 16.0;

typedef struct linear {
    gm_run run;
    gm_pool pool;
    const gm_model *model;
    int32_t *labels;

    /* dense: rows are the nodes of the smaller side */
    int is_dense, rows_are_left;
    double *matrix; /* NULL: the model's own costs */
    gm_dense dense;

    /* sparse: rows are left nodes */
    gm_lap *lap;
    int64_t *start;
    int32_t *first, *order; /* candidates by left node */
    int32_t *col;
    double *cost;
    gm_auction auction;

    gm_polish polish;
} linear;

static int take_dense(linear *self)
{
    const gm_model *m = self->model;
    self->rows_are_left = m->n1 < m->n2;
    const int32_t n_rows = self->rows_are_left ? m->n1 : m->n2;
    const int32_t n_cols = self->rows_are_left ? m->n2 : m->n1;
    char *memory;
    GM_TAKE(&self->pool, gm_dense_bytes(n_rows, n_cols), memory);
    if (memory)
        gm_dense_lay(&self->dense, memory, n_rows, n_cols);
    self->dense.cost = m->cost;
    if (self->rows_are_left || !m->complete) {
        GM_TAKE(&self->pool, m->n_candidates, self->matrix);
        self->dense.cost = self->matrix;
    }
    gm_polish_take(&self->polish, &self->pool, n_rows, n_cols);
    self->polish.cost = self->dense.cost;
    self->polish.col_of = self->dense.col_of;
    return self->pool.failed ? GM_ENOMEM : GM_OK;
}

static int take_sparse(linear *self)
{
    const gm_model *m = self->model;
    GM_TAKE(&self->pool, (int64_t)m->n1 + 1, self->first);
    GM_TAKE(&self->pool, (int64_t)m->n1 + 1, self->start);
    GM_TAKE(&self->pool, m->n_candidates, self->order);
    GM_TAKE(&self->pool, m->n_candidates, self->col);
    GM_TAKE(&self->pool, m->n_candidates, self->cost);
    GM_TAKE(&self->pool, m->n2, self->auction.v);
    GM_TAKE(&self->pool, m->n2, self->auction.owner);
    gm_polish_take(&self->polish, &self->pool, m->n1, m->n2);
    if (self->pool.failed)
        return GM_ENOMEM;
    gm_csr_group(m->n1, m->n_candidates, m->left, self->first, self->order);
    gm_csr_widen(m->n1, self->first, self->start);
    for (int32_t k = 0; k < m->n_candidates; k++) {
        self->col[k] = m->right[self->order[k]];
        self->cost[k] = m->cost[self->order[k]];
    }
    self->auction.n_rows = m->n1;
    self->auction.n_cols = m->n2;
    self->auction.start = self->start;
    self->auction.col = self->col;
    self->auction.cost = self->cost;
    self->auction.complete = m->complete;
    self->polish.start = self->start;
    self->polish.col = self->col;
    self->polish.cost = self->cost;
    self->polish.rows_may_be_free = !m->complete;
    self->polish.col_of = self->labels;
    self->lap = gm_lap_new(m->n1, m->n2, self->start, self->col);
    return self->lap ? GM_OK : GM_ENOMEM;
}

gm_run *gm_linear_new(const gm_model *model, const gm_linear_options *options)
{
    (void)options;
    linear *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->model = model;
    self->is_dense = model->n_candidates == (int64_t)model->n1 * model->n2;
    GM_TAKE(&self->pool, model->n1, self->labels);
    int status = self->pool.failed ? GM_ENOMEM
                 : self->is_dense  ? take_dense(self)
                                   : take_sparse(self);
    if (status == GM_OK)
        status = gm_run_init(&self->run, model);
    if (status != GM_OK) {
        gm_lap_free(self->lap);
        gm_pool_free(&self->pool);
        free(self);
        return NULL;
    }
    if (self->lap)
        gm_lap_heed(self->lap, self->run.watch);
    return &self->run;
}

/* ---- dense */

static void fill_matrix(linear *self)
{
    const gm_model *m = self->model;
    for (int32_t s = 0; s < m->n2 && !gm_watch_spend(self->run.watch, m->n1); s++)
        for (int32_t i = 0; i < m->n1; i++) {
            const double cost = m->cost[(int64_t)s * m->n1 + i];
            const int64_t place =
                self->rows_are_left ? (int64_t)i * m->n2 + s : (int64_t)s * m->n1 + i;
            self->matrix[place] = m->complete || cost < 0.0 ? cost : 0.0;
        }
}

/* The labels of an assignment of the matrix. */
static void read_labels(linear *self)
{
    const gm_model *m = self->model;
    for (int32_t i = 0; i < m->n1; i++)
        self->labels[i] = -1;
    for (int32_t r = 0; r < self->dense.n_rows; r++) {
        const int32_t c = self->dense.col_of[r];
        const int32_t i = self->rows_are_left ? r : c, s = self->rows_are_left ? c : r;
        if (m->complete || m->cost[(int64_t)s * m->n1 + i] < 0.0)
            self->labels[i] = s;
    }
}

static int solve_dense(linear *self, double *value, double *bound)
{
    gm_dense *dense = &self->dense;
    if (self->matrix)
        fill_matrix(self);
    const int status = gm_dense_solve(dense, self->run.watch);
    if (status != GM_OK)
        return status;
    gm_sum rows = {0}, cols = {0};
    for (int32_t r = 0; r < dense->n_rows && !gm_watch_spend(self->run.watch, dense->n_cols); r++)
        gm_sum_add(&rows, gm_dense_row_dual(dense, r));
    for (int32_t c = 0; c < dense->n_cols; c++)
        gm_sum_add(&cols, dense->v[c]);
    *bound = gm_dual_sum(&rows, &cols);
    read_labels(self);
    return gm_matching_cost(self->model, self->labels, value);
}

/* ---- sparse */

/* Column duals before any row has asked: the least costs, or 0 if columns may stay free. */
static void set_first_duals(linear *self, int has_least)
{
    const gm_model *m = self->model;
    double *v = self->auction.v;
    for (int32_t j = 0; j < m->n2; j++)
        v[j] = has_least ? INFINITY : 0.0;
    for (int32_t e = 0; has_least && e < m->n_candidates; e++)
        v[self->col[e]] = self->cost[e] < v[self->col[e]] ? self->cost[e] : v[self->col[e]];
}

/* Shortest paths alone if they are short, which is faster than an auction if most rows want columns
 * of their own; else from the duals of an auction. */
static int match_rows(linear *self)
{
    const gm_model *m = self->model;
    const int is_square = m->complete && m->n1 == m->n2;
    const int64_t pass = (int64_t)m->n_candidates + m->n1;
    set_first_duals(self, is_square);
    gm_lap_set_duals(self->lap, self->auction.v);
    gm_lap_limit_work(self->lap, (is_square ? SQUARE_PASSES : QUICK_PASSES) * pass);
    gm_lap_limit_free(self->lap, is_square ? (int32_t)(MOST_FREE * m->n1) : m->n1);
    int status = gm_lap_solve(self->lap, self->cost, m->complete, 1);
    if (status != GM_ECUT || gm_watch_is_over(self->run.watch))
        return status;
    gm_lap_limit_work(self->lap, 0);
    gm_lap_limit_free(self->lap, m->n1);
    status = gm_auction_solve(&self->auction, self->run.watch);
    if (status != GM_OK)
        return status;
    gm_lap_set_duals(self->lap, self->auction.v);
    return gm_lap_solve(self->lap, self->cost, m->complete, 1);
}

static int solve_sparse(linear *self, double *value, double *bound)
{
    const gm_model *m = self->model;
    const int status = match_rows(self);
    if (status != GM_OK)
        return status;
    memcpy(self->labels, gm_lap_match(self->lap), sizeof *self->labels * (size_t)m->n1);
    const double *v = gm_lap_v(self->lap);
    const int may_be_free = !m->complete || m->n1 < m->n2; /* columns: no dual is positive */
    gm_sum rows = {0}, cols = {0};
    for (int32_t j = 0; j < m->n2; j++) {
        self->auction.v[j] = may_be_free && v[j] > 0.0 ? 0.0 : v[j];
        gm_sum_add(&cols, self->auction.v[j]);
    }
    for (int32_t i = 0; i < m->n1; i++) {
        double least = m->complete ? INFINITY : 0.0;
        for (int64_t e = self->start[i]; e < self->start[i + 1]; e++)
            if (self->cost[e] - self->auction.v[self->col[e]] < least)
                least = self->cost[e] - self->auction.v[self->col[e]];
        gm_sum_add(&rows, least);
    }
    *value = gm_lap_value(self->lap);
    *bound = gm_dual_sum(&rows, &cols);
    return GM_OK;
}

/* ---- the kernel */

/* Reports the labels, their cost and a bound. */
static void report(linear *self, double value, double bound)
{
    self->run.iteration = 1;
    gm_run_offer(&self->run, value, self->labels);
    gm_run_raise(&self->run, bound);
}

/* Improves labels and bound that rounding has kept apart. If the time is over first, the answer
 * that was reported before stays. */
static int polish(linear *self)
{
    const gm_run *run = &self->run;
    const double error = gm_matching_error(self->model, self->labels);
    double value = INFINITY, bound = -INFINITY;
    if (gm_gap_closed(run->value, run->bound, fmax(run->tolerance, error)))
        return GM_OK;
    const double *v = self->is_dense ? self->dense.v : self->auction.v;
    int status = gm_polish_run(&self->polish, v, run->watch, &bound);
    if (status != GM_OK)
        return status;
    if (self->is_dense)
        read_labels(self);
    status = gm_matching_cost(self->model, self->labels, &value);
    if (status == GM_OK)
        report(self, value, bound);
    return status;
}

int gm_linear_step(gm_run *run, int64_t max_iterations, double seconds)
{
    (void)seconds;
    linear *self = (linear *)run;
    if (max_iterations < 1 || run->finished)
        return GM_OK;
    double value = INFINITY, bound = -INFINITY;
    int status = (self->is_dense ? solve_dense : solve_sparse)(self, &value, &bound);
    if (status == GM_OK) {
        report(self, value, bound);
        status = polish(self);
    }
    run->finished = status != GM_ECUT; /* GM_ELIMIT: without an answer */
    return gm_run_leave(run, status == GM_ECUT || status == GM_ELIMIT ? GM_OK : status);
}

void gm_linear_free(gm_run *run)
{
    linear *self = (linear *)run;
    gm_lap_free(self->lap);
    gm_run_clear(run);
    gm_pool_free(&self->pool);
    free(self);
}
