/* See polish.h. */
#include "assignment/polish.h"

#include "base/watch.h"

#include <math.h>

enum {
    NO_ROW = -1,      /* mover: a column becomes free, or is free already */
    MOST_CYCLES = 100 /* cycles that are applied; rounding leaves few */
};

/* A sum of two pairs errs by less than 2^-103 of itself (Joldes, Muller and Popescu 2017). */
static const double SMALL = 0x1p-98; /* of the largest potential: less does not lower another one */
static const double FINE = 0x1p-100; /* of the numbers of a move: at least the error of its sums */

void gm_polish_take(gm_polish *polish, gm_pool *pool, int32_t n_rows, int32_t n_cols)
{
    polish->n_rows = n_rows;
    polish->n_cols = n_cols;
    GM_TAKE(pool, n_cols, polish->row_of);
    GM_TAKE(pool, (int64_t)n_cols + 1, polish->potential);
    GM_TAKE(pool, (int64_t)n_cols + 1, polish->mover);
    GM_TAKE(pool, (int64_t)n_cols + 1, polish->from);
    GM_TAKE(pool, (int64_t)n_cols + 1, polish->seen);
}

/* ---- arithmetic in pairs */

/* a + b = high + low, exactly (Knuth) */
static gm_double2 exact_sum(double a, double b)
{
    const double high = a + b, part = high - a;
    return (gm_double2){high, (a - (high - part)) + (b - part)};
}

/* The same if |a| >= |b| (Dekker). */
static gm_double2 ordered_sum(double a, double b)
{
    const double high = a + b;
    return (gm_double2){high, b - (high - a)};
}

static gm_double2 plus(gm_double2 a, gm_double2 b)
{
    const gm_double2 high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
    const gm_double2 sum = ordered_sum(high.high, high.low + low.high);
    return ordered_sum(sum.high, sum.low + low.low);
}

static int is_less(gm_double2 a, gm_double2 b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* ---- entries of a row */

static int64_t first_entry(const gm_polish *polish, int32_t r)
{
    return polish->start ? polish->start[r] : (int64_t)r * polish->n_cols;
}

static int32_t column(const gm_polish *polish, int32_t r, int64_t e)
{
    return polish->start ? polish->col[e] : (int32_t)(e - (int64_t)r * polish->n_cols);
}

/* The cost of row r in its column. */
static double own_cost(const gm_polish *polish, int32_t r)
{
    const int32_t m = polish->col_of[r];
    if (m < 0)
        return 0.0;
    int64_t e = first_entry(polish, r);
    if (!polish->start)
        return polish->cost[e + m];
    while (polish->col[e] != m)
        e++;
    return polish->cost[e];
}

/* ---- passes */

/* Lowers the potential of column c to that of `from` plus the cost of a move. 1 if it is lower. */
static int relax(gm_polish *polish, int32_t c, int32_t from, int32_t mover, gm_double2 move,
                 gm_double2 small)
{
    const gm_double2 lower = plus(polish->potential[from], move);
    if (!is_less(plus(lower, small), polish->potential[c]))
        return 0;
    polish->potential[c] = lower;
    polish->mover[c] = mover;
    polish->from[c] = from;
    return 1;
}

/* All moves once. 1 if a potential is lower, or the run is over. */
static int pass(gm_polish *polish, gm_double2 small, gm_watch *watch)
{
    const int32_t none = polish->n_cols;
    const gm_double2 nothing = {0.0, 0.0};
    int changed = 0;
    for (int32_t r = 0; r < polish->n_rows; r++) {
        const int64_t begin = first_entry(polish, r), end = first_entry(polish, r + 1);
        if (gm_watch_spend(watch, 4 * (end - begin + 1)))
            return 1;
        const int32_t m = polish->col_of[r] < 0 ? none : polish->col_of[r];
        const double own = own_cost(polish, r);
        for (int64_t e = begin; e < end; e++)
            if (column(polish, r, e) != m)
                changed |= relax(polish, column(polish, r, e), m, r,
                                 exact_sum(polish->cost[e], -own), small);
        if (polish->rows_may_be_free && m != none)
            changed |= relax(polish, none, m, r, exact_sum(0.0, -own), small);
    }
    if (!polish->rows_may_be_free && polish->n_rows == polish->n_cols)
        return changed;
    for (int32_t c = 0; c < polish->n_cols; c++) /* a chain of moves may end in a free column, */
        if (polish->row_of[c] < 0)
            changed |= relax(polish, none, c, NO_ROW, nothing, small);
    for (int32_t c = 0; c < polish->n_cols; c++) /* and leave its first one free */
        if (polish->row_of[c] >= 0)
            changed |= relax(polish, c, none, NO_ROW, nothing, small);
    return changed;
}

/* A column on a cycle of moves that lowered each other's potentials, so that it costs less than 0;
 * -1: none. */
static int32_t cycle(const gm_polish *polish)
{
    for (int32_t c = 0; c <= polish->n_cols; c++)
        polish->seen[c] = -1;
    for (int32_t c = 0; c <= polish->n_cols; c++) {
        int32_t at = c;
        while (at >= 0 && polish->seen[at] < 0) {
            polish->seen[at] = c;
            at = polish->from[at];
        }
        if (at >= 0 && polish->seen[at] == c)
            return at;
    }
    return -1;
}

static void forget_moves(gm_polish *polish)
{
    for (int32_t c = 0; c <= polish->n_cols; c++)
        polish->from[c] = polish->mover[c] = -1;
    for (int32_t c = 0; c < polish->n_cols; c++)
        polish->row_of[c] = -1;
    for (int32_t r = 0; r < polish->n_rows; r++)
        if (polish->col_of[r] >= 0)
            polish->row_of[polish->col_of[r]] = r;
}

/* Makes the moves of a cycle. */
static void apply(gm_polish *polish, int32_t first)
{
    int32_t at = first;
    do {
        if (polish->mover[at] >= 0)
            polish->col_of[polish->mover[at]] = at == polish->n_cols ? -1 : at;
        at = polish->from[at];
    } while (at != first);
    forget_moves(polish);
}

/* ---- the answer */

/* An upper bound of the absolute potentials: of the start, and of every path of moves. */
static double largest(const gm_polish *polish, const double *v)
{
    double start = 0.0, cost = 0.0;
    for (int32_t c = 0; c < polish->n_cols; c++)
        start = fmax(start, fabs(v[c]));
    for (int64_t e = 0; e < first_entry(polish, polish->n_rows); e++)
        cost = fmax(cost, fabs(polish->cost[e]));
    return start + 4.0 * ((double)polish->n_rows + 2.0) * cost;
}

/* By how much the potential of column c may exceed that of `from` plus the cost of a move, all
 * errors included; 0 if it does not, as that of a move that costs much. */
static double excess(const gm_polish *polish, int32_t c, int32_t from, gm_double2 move)
{
    const gm_double2 own = polish->potential[c], lower = plus(polish->potential[from], move);
    const gm_double2 over = plus(own, (gm_double2){-lower.high, -lower.low});
    const double size = fabs(own.high) + fabs(polish->potential[from].high) + fabs(move.high);
    return fmax(over.high + 0x1p-50 * fabs(over.high) + FINE * size, 0.0);
}

/* The sum over rows of the largest excess of a move, and over columns of that of being freed and of
 * ending a chain: no change of the matching saves more. INFINITY if the run is over. */
static double total_excess(const gm_polish *polish, gm_watch *watch)
{
    const int32_t none = polish->n_cols;
    const gm_double2 nothing = {0.0, 0.0};
    double total = 0.0;
    for (int32_t r = 0; r < polish->n_rows; r++) {
        const int64_t begin = first_entry(polish, r), end = first_entry(polish, r + 1);
        if (gm_watch_spend(watch, 4 * (end - begin + 1)))
            return INFINITY;
        const int32_t m = polish->col_of[r] < 0 ? none : polish->col_of[r];
        const double own = own_cost(polish, r);
        double largest = 0.0;
        for (int64_t e = begin; e < end; e++)
            if (column(polish, r, e) != m)
                largest = fmax(largest, excess(polish, column(polish, r, e), m,
                                               exact_sum(polish->cost[e], -own)));
        if (polish->rows_may_be_free && m != none)
            largest = fmax(largest, excess(polish, none, m, exact_sum(0.0, -own)));
        total += largest;
    }
    if (polish->rows_may_be_free || polish->n_rows != polish->n_cols)
        for (int32_t c = 0; c < polish->n_cols; c++)
            total += polish->row_of[c] < 0 ? excess(polish, none, c, nothing)
                                           : excess(polish, c, none, nothing);
    return total + 0x1p-50 * ((double)polish->n_rows + (double)polish->n_cols) * total;
}

/* The cost of the matching, less the error of the potentials, rounded down. A change of the
 * matching is made of at most n_rows moves of rows, and twice as many that free a column or end in
 * a free one; if a change costs more than the error of its moves, the error does not matter. */
static double lower_bound(const gm_polish *polish, double small, gm_watch *watch)
{
    const double error = fmin(6.0 * (double)polish->n_rows * small, total_excess(polish, watch));
    gm_double2 total = {0.0, 0.0};
    double size = 0.0;
    for (int32_t r = 0; r < polish->n_rows; r++) {
        const double own = own_cost(polish, r);
        total = plus(total, exact_sum(own, 0.0));
        size += fabs(own);
    }
    total = plus(total, exact_sum(-error - FINE * (double)polish->n_rows * size, 0.0));
    return total.low < 0.0 ? nextafter(total.high, -INFINITY) : total.high;
}

int gm_polish_run(gm_polish *polish, const double *v, gm_watch *watch, double *bound)
{
    const double small = SMALL * largest(polish, v);
    int n_cycles = 0, changed = 1;
    *bound = -INFINITY;
    if (!isfinite(small))
        return GM_OK;
    for (int32_t c = 0; c < polish->n_cols; c++)
        polish->potential[c] = exact_sum(v[c], 0.0);
    polish->potential[polish->n_cols] = exact_sum(0.0, 0.0);
    forget_moves(polish);
    for (int32_t k = 0; changed && k <= 2 * polish->n_cols + MOST_CYCLES; k++) {
        changed = pass(polish, exact_sum(small, 0.0), watch);
        if (gm_watch_is_over(watch))
            return GM_ECUT;
        const int32_t c = changed ? cycle(polish) : -1;
        if (c >= 0) {
            if (++n_cycles > MOST_CYCLES)
                return GM_OK;
            apply(polish, c);
        }
    }
    if (!changed)
        *bound = lower_bound(polish, small, watch);
    return GM_OK;
}
