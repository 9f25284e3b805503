/* Linear assignment of a plain matrix in one call: on the way to a Problem and a run, a small
 * matrix would spend more time than in its solver. */
#include "assignment/dense.h"
#include "assignment/dual_sum.h"
#include "base/lanes.h"

#include <math.h>

enum { ROUNDINGS_PER_TERM = 4 }; /* of the value, as in gm_matching_error */

static const double LARGEST_TOTAL = 1e304; /* as of a Problem: sums of costs stay doubles */

/* The sum of the absolute values; inf or NaN if one of them is. */
GM_WIDE static double total_size(int64_t n, const double *x)
{
    double part[GM_LANES] = {0};
    int64_t k = 0;
    for (; k + GM_LANES <= n; k += GM_LANES)
        for (int lane = 0; lane < GM_LANES; lane++)
            part[lane] += fabs(x[k + lane]);
    for (; k < n; k++)
        part[0] += fabs(x[k]);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* Whether all sums of allowed entries are doubles, entries are numbers or +inf, and each row, and
 * each column that needs a row, has an allowed one. */
static int is_usable(const gm_dense *dense)
{
    const int64_t n = dense->n_cols, n_entries = dense->n_rows * n;
    if (total_size(n_entries, dense->cost) <= LARGEST_TOTAL)
        return 1;
    double size = 0.0;
    for (int64_t j = 0; j < n; j++)
        dense->open[j] = INFINITY;
    for (int32_t i = 0; i < dense->n_rows; i++) {
        double least = INFINITY;
        for (int64_t j = 0; j < n; j++) {
            const double cost = dense->cost[i * n + j];
            if (!(cost > -INFINITY)) /* or NaN */
                return 0;
            size += cost < INFINITY ? fabs(cost) : 0.0;
            least = fmin(least, cost);
            dense->open[j] = fmin(dense->open[j], cost);
        }
        if (least == INFINITY)
            return 0;
    }
    for (int64_t j = 0; j < n && dense->n_rows == n; j++)
        if (dense->open[j] == INFINITY)
            return 0;
    return size <= LARGEST_TOTAL;
}

/* min(sign * cost, price) with a row for each node of the smaller side. */
static void fill_matrix(int32_t n1, int32_t n2, const double *cost, double sign, double price,
                        double *matrix)
{
    const int64_t across = n1 > n2 ? 1 : n2, down = n1 > n2 ? n1 : 1;
    for (int32_t i = 0; i < n1; i++)
        for (int32_t s = 0; s < n2; s++) {
            const double own = sign * cost[(int64_t)i * n2 + s];
            matrix[i * across + s * down] = own > price ? price : own; /* NaN stays */
        }
}

/* The value of the assignment, if its duals prove it up to the rounding of the value; else NaN. The
 * value is the sum of the duals and of what rows pay more than theirs. Duals may be far larger than
 * the value: their own rounding must not count. */
static double prove(const gm_dense *dense)
{
    const int has_free = dense->n_rows < dense->n_cols; /* columns: no dual is positive */
    double gap = 0.0;
    gm_sum paid = {0};
    for (int32_t r = 0; r < dense->n_rows; r++) {
        gap += gm_dense_excess(dense, r);
        gm_sum_add(&paid, dense->cost[(int64_t)r * dense->n_cols + dense->col_of[r]]);
    }
    for (int32_t c = 0; c < dense->n_cols && has_free; c++) {
        if (dense->v[c] > 0.0)
            return NAN;
        gap -= dense->row_of[c] < 0 ? dense->v[c] : 0.0;
    }
    const double error = gm_sum_error(ROUNDINGS_PER_TERM * paid.n, paid.size);
    return gap <= error ? paid.total + paid.errors : NAN;
}

double gm_assign_matrix(int32_t n1, int32_t n2, const double *cost, double sign, double price,
                        int32_t *labels, gm_watch *watch)
{
    const int32_t n_rows = n1 < n2 ? n1 : n2, n_cols = n1 < n2 ? n2 : n1;
    gm_pool pool = {0};
    gm_dense dense = {0};
    double *matrix = NULL, value = NAN;
    gm_dense_take(&dense, &pool, n_rows, n_cols);
    if (n1 > n2 || sign < 0.0 || price < INFINITY)
        GM_TAKE(&pool, (int64_t)n1 * n2, matrix);
    if (pool.failed)
        goto out;
    if (matrix)
        fill_matrix(n1, n2, cost, sign, price, matrix);
    dense.cost = matrix ? matrix : cost;
    if (!is_usable(&dense) || gm_dense_solve(&dense, watch) != GM_OK)
        goto out;
    value = prove(&dense);
    for (int32_t i = 0; i < n1; i++)
        labels[i] = -1;
    for (int32_t r = 0; r < n_rows; r++) {
        const int32_t c = dense.col_of[r];
        if (dense.cost[(int64_t)r * n_cols + c] < price)
            labels[n1 > n2 ? c : r] = n1 > n2 ? r : c;
    }
out:
    gm_pool_free(&pool);
    return value;
}
