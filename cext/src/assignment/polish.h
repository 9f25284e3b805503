/* The last digits of a linear assignment: improves a matching that rounding has kept from the
 * optimum, or proves it, in pairs of doubles.
 *
 * Duals of a search in doubles have the error of the largest numbers on the way, such as costs that
 * stand for 'forbidden'. A matching is optimal if and only if no cycle of moves lowers its cost; a
 * move takes a row from its column to another one, or to none. Potentials of the columns y with
 *
 *     y[c] <= y[m] + cost(r, c) - cost(r, m)    for each row r, its column m, and each column c
 *
 * show that there is no such cycle. They are found by Bellman and Ford's method, which starts from
 * the duals and so ends after few passes. */
#ifndef GM_ASSIGNMENT_POLISH_H
#define GM_ASSIGNMENT_POLISH_H

#include "base/pool.h"
#include "gm.h"

/* An unevaluated sum of two doubles of which the second is rounding error of the first. */
typedef struct gm_double2 {
    double high, low;
} gm_double2;

typedef struct gm_polish {
    int32_t n_rows, n_cols;
    const int64_t *start; /* entries of each row; NULL: dense, row by row */
    const int32_t *col;   /* their columns */
    const double *cost;
    int rows_may_be_free;  /* at cost 0; otherwise every row has a column */
    int32_t *col_of;       /* n_rows: the matching, -1 = free; improved */
    int32_t *row_of;       /* n_cols */
    gm_double2 *potential; /* n_cols + 1: the last is that of rows and columns that are free */
    int32_t *mover;        /* n_cols + 1: the row whose move has lowered the potential */
    int32_t *from;         /* n_cols + 1: and where it comes from */
    int32_t *seen;         /* n_cols + 1 */
} gm_polish;

/* Takes the arrays but col_of, which the caller sets, as it does the costs. */
void gm_polish_take(gm_polish *polish, gm_pool *pool, int32_t n_rows, int32_t n_cols);

/* Improves col_of; v are duals to start from. *bound: no assignment costs less, or -inf if the
 * passes do not suffice. GM_OK, or GM_ECUT if the run is over. */
int gm_polish_run(gm_polish *polish, const double *v, gm_watch *watch, double *bound);

#endif
