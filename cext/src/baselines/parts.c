/* Matrices in parts (gm_parts in gm.h): the candidates of their lines, and the distance of two. */
#include "base/csr.h"
#include "gm.h"

#include <math.h>
#include <string.h>

void gm_fill_lines(int32_t n_lines, int32_t n, const int32_t *line, const int32_t *other,
                   int32_t *start, int32_t *across, int32_t *order)
{
    memset(start, 0, sizeof *start * ((size_t)n_lines + 1));
    for (int32_t k = 0; k < n; k++)
        start[line[k] + 1]++;
    /* order: a counting sort of the lines by their number of candidates. across, which is filled
     * later, serves as its counters: across[length - 1] for the lines of that length. */
    int32_t placed = 0;
    memset(across, 0, sizeof *across * (size_t)n);
    for (int32_t i = 0; i < n_lines; i++) {
        if (start[i + 1] == 0)
            order[placed++] = i;
        else
            across[start[i + 1] - 1]++;
    }
    for (int32_t length = 1; length <= n; length++) {
        const int32_t count = across[length - 1];
        across[length - 1] = placed;
        placed += count;
    }
    for (int32_t i = 0; i < n_lines; i++)
        if (start[i + 1] > 0)
            order[across[start[i + 1] - 1]++] = i;
    gm_csr_sum32(start, n_lines);
    for (int32_t k = 0; k < n; k++)
        across[start[line[k]]++] = other[k];
    gm_csr_rewind32(start, n_lines);
}

void gm_exponentials(int32_t n, double factor, const double *y, double *x)
{
    for (int32_t k = 0; k < n; k++)
        x[k] = exp(factor * y[k]);
}

/* ---- the distance of two matrices */

static double sum(const double *v, int32_t n)
{
    double total = 0.0;
    for (int32_t k = 0; k < n; k++)
        total += v[k];
    return total;
}

/* Sum of |u v' - w z'| over the entries of two m x n products; once it passes limit, a part of it.
 */
static double product_distance(const double *u, const double *w, int32_t m, const double *v,
                               const double *z, int32_t n, double limit)
{
    double total = 0.0;
    for (int32_t i = 0; i < m && total < limit; i++)
        if (u[i] != 0.0 || w[i] != 0.0)
            for (int32_t s = 0; s < n; s++)
                total += fabs(u[i] * v[s] - w[i] * z[s]);
    return total;
}

/* Sum of |X - Y| over the rest: that over the whole product less that over block and candidates. */
static double rest_distance(const gm_parts *X, const gm_parts *Y)
{
    const int32_t m1 = X->n1 - X->row, m2 = X->n2 - X->col;
    double total = product_distance(X->R, Y->R, X->n1, X->C, Y->C, X->n2, INFINITY);
    total -= product_distance(X->R + X->row, Y->R + X->row, m1, X->C + X->col, Y->C + X->col, m2,
                              INFINITY);
    for (int32_t k = 0; k < X->n_candidates; k++) {
        const int32_t i = X->left[k], s = X->right[k];
        total -= fabs(X->R[i] * X->C[s] - Y->R[i] * Y->C[s]);
    }
    return total > 0.0 ? total : 0.0;
}

/* Of the limit: a smaller distance of the rest is not computed. */
static const double NEGLIGIBLE = 1e-12;

double gm_parts_distance(const gm_parts *X, const gm_parts *Y, double limit)
{
    const int32_t m1 = X->n1 - X->row, m2 = X->n2 - X->col;
    double total = 0.0;
    for (int32_t k = 0; k < X->n_candidates && total < limit; k++)
        total += fabs(X->x[k] - Y->x[k]);
    if (total < limit)
        total += product_distance(X->rho, Y->rho, m1, X->gamma, Y->gamma, m2, limit - total);
    if (X->R && total < limit) {
        /* at most the sum of both products, which soon is too little to count */
        const double most =
            sum(X->R, X->n1) * sum(X->C, X->n2) + sum(Y->R, Y->n1) * sum(Y->C, Y->n2);
        if (!(most < NEGLIGIBLE * limit))
            total += rest_distance(X, Y);
    }
    return total;
}
