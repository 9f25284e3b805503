/* Sinkhorn scaling on candidate lists. A matrix n1 x n2 costs only its candidates: pairs that carry
 * no information of their own stay products of one factor a row and one a column, since scaling
 * rows and columns keeps a product a product. */
#include "base/csr.h"
#include "base/lanes.h"
#include "gm.h"

#include <math.h>
#include <string.h>

/* Sums run in GM_LANES parts: one alone waits for the latency of every addition. Indices are 64
 * bits wide there, since the compiler does not see four neighbours behind narrower ones. */
static double together(const double *total)
{
    return (total[0] + total[1]) + (total[2] + total[3]);
}

static double sum(const double *v, int32_t n)
{
    double total = 0.0;
    for (int32_t k = 0; k < n; k++)
        total += v[k];
    return total;
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

/* |u v' - w z'|^2 of two products. */
static double product_change(const double *u, const double *w, int32_t m, const double *v,
                             const double *z, int32_t n)
{
    return dot(u, u, m) * dot(v, v, n) + dot(w, w, m) * dot(z, z, n) -
           2.0 * dot(u, w, m) * dot(v, z, n);
}

/* One half of a sweep, told for rows: rest = R, rest_other = C. first and first_other say where the
 * block starts on either side. */
typedef struct half {
    int32_t n, n_other, first, first_other;
    gm_lines lines;
    double *block, *block_other; /* rho and gamma, or the other way round */
    double *rest, *rest_other;   /* R and C, or the other way round, or NULL */
} half;

/* Sums over the factors of the other side: of the block, and of the rest before the block and in
 * all. */
typedef struct others {
    double block, below, all;
} others;

/* Each sum in its order, which exact ties depend on; the three side by side, as each waits for the
 * latency of every addition. */
static others sum_others(const half *h)
{
    const int32_t first = h->first_other, inside = h->n_other - first;
    if (!h->rest)
        return (others){.block = sum(h->block_other, inside)};
    const double *below = h->rest_other, *rest = below + first, *block = h->block_other;
    double of_block = 0.0, of_below = 0.0, of_rest = 0.0;
    int32_t k = 0;
    for (; k < first && k < inside; k++) {
        of_block += block[k];
        of_rest += rest[k];
        of_below += below[k];
    }
    for (int32_t i = k; i < first; i++)
        of_below += below[i];
    for (int32_t i = k; i < inside; i++) {
        of_block += block[i];
        of_rest += rest[i];
    }
    return (others){of_block, of_below, of_below + of_rest};
}

GM_WIDE static void add_multiple(double *restrict sums, const double *restrict v, double factor,
                                 int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        sums[i] += v[i] * factor;
}

/* ---- the rest. It stands for all pairs outside block and candidates: pair (i, s) has R_i C_s. So
 * line i as a whole has R_i times C added up over what it shares with the rest: for a line before
 * the block all of C, for a line of the block the part of C before the other side's block, both
 * less C at the line's own candidates. */

static const double INVISIBLE = 1e-17; /* of a sum: adding it leaves the sum as it is */
static const double LEFT_OVER = 1e-13; /* of all: a smaller difference is rounding, not a rest */

/* Whether the rest could change the sum of any of n lines; most: all that the other side's factors
 * add up to. */
GM_WIDE static int can_change_a_sum(const double *restrict rest, double most,
                                    const double *restrict sums, int32_t n)
{
    int64_t count = 0;
    for (int32_t i = 0; i < n; i++)
        count += rest[i] * most > INVISIBLE * sums[i];
    return count > 0;
}

/* The other side's factors (C for a row i), added up over the candidates of line i that are in
 * lines `from` and later of the other side. */
static double factors_at_candidates(const half *h, int32_t i, int32_t from)
{
    const int32_t *across = h->lines.across, begin = h->lines.start[i], end = h->lines.start[i + 1];
    int32_t k = begin;
    if (from > 0)
        for (k = end; k > begin && across[k - 1] >= from;)
            k--;
    double total = 0.0;
    for (; k < end; k++)
        total += h->rest_other[across[k]];
    return total;
}

/* Adds each line's share of the rest to its sum. below and all: the other side's factors before its
 * block, and in all. Returns whether it changed anything; the caller scales the rest in any case,
 * since a rest too small to be seen now may grow in later sweeps. */
static int add_rest(const half *h, double below, double all, double *sums)
{
    const int before = can_change_a_sum(h->rest, all, sums, h->first),
              inside =
                  can_change_a_sum(h->rest + h->first, below, sums + h->first, h->n - h->first);
    /* factors before the block that cannot be seen beside all need not be taken off */
    const int32_t from = below < INVISIBLE * all ? h->first_other : 0;
    for (int32_t c = 0; c < h->n && (before || inside); c++) {
        const int32_t i = h->lines.order[c];
        if (i < h->first ? !before : !inside)
            continue;
        const double free = i < h->first ? all - factors_at_candidates(h, i, from)
                                         : below - factors_at_candidates(h, i, 0);
        sums[i] += free > LEFT_OVER * all ? h->rest[i] * free : 0.0;
    }
    return before || inside;
}

/* Adds what block and rest contribute to the sums of the lines. Returns whether the rest counts. */
static int add_products(const half *h, double *sums)
{
    const others o = sum_others(h);
    add_multiple(sums + h->first, h->block, o.block, h->n - h->first);
    return h->rest ? add_rest(h, o.below, o.all, sums) : 0;
}

/* ---- one sweep over the candidates. Nothing but sums and divisions, in the originals' order:
 * entries that tie there must tie here. x holds the sweep's start until the very end, so that its
 * change needs no copy. */

static void row_sums(const gm_parts *p, double *sums)
{
    memset(sums, 0, sizeof *sums * (size_t)p->n1);
    for (int32_t k = 0; k < p->n_candidates; k++)
        sums[p->left[k]] += p->x[k];
}

/* Columns with equally many candidates follow each other, so that the processor foresees where each
 * of them ends. */
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

GM_WIDE static void divide_in_place(double *restrict x, const double *restrict divisor, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        x[k] /= divisor[k];
}

GM_WIDE static void divide(double *restrict y, const double *restrict x,
                           const double *restrict divisor, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        y[k] = x[k] / divisor[k];
}

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

/* x = y / sums, and the squared change of x. */
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
        const gm_lanes quotient = GM_LANES_AT(y + k) / divisor, d = quotient - GM_LANES_AT(x + k);
        GM_LANES_PUT(x + k, quotient);
        total += d * d;
    }
    for (; k < n; k++) {
        const double quotient = y[k] / sums[line[k]], d = quotient - x[k];
        x[k] = quotient;
        total[0] += d * d;
    }
    return (total[0] + total[1]) + (total[2] + total[3]);
}

/* The same where every pair is a candidate: x is a plain matrix, and nothing needs to be gathered.
 */

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

/* x = y, and the squared change of x. */
GM_WIDE static double settle(double *restrict x, const double *restrict y, int64_t n)
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
        change += settle(p->x + (int64_t)s * p->n1, column, p->n1);
    }
    return change;
}

static void leave_zeros_alone(double *sums, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        sums[i] = sums[i] == 0.0 ? 1.0 : sums[i];
}

/* The product parts of the lines of one side, divided by their sums. */
static void divide_products(const half *h, const double *sums)
{
    divide_in_place(h->block, sums + h->first, h->n - h->first);
    if (h->rest)
        divide_in_place(h->rest, sums, h->n);
}

/* Squared change of the rest: of the whole product, without block and candidates. 0 where all of it
 * is negligible. */
static double rest_change(const gm_parts *p, const double *old_R, const double *old_C,
                          double negligible)
{
    const double now = dot(p->R, p->R, p->n1) * dot(p->C, p->C, p->n2),
                 before = dot(old_R, old_R, p->n1) * dot(old_C, old_C, p->n2);
    if (now + before < negligible)
        return 0.0;
    double change = now + before - 2.0 * dot(p->R, old_R, p->n1) * dot(p->C, old_C, p->n2),
           inside[GM_LANES] = {0.0};
    change -= product_change(p->R + p->row, old_R + p->row, p->n1 - p->row, p->C + p->col,
                             old_C + p->col, p->n2 - p->col);
    for (int64_t k = 0; k < p->n_candidates; k += GM_LANES)
        for (int64_t lane = 0; lane < GM_LANES && k + lane < p->n_candidates; lane++) {
            const int32_t i = p->left[k + lane], s = p->right[k + lane];
            const double d = p->R[i] * p->C[s] - old_R[i] * old_C[s];
            inside[lane] += d * d;
        }
    change -= together(inside);
    return change > 0.0 ? change : 0.0;
}

/* Only the products R C' count. The largest C is made 1, so that neither factor leaves the range of
 * doubles before the products do: they can shrink to 1e-300 and grow again, and then decide the
 * answer. */
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

void gm_fill_lines(int32_t n_lines, int32_t n, const int32_t *line, const int32_t *other,
                   int32_t *start, int32_t *across, int32_t *order)
{
    memset(start, 0, sizeof *start * ((size_t)n_lines + 1));
    for (int32_t k = 0; k < n; k++)
        start[line[k] + 1]++;
    /* counting sort by length; across, not needed yet, has room for the lines of each length but 0
     */
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

int64_t gm_sinkhorn(const gm_parts *parts, double tol2, int64_t max_sweeps, double *scratch)
{
    const gm_parts p = *parts;
    const size_t n1 = (size_t)p.n1, n2 = (size_t)p.n2, N = (size_t)p.n_candidates;
    const size_t m1 = n1 - (size_t)p.row, m2 = n2 - (size_t)p.col;
    double *y = scratch, *old_rho = y + N, *old_gamma = old_rho + n1, *old_R = old_gamma + n2,
           *old_C = old_R + n1;
    double *of_rows = old_C + n2, *of_columns = of_rows + n1;
    const half rows = {p.n1, p.n2, p.row, p.col, p.rows, p.rho, p.gamma, p.R, p.C};
    const half cols = {p.n2, p.n1, p.col, p.row, p.columns, p.gamma, p.rho, p.C, p.R};
    if (p.R)
        balance(&p);
    const int full = N == n1 * n2;
    int64_t sweep = 0;
    double change = INFINITY;
    while (sweep < max_sweeps && !(change < tol2) && !isnan(change)) {
        sweep++;
        memcpy(old_rho, p.rho, sizeof *p.rho * m1);
        memcpy(old_gamma, p.gamma, sizeof *p.gamma * m2);
        if (p.R) {
            memcpy(old_R, p.R, sizeof *p.R * n1);
            memcpy(old_C, p.C, sizeof *p.C * n2);
        }
        int rest_counts = 0;
        if (full) {
            row_sums_of_full(p.x, p.n1, p.n2, of_rows);
            leave_zeros_alone(of_rows, p.n1);
            divide_rows_of_full(&p, of_rows, y);
            column_sums_of_full(y, p.n1, p.n2, of_columns);
            leave_zeros_alone(of_columns, p.n2);
            change = divide_columns_of_full(&p, of_columns, y);
        } else {
            row_sums(&p, of_rows);
            rest_counts = add_products(&rows, of_rows);
            leave_zeros_alone(of_rows, p.n1);
            divide_rows(&p, of_rows, y);
            divide_products(&rows, of_rows);
            column_sums(&p, y, of_columns);
            rest_counts |= add_products(&cols, of_columns);
            leave_zeros_alone(of_columns, p.n2);
            change = divide_columns(&p, of_columns, y);
            divide_products(&cols, of_columns);
        }
        if (change < tol2) /* else the other parts need not be asked: none is negative */
            change += product_change(p.rho, old_rho, (int32_t)m1, p.gamma, old_gamma, (int32_t)m2);
        if (change < tol2 && rest_counts)
            change += rest_change(&p, old_R, old_C, 1e-17 * tol2);
    }
    return isnan(change) ? -1 : sweep;
}

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

/* Sum of |difference| over the rest: the whole product without block and candidates. */
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

double gm_parts_distance(const gm_parts *X, const gm_parts *Y, double limit)
{
    const int32_t m1 = X->n1 - X->row, m2 = X->n2 - X->col;
    double total = 0.0;
    for (int32_t k = 0; k < X->n_candidates && total < limit; k++)
        total += fabs(X->x[k] - Y->x[k]);
    if (total < limit)
        total += product_distance(X->rho, Y->rho, m1, X->gamma, Y->gamma, m2, limit - total);
    if (X->R && total < limit) {
        /* no more than all of both: soon too little to count */
        const double most =
            sum(X->R, X->n1) * sum(X->C, X->n2) + sum(Y->R, Y->n1) * sum(Y->C, Y->n2);
        if (!(most < 1e-12 * limit))
            total += rest_distance(X, Y);
    }
    return total;
}
