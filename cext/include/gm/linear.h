/* Linear assignment, and the dense linear algebra that kernels borrow. */
#ifndef GM_GM_LINEAR_H
#define GM_GM_LINEAR_H

#include "gm/run.h"

/* ---- linear assignment on candidate lists ---------------------------------------------------
 * Minimise the cost of a matching between rows and columns. Row i may be matched to the columns
 * col[start[i]] .. col[start[i + 1] - 1]; both arrays are borrowed, and costs come in their order.
 * complete = 0: any row may stay unmatched at cost 0. complete = 1: every row is matched.
 * Duals u (rows) and v (columns): cost - u - v >= 0 on every entry, = 0 on matched entries,
 * v <= 0 with v = 0 on unmatched columns, and for complete = 0 u <= 0 with u = 0 on unmatched
 * rows; sum(u) + sum(v) is the optimal value.
 */
typedef struct gm_lap gm_lap;

gm_lap *gm_lap_new(int32_t n_rows, int32_t n_cols, const int64_t *start, const int32_t *col);
void gm_lap_free(gm_lap *lap);
/* The run that the assignment is part of; it must live as long. */
void gm_lap_heed(gm_lap *lap, gm_watch *watch);
/* Ends a solve, by GM_ECUT, after it has looked at about this many entries; 0: no limit. */
void gm_lap_limit_work(gm_lap *lap, int64_t work);
/* Ends a solve, by GM_ECUT, if its first matching leaves more rows free than this; n_rows: never.
 */
void gm_lap_limit_free(gm_lap *lap, int32_t n_rows);
/* +inf marks a forbidden entry. warm = 1 starts from the column duals of the previous solve, which
 * is faster if few costs have changed; the optimal value is the same. Returns GM_OK, or
 * GM_EINFEASIBLE if complete is asked for and impossible, or GM_ECUT; then nothing is matched.
 */
int gm_lap_solve(gm_lap *lap, const double *cost, int complete, int warm);
/* Sets the column duals, at most 0, from which a solve with warm = 1 starts; nothing is matched. */
void gm_lap_set_duals(gm_lap *lap, const double *v);
const int32_t *gm_lap_match(const gm_lap *lap); /* n_rows: matched column or -1 */
const int64_t *gm_lap_entry(const gm_lap *lap); /* n_rows: matched entry or -1 */
const double *gm_lap_u(const gm_lap *lap);
const double *gm_lap_v(const gm_lap *lap);
double gm_lap_value(const gm_lap *lap);

/* A matching of as many rows as possible, on a pattern as of gm_lap_new; match gets the column of
 * each row, or -1. GM_OK or GM_ENOMEM. */
int gm_largest_matching(int32_t n_rows, int32_t n_cols, const int64_t *start, const int32_t *col,
                        int32_t *match);

/* ---- a plain matrix of n1 x n2 costs, row by row ---------------------------------------------
 * labels gets the column of each row, or -1. Returns the cost, which duals prove but for its own
 * rounding. Returns NaN without a proof, a matching, memory, a row or a column, with entries that
 * add up to too much, and if the watch is over: then labels mean nothing.
 */
typedef struct gm_assign_order {
    double sign;     /* 1 or -1: sign * entries are minimised; +inf after that is forbidden */
    double price;    /* of each node of the smaller side that stays free; INFINITY: none may */
    double largest;  /* sum of the absolute values of allowed entries */
    gm_watch *watch; /* or NULL */
} gm_assign_order;

double gm_assign_matrix(int32_t n1, int32_t n2, const void *doubles, const gm_assign_order *order,
                        int32_t *labels);

/* ---- a model without edges: one linear assignment, proven by its duals, in one iteration ------
 */
typedef struct gm_linear_options {
    int32_t unused; /* C has no empty structs */
} gm_linear_options;

gm_run *gm_linear_new(const gm_model *model, const gm_linear_options *options);
int gm_linear_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_linear_free(gm_run *run);

/* Munkres' algorithm on a dense matrix with the scan order of the MATLAB originals: how ties are
 * broken decides some published values. cost is n_rows x n_cols, column-major, +inf = forbidden,
 * and is overwritten; match gets the column of each row, or -1. */
int gm_munkres(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match);

/* ---- dense linear algebra ----------------------------------------------------------------------
 * BLAS and LAPACK functions in Fortran's calling convention, provided by the caller (Python takes
 * them from SciPy). A kernel that finds dgemm NULL sets `wanted` and returns from its step; if it
 * is still NULL in the next step, the kernel does without.
 */
typedef struct gm_lapack {
    int32_t wanted;
    void (*dgemm)(char *, char *, int *, int *, int *, double *, double *, int *, double *, int *,
                  double *, double *, int *);
    void (*dsyrk)(char *, char *, int *, int *, double *, double *, int *, double *, double *,
                  int *);
    void (*sgemm)(char *, char *, int *, int *, int *, float *, float *, int *, float *, int *,
                  float *, float *, int *);
    void (*ssyrk)(char *, char *, int *, int *, float *, float *, int *, float *, float *, int *);
    void (*dsyevd)(char *, char *, int *, double *, int *, double *, double *, int *, int *, int *,
                   int *);
    void (*ssyevd)(char *, char *, int *, float *, int *, float *, float *, int *, int *, int *,
                   int *);
    void (*dpotrf)(char *, int *, double *, int *, int *);
    void (*dgeqrf)(int *, int *, double *, int *, double *, double *, int *, int *);
} gm_lapack;

#endif
