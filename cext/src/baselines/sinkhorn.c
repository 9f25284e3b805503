/* Sinkhorn scaling (Sinkhorn 1964) of n1 x n2 matrices of which only the candidates are stored one
 * by one. All other pairs belong to the block or to the rest (gm_parts in gm.h), which are products
 * of a factor of the row and a factor of the column: dividing rows or columns by numbers keeps such
 * a product a product, so a sweep costs O(candidates + n1 + n2).
 *
 * The comments on rows below hold for columns as well, both sides exchanged. A *line* is a row
 * or a column. */
#include "base/lanes.h"
#include "gm.h"

#include <math.h>
#include <string.h>

/* Long sums are added up in GM_LANES parts, since every addition to a single one has to wait for
 * the one before. Their loops have indices of 64 bits: with narrower ones the compiler does not see
 * that four numbers are neighbours. This is the sum of the parts. */
static double together(const double *total)
{
    return (total[0] + total[1]) + (total[2] + total[3]);
}

GM_WIDE static double dot(const double *u, const double *v, int64_t n)
{
    double total[GM_LANES] = {0.0};
    int64_t k = 0;
    for (; k + GM_LANES <= n; k += GM_LANES)
        for (int64_t lane = 0; lane < GM_LANES; lane++)
            total[lane] += u[k + lane] * v[k + lane];
    for (; k < n; k++)
        total[0] += u[k] * v[k];
    return together(total);
}

/* The squared norm |u v' - w z'|^2 of the difference of two m x n products. */
static double product_change(const double *u, const double *w, int32_t m, const double *v,
                             const double *z, int32_t n)
{
    return dot(u, u, m) * dot(v, v, n) + dot(w, w, m) * dot(z, z, n) -
           2.0 * dot(u, w, m) * dot(v, z, n);
}

/* The data of one half of a sweep: that over rows; for columns both sides are exchanged. */
typedef struct half_sweep {
    int32_t n, n_other;          /* lines of this side and of the other */
    int32_t first, first_other;  /* start of the block on either side */
    gm_lines lines;              /* candidates of each line */
    double *block, *block_other; /* factors of the block: rho and gamma */
    double *rest, *rest_other;   /* factors of the rest: R and C, or NULL */
} half_sweep;

/* Sums of the other side's factors. */
typedef struct factor_sums {
    double block;  /* of block_other */
    double before; /* of rest_other, before the block */
    double all;    /* of rest_other */
} factor_sums;

/* Each sum is added up in the order of its terms, on which exact ties depend; but the three in one
 * loop, so that they need not wait for each other's additions. */
static factor_sums sum_factors(const half_sweep *half)
{
    const int32_t first = half->first_other, inside = half->n_other - first;
    const double *block = half->block_other;
    double of_block = 0.0, of_before = 0.0, of_behind = 0.0;
    if (!half->rest) {
        for (int32_t k = 0; k < inside; k++)
            of_block += block[k];
        return (factor_sums){.block = of_block};
    }
    const double *before = half->rest_other, *behind = before + first;
    int32_t k = 0;
    for (; k < first && k < inside; k++) {
        of_block += block[k];
        of_behind += behind[k];
        of_before += before[k];
    }
    for (int32_t i = k; i < first; i++)
        of_before += before[i];
    for (int32_t i = k; i < inside; i++) {
        of_block += block[i];
        of_behind += behind[i];
    }
    return (factor_sums){of_block, of_before, of_before + of_behind};
}

/* sums += factor * v */
GM_WIDE static void add_multiple(double *restrict sums, const double *restrict v, double factor,
                                 int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        sums[i] += v[i] * factor;
}

/* ---- the rest: R_i C_s at every pair (i, s) that is neither a candidate nor in the block. To the
 * sum of row i it contributes
 *
 *     R_i (sum of C_s over S_i - sum of C_s over the s in S_i with a candidate (i, s)),
 *
 * where S_i are all columns if row i is not in the block, and the columns before the block if it
 * is. The first sum is the same for all rows of either kind (factor_sums: all, before); the second
 * is taken over the few candidates of the row. */

/* Of a sum: less than half a unit in its last place, so adding it leaves the sum as it is. */
static const double INVISIBLE = 1e-17;
/* Of the first sum: a smaller difference of the two sums is taken as 0 with a rounding error, since
 * all pairs of the row are candidates. */
static const double ROUNDED_ZERO = 1e-13;

/* Whether the rest could change one of n sums: rest[i] * most bounds its part of sum i, where
 * most is the first sum above. */
GM_WIDE static int can_change_a_sum(const double *restrict rest, double most,
                                    const double *restrict sums, int32_t n)
{
    int64_t count = 0;
    for (int32_t i = 0; i < n; i++)
        count += rest[i] * most > INVISIBLE * sums[i];
    return count > 0;
}

/* The second sum above for line i, over those of its candidates that lie in lines `from` and later
 * of the other side. */
static double factors_at_candidates(const half_sweep *half, int32_t i, int32_t from)
{
    const int32_t *across = half->lines.across, begin = half->lines.start[i],
                  end = half->lines.start[i + 1];
    int32_t k = begin;
    if (from > 0) { /* candidates are sorted: those that count come last */
        k = end;
        while (k > begin && across[k - 1] >= from)
            k--;
    }
    double total = 0.0;
    for (; k < end; k++)
        total += half->rest_other[across[k]];
    return total;
}

/* Adds the contribution of the rest to the sum of each line. Returns 0 if it is too small to change
 * any sum. (The factors are scaled in any case: products that are negligible now can grow in later
 * sweeps.) */
static int add_rest(const half_sweep *half, factor_sums factors, double *sums)
{
    const double all = factors.all, before = factors.before;
    const int32_t first = half->first;
    const int outside_counts = can_change_a_sum(half->rest, all, sums, first);
    const int inside_counts =
        can_change_a_sum(half->rest + first, before, sums + first, half->n - first);
    if (!outside_counts && !inside_counts)
        return 0;
    /* candidates before the block need not be subtracted if all of C there is negligible */
    const int32_t from = before < INVISIBLE * all ? half->first_other : 0;
    for (int32_t c = 0; c < half->n; c++) {
        const int32_t i = half->lines.order[c];
        const int outside = i < first;
        if (outside ? !outside_counts : !inside_counts)
            continue;
        const double sum_of_factors = outside ? all - factors_at_candidates(half, i, from)
                                              : before - factors_at_candidates(half, i, 0);
        sums[i] += sum_of_factors > ROUNDED_ZERO * all ? half->rest[i] * sum_of_factors : 0.0;
    }
    return 1;
}

/* Adds the parts of block and rest to the sum of each line. Returns whether the rest has a part.
 */
static int add_products(const half_sweep *half, double *sums)
{
    const factor_sums factors = sum_factors(half);
    add_multiple(sums + half->first, half->block, factors.block, half->n - half->first);
    return half->rest ? add_rest(half, factors, sums) : 0;
}

/* ---- one sweep over the candidates, x -> y by rows, y -> x by columns. Only sums and divisions,
 * in the order of the originals: entries that tie there must tie here. x keeps the values from
 * before the sweep until its end, when the change is computed. */

static void row_sums(const gm_parts *p, double *sums)
{
    memset(sums, 0, sizeof *sums * (size_t)p->n1);
    for (int32_t k = 0; k < p->n_candidates; k++)
        sums[p->left[k]] += p->x[k];
}

/* Columns are taken by their number of candidates, so that the processor predicts the end of the
 * inner loop well. */
static void column_sums(const gm_parts *p, const double *y, double *sums)
{
    for (int32_t c = 0; c < p->n2; c++) {
        const int32_t s = p->columns.order[c], end = p->columns.start[s + 1];
        double total = 0.0;
        for (int32_t k = p->columns.start[s]; k < end; k++)
            total += y[k];
        sums[s] = total;
    }
}

/* x /= divisor */
GM_WIDE static void divide_in_place(double *restrict x, const double *restrict divisor, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        x[k] /= divisor[k];
}

/* y = x / divisor */
GM_WIDE static void divide(double *restrict y, const double *restrict x,
                           const double *restrict divisor, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        y[k] = x[k] / divisor[k];
}

/* y = x / sums of the rows */
GM_WIDE static void divide_rows(const gm_parts *p, const double *restrict sums, double *restrict y)
{
    const double *restrict x = p->x;
    const int32_t *line = p->left;
    const int64_t n = p->n_candidates;
    int64_t k = 0;
    for (; k + GM_LANES <= n; k += GM_LANES) {
        const gm_lanes divisor = {sums[line[k]], sums[line[k + 1]], sums[line[k + 2]],
                                  sums[line[k + 3]]};
        GM_LANES_PUT(y + k, GM_LANES_AT(x + k) / divisor);
    }
    for (; k < n; k++)
        y[k] = x[k] / sums[line[k]];
}

/* x = y / sums of the columns. Returns the squared change of x. */
GM_WIDE static double divide_columns(const gm_parts *p, const double *restrict sums,
                                     const double *restrict y)
{
    double *restrict x = p->x;
    const int32_t *line = p->right;
    const int64_t n = p->n_candidates;
    gm_lanes total = GM_LANES_ALL(0.0);
    int64_t k = 0;
    for (; k + GM_LANES <= n; k += GM_LANES) {
        const gm_lanes divisor = {sums[line[k]], sums[line[k + 1]], sums[line[k + 2]],
                                  sums[line[k + 3]]};
        const gm_lanes quotient = GM_LANES_AT(y + k) / divisor;
        const gm_lanes d = quotient - GM_LANES_AT(x + k);
        GM_LANES_PUT(x + k, quotient);
        total += d * d;
    }
    for (; k < n; k++) {
        const double quotient = y[k] / sums[line[k]];
        const double d = quotient - x[k];
        x[k] = quotient;
        total[0] += d * d;
    }
    return (total[0] + total[1]) + (total[2] + total[3]);
}

/* ---- the same if every pair is a candidate: x is a matrix, column by column. */

GM_WIDE static void row_sums_of_full(const double *restrict x, int32_t n1, int32_t n2,
                                     double *restrict sums)
{
    memset(sums, 0, sizeof *sums * (size_t)n1);
    for (int32_t s = 0; s < n2; s++)
        for (int32_t i = 0; i < n1; i++)
            sums[i] += x[i + (int64_t)s * n1];
}

GM_WIDE static void column_sums_of_full(const double *restrict y, int64_t n1, int64_t n2,
                                        double *restrict sums)
{
    enum { COLUMNS = 8 };
    int64_t s = 0;
    for (; s + COLUMNS <= n2; s += COLUMNS) {
        const double *first = y + s * n1;
        double total[COLUMNS] = {0.0};
        for (int64_t i = 0; i < n1; i++)
            for (int64_t c = 0; c < COLUMNS; c++)
                total[c] += first[i + c * n1];
        memcpy(sums + s, total, sizeof total);
    }
    for (; s < n2; s++) {
        sums[s] = 0.0;
        for (int64_t i = 0; i < n1; i++)
            sums[s] += y[i + s * n1];
    }
}

/* x = y. Returns the squared change of x. */
GM_WIDE static double copy_changed(double *restrict x, const double *restrict y, int64_t n)
{
    double total[GM_LANES] = {0.0};
    int64_t k = 0;
    for (; k + GM_LANES <= n; k += GM_LANES)
        for (int64_t lane = 0; lane < GM_LANES; lane++) {
            const double d = y[k + lane] - x[k + lane];
            total[lane] += d * d;
        }
    for (; k < n; k++)
        total[0] += (y[k] - x[k]) * (y[k] - x[k]);
    memcpy(x, y, sizeof *x * (size_t)n);
    return together(total);
}

static void divide_rows_of_full(const gm_parts *p, const double *sums, double *y)
{
    for (int32_t s = 0; s < p->n2; s++)
        divide(y + (int64_t)s * p->n1, p->x + (int64_t)s * p->n1, sums, p->n1);
}

GM_WIDE static void divide_by(double *x, double divisor, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        x[k] /= divisor;
}

static double divide_columns_of_full(const gm_parts *p, const double *sums, double *y)
{
    double change = 0.0;
    for (int32_t s = 0; s < p->n2; s++) {
        double *column = y + (int64_t)s * p->n1;
        divide_by(column, sums[s], p->n1);
        change += copy_changed(p->x + (int64_t)s * p->n1, column, p->n1);
    }
    return change;
}

/* Lines of zeros are divided by 1. */
static void replace_zeros(double *sums, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        sums[i] = sums[i] == 0.0 ? 1.0 : sums[i];
}

/* Divides the factors of one side, in block and rest, by the sums of their lines. */
static void divide_products(const half_sweep *half, const double *sums)
{
    divide_in_place(half->block, sums + half->first, half->n - half->first);
    if (half->rest)
        divide_in_place(half->rest, sums, half->n);
}

/* Squared change of the rest: that of the whole product R C' less that on block and candidates. 0
 * if the whole product is below `negligible`. */
static double rest_change(const gm_parts *p, const double *old_R, const double *old_C,
                          double negligible)
{
    const double now = dot(p->R, p->R, p->n1) * dot(p->C, p->C, p->n2);
    const double before = dot(old_R, old_R, p->n1) * dot(old_C, old_C, p->n2);
    if (now + before < negligible)
        return 0.0;
    double change = now + before - 2.0 * dot(p->R, old_R, p->n1) * dot(p->C, old_C, p->n2);
    change -= product_change(p->R + p->row, old_R + p->row, p->n1 - p->row, p->C + p->col,
                             old_C + p->col, p->n2 - p->col);
    double at_candidates[GM_LANES] = {0.0};
    for (int64_t k = 0; k < p->n_candidates; k += GM_LANES)
        for (int64_t lane = 0; lane < GM_LANES && k + lane < p->n_candidates; lane++) {
            const int32_t i = p->left[k + lane], s = p->right[k + lane];
            const double d = p->R[i] * p->C[s] - old_R[i] * old_C[s];
            at_candidates[lane] += d * d;
        }
    change -= together(at_candidates);
    return change > 0.0 ? change : 0.0;
}

/* Scales R and C so that the largest C is 1; only their products matter. Without it a factor could
 * overflow or underflow although the product does not: products can shrink to 1e-300, grow again,
 * and then decide the answer. */
static void balance(const gm_parts *p)
{
    double largest = 0.0;
    for (int32_t s = 0; s < p->n2; s++)
        if (p->C[s] > largest)
            largest = p->C[s];
    if (largest == 0.0)
        return;
    for (int32_t s = 0; s < p->n2; s++)
        p->C[s] /= largest;
    for (int32_t i = 0; i < p->n1; i++)
        p->R[i] *= largest;
}

/* The caller's scratch, part by part. */
typedef struct buffers {
    double *y;                                   /* candidates between the halves of a sweep */
    double *old_rho, *old_gamma, *old_R, *old_C; /* factors from before the sweep */
    double *row_sums, *column_sums;
} buffers;

static buffers divide_scratch(const gm_parts *p, double *scratch)
{
    buffers b;
    b.y = scratch;
    b.old_rho = b.y + p->n_candidates;
    b.old_gamma = b.old_rho + p->n1;
    b.old_R = b.old_gamma + p->n2;
    b.old_C = b.old_R + p->n1;
    b.row_sums = b.old_C + p->n2;
    b.column_sums = b.row_sums + p->n1;
    return b;
}

static void keep_factors(const gm_parts *p, const buffers *b)
{
    memcpy(b->old_rho, p->rho, sizeof *p->rho * (size_t)(p->n1 - p->row));
    memcpy(b->old_gamma, p->gamma, sizeof *p->gamma * (size_t)(p->n2 - p->col));
    if (p->R) {
        memcpy(b->old_R, p->R, sizeof *p->R * (size_t)p->n1);
        memcpy(b->old_C, p->C, sizeof *p->C * (size_t)p->n2);
    }
}

/* Both halves of a sweep if every pair is a candidate. Returns the squared change. */
static double sweep_full(const gm_parts *p, const buffers *b)
{
    row_sums_of_full(p->x, p->n1, p->n2, b->row_sums);
    replace_zeros(b->row_sums, p->n1);
    divide_rows_of_full(p, b->row_sums, b->y);
    column_sums_of_full(b->y, p->n1, p->n2, b->column_sums);
    replace_zeros(b->column_sums, p->n2);
    return divide_columns_of_full(p, b->column_sums, b->y);
}

/* Both halves of a sweep. Returns the squared change of the candidates; *rest_counts says whether
 * the rest contributed to any sum. */
static double sweep_parts(const gm_parts *p, const buffers *b, int *rest_counts)
{
    const half_sweep rows = {p->n1, p->n2, p->row, p->col, p->rows, p->rho, p->gamma, p->R, p->C};
    const half_sweep columns = {p->n2,    p->n1,  p->col, p->row, p->columns,
                                p->gamma, p->rho, p->C,   p->R};
    row_sums(p, b->row_sums);
    *rest_counts = add_products(&rows, b->row_sums);
    replace_zeros(b->row_sums, p->n1);
    divide_rows(p, b->row_sums, b->y);
    divide_products(&rows, b->row_sums);
    column_sums(p, b->y, b->column_sums);
    *rest_counts |= add_products(&columns, b->column_sums);
    replace_zeros(b->column_sums, p->n2);
    const double change = divide_columns(p, b->column_sums, b->y);
    divide_products(&columns, b->column_sums);
    return change;
}

int64_t gm_sinkhorn(const gm_parts *parts, double tol2, int64_t max_sweeps, double *scratch)
{
    const gm_parts p = *parts;
    const buffers b = divide_scratch(&p, scratch);
    const int32_t m1 = p.n1 - p.row, m2 = p.n2 - p.col;
    const int full = p.n_candidates == (int64_t)p.n1 * p.n2;
    if (p.R)
        balance(&p);
    int64_t sweep = 0;
    double change = INFINITY;
    while (sweep < max_sweeps && !(change < tol2) && !isnan(change)) {
        sweep++;
        keep_factors(&p, &b);
        int rest_counts = 0;
        change = full ? sweep_full(&p, &b) : sweep_parts(&p, &b, &rest_counts);
        /* changes of the parts add up, and none is negative: above tol2 no other is needed */
        if (change < tol2)
            change += product_change(p.rho, b.old_rho, m1, p.gamma, b.old_gamma, m2);
        if (change < tol2 && rest_counts)
            change += rest_change(&p, b.old_R, b.old_C, INVISIBLE * tol2);
    }
    return isnan(change) ? -1 : sweep;
}
