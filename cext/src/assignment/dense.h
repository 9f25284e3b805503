/* Dense linear assignment with real costs and duals (Jonker and Volgenant, Computing 38, 1987). */
#ifndef GM_ASSIGNMENT_DENSE_H
#define GM_ASSIGNMENT_DENSE_H

#include "gm.h"

/* Every row gets a column; n_rows <= n_cols. */
typedef struct gm_dense {
    int32_t n_rows, n_cols;
    const double *cost; /* n_rows x n_cols, row by row; +inf = forbidden, but not in a whole row,
                         * nor, if n_rows == n_cols, in a whole column */
    int32_t *col_of;    /* n_rows: the answer */
    int32_t *row_of;    /* n_cols: the row of each column, -1 = none */
    double *v;          /* n_cols: duals; at most 0, and 0 without a row, if n_rows < n_cols */
    double *open;       /* n_cols: scratch, like all that follows */
    double *hidden, *distance;
    int64_t *before;
    int32_t *closed;
} gm_dense;

/* Lays the arrays of an assignment of this size into memory of the caller, who sets the cost:
 * gm_dense_bytes of it, aligned as malloc does. */
int64_t gm_dense_bytes(int32_t n_rows, int32_t n_cols);
void gm_dense_lay(gm_dense *dense, void *memory, int32_t n_rows, int32_t n_cols);

/* Finds the cheapest assignment and its duals v. GM_OK, GM_ECUT if the run is over, or GM_ELIMIT if
 * there is none, or duals leave the range of doubles. */
int gm_dense_solve(gm_dense *dense, gm_watch *watch);

/* The least cost - v of row i: its dual u. */
double gm_dense_row_dual(const gm_dense *dense, int32_t i);

/* By how much cost - v of each row in its column exceeds the least of the row, as real numbers,
 * rounded up: summed over the rows it is the gap of value and duals. */
double gm_dense_excess(const gm_dense *dense);

#endif
