/* Linear assignment of a plain matrix in one call: on the way to a Problem and a run, a small
 * matrix would spend more time than in its solver. */
#include "assignment/dense.h"
#include "assignment/dual_sum.h"
#include "base/lanes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    ROUNDINGS_PER_TERM = 4, /* of the value, as in gm_matching_error */
    CACHE_LINE = 64,        /* bytes, at which arrays begin: vectors do not cross them */
    OWN_BYTES = 8192        /* of the stack: taking memory costs as much as solving ten rows */
};

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

/* Adds the size of the allowed entries of a row, lowers least[j] to its entries, and returns
 * whether they are numbers or +inf, and one is allowed. */
GM_WIDE static int read_row(int64_t n, const double *row, double *least, double *size)
{
    double part[GM_LANES] = {0};
    int64_t n_wrong = 0, n_allowed = 0;
    for (int64_t j = 0; j < n; j++) {
        const double cost = row[j];
        const int is_allowed = cost < INFINITY;
        n_wrong += !(cost > -INFINITY); /* or NaN */
        n_allowed += is_allowed;
        part[j % GM_LANES] += is_allowed ? fabs(cost) : 0.0;
        least[j] = cost < least[j] ? cost : least[j];
    }
    *size += (part[0] + part[1]) + (part[2] + part[3]);
    return n_wrong == 0 && n_allowed > 0;
}

/* Whether the allowed entries add up to at most `largest`, entries are numbers or +inf, and each
 * row, and each column that needs a row, has an allowed one. */
static int is_usable(const gm_dense *dense, double largest)
{
    const int64_t n = dense->n_cols, n_entries = dense->n_rows * n;
    if (total_size(n_entries, dense->cost) <= largest)
        return 1;
    for (int64_t j = 0; j < n; j++)
        dense->open[j] = INFINITY;
    double size = 0.0;
    for (int32_t i = 0; i < dense->n_rows; i++)
        if (!read_row(n, dense->cost + i * n, dense->open, &size))
            return 0;
    for (int64_t j = 0; j < n && dense->n_rows == n; j++)
        if (dense->open[j] == INFINITY)
            return 0;
    return size <= largest;
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
    double gap = gm_dense_excess(dense);
    gm_sum paid = {0};
    for (int32_t r = 0; r < dense->n_rows; r++)
        gm_sum_add(&paid, dense->cost[(int64_t)r * dense->n_cols + dense->col_of[r]]);
    for (int32_t c = 0; c < dense->n_cols && has_free; c++) {
        if (dense->v[c] > 0.0)
            return NAN;
        gap -= dense->row_of[c] < 0 ? dense->v[c] : 0.0;
    }
    const double error = gm_sum_error(ROUNDINGS_PER_TERM * paid.n, paid.size);
    return gap <= error ? paid.total + paid.errors : NAN;
}

double gm_assign_matrix(int32_t n1, int32_t n2, const void *doubles, const gm_assign_order *order,
                        int32_t *labels)
{
    const double *cost = doubles, price = order->price;
    const int32_t n_rows = n1 < n2 ? n1 : n2, n_cols = n1 < n2 ? n2 : n1;
    const int64_t bytes = gm_dense_bytes(n_rows, n_cols);
    const int is_copied = n1 > n2 || order->sign < 0.0 || price < INFINITY;
    const int64_t all =
        bytes + (is_copied ? (int64_t)n1 * n2 * (int64_t)sizeof *cost : 0) + CACHE_LINE;
    char own[OWN_BYTES];
    char *taken = all <= OWN_BYTES ? own : malloc((size_t)all);
    gm_dense dense = {0};
    double value = NAN;
    if (n1 < 1 || n2 < 1 || !taken)
        goto out;
    char *memory = taken + (CACHE_LINE - (uintptr_t)taken % CACHE_LINE) % CACHE_LINE;
    gm_dense_lay(&dense, memory, n_rows, n_cols);
    dense.cost = cost;
    if (is_copied) {
        double *matrix = (double *)(void *)(memory + bytes);
        fill_matrix(n1, n2, cost, order->sign, price, matrix);
        dense.cost = matrix;
    }
    if (!is_usable(&dense, order->largest) || gm_dense_solve(&dense, order->watch) != GM_OK)
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
    if (taken != own)
        free(taken);
    return value;
}
