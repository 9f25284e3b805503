/* Kernels of the classic baselines. */
#ifndef GM_GM_BASELINES_H
#define GM_GM_BASELINES_H

#include "gm/run.h"

/* ---- kernels of the classic baselines -------------------------------------------------------
 * Max-pooling: q[p] = sum over left nodes j of (max of 0 and weight * s over p's neighbours at
 * j)^2. The neighbours of p are neighbour[start[p]] .. neighbour[start[p + 1] - 1], sorted by their
 * node, node[neighbour]. */
void gm_max_pool(int32_t n, const int64_t *start, const int32_t *neighbour, const double *weight,
                 const int32_t *node, const double *s, double *q);

/* The candidates of each line, a line being a row (left node) or a column (label). */
typedef struct gm_lines {
    const int32_t *start, *across; /* the candidates of line i lie in the lines across[start[i]] ..
                                      across[start[i + 1] - 1] of the other side, ascending */
    const int32_t *order;          /* the lines by their number of candidates */
} gm_lines;

/* Fills the three arrays from the n candidates: line[k] and other[k] are the lines of candidate k.
 */
void gm_fill_lines(int32_t n_lines, int32_t n, const int32_t *line, const int32_t *other,
                   int32_t *start, int32_t *across, int32_t *order);

/* An n1 x n2 matrix in three parts:
 *   x      the candidates, sorted by (right, left);
 *   block  every pair with left >= row and right >= col: rho[left - row] * gamma[right - col];
 *   rest   every other pair: R[left] * C[right], or 0 if R is NULL. */
typedef struct gm_parts {
    int32_t n1, n2, n_candidates, row, col;
    const int32_t *left, *right; /* of the candidates */
    gm_lines rows, columns;
    double *x, *rho, *gamma, *R, *C;
} gm_parts;

/* Sinkhorn scaling: rows, then columns are divided by their sums (by 1 if a sum is 0) until a
 * sweep changes the matrix by less than tol2 (squared 2-norm) or max_sweeps are done. scratch:
 * n_candidates + 3 (n1 + n2) doubles. Returns the number of sweeps, or -1 if overflow has made
 * NaN. */
int64_t gm_sinkhorn(const gm_parts *parts, double tol2, int64_t max_sweeps, double *scratch);
/* x = exp(factor y), by the C library. */
void gm_exponentials(int32_t n, double factor, const double *y, double *x);
/* Sum of |X - Y| over two matrices with the same candidates and block; if that is limit or more,
 * any number that is. */
double gm_parts_distance(const gm_parts *X, const gm_parts *Y, double limit);

/* The affinity matrix W = -K of the candidates: W_pp = -cost[p], and W_pq = W_qp = -edge_cost[e] /
 * 2 for the edges e = start[p] .. start[p + 1] - 1 of p, q = behind[e] > p. Costs are those of a
 * model, or all of them scaled by one factor. */
typedef struct gm_affinity {
    int32_t n;
    const int64_t *start;
    const int32_t *behind;
    const double *cost, *edge_cost;
} gm_affinity;

/* start (n + 1) from the sorted first ends a of the edges. */
void gm_edge_starts(int32_t n, int64_t n_edges, const int32_t *a, int64_t *start);
/* The number of edges between candidates of one node or one label. */
int64_t gm_count_conflicts(const gm_model *model);
/* y = W x */
void gm_multiply(const gm_affinity *W, const double *x, double *y);

/* The power iteration v <- W v / |W v|. Returns the number k of iterations done, or -1 - k if W
 * v became 0 or infinite. scratch: n doubles. */
int64_t gm_power(const gm_affinity *W, double *v, double *scratch, int64_t max_iterations,
                 double seconds);
/* Sinkhorn sweeps as spectral matching does them: v over the sums of its nodes in one buffer, that
 * over the sums of its labels in the other, machine epsilon added to all sums; at the end v is the
 * mean of both buffers. scratch: n + max(n1, n2) doubles. */
void gm_bistochastic(int32_t n1, int32_t n2, int32_t n, const int32_t *left, const int32_t *right,
                     double *v, int64_t sweeps, double *scratch);

/* Reweighted random walks (Cho, Lee and Lee 2010). All arrays belong to the caller. jump.x holds
 * the reweighting jump, s and older the last two states of the walk; implicit and older_implicit
 * their value on each pair of jump's block. */
enum gm_walk { GM_WALK_ON = 0, GM_WALK_CONVERGED = 1, GM_WALK_DEAD = 2 };

typedef struct gm_rrwm {
    gm_affinity M;
    gm_parts jump;
    double c, amp_max, tol, tol_sinkhorn;
    int64_t sweeps, iteration;
    double *s, *older, *q, *mixed; /* n each */
    double *scratch;               /* as gm_sinkhorn wants it */
    double implicit, older_implicit;
} gm_rrwm;

/* Returns an enum gm_walk. */
int gm_rrwm_step(gm_rrwm *walk, int64_t max_iterations, double seconds);

/* The whole method for one small model: transforms, walk and rounding. labels gets the matching,
 * scores (n1 x n2, row by row, zeros before) the last state of the walk, ending an enum gm_ending.
 * The walk ends when *stop becomes 1. */
typedef struct gm_rrwm_options {
    double c, amp_max, tol, tol_sinkhorn;
    int64_t sweeps;
} gm_rrwm_options;

int gm_rrwm_solve(const gm_model *model, const gm_rrwm_options *options, int64_t max_iterations,
                  double seconds, const int32_t *stop, int32_t *labels, double *scores,
                  int64_t *iterations, int32_t *ending);

/* Factorized graph matching: modified Frank-Wolfe for one alpha of the path, from the end of the
 * last one ended. Matrices are n x n, column-major; place: the candidate at (i, s), or -1;
 * position: i + n s of each candidate; start, neighbour, weight: rows of the symmetric affinity of
 * edges. X, the start of the path, is copied; all else is borrowed. */
typedef struct gm_fgm gm_fgm;

gm_fgm *gm_fgm_new(int32_t n, const int32_t *place, const int32_t *position, const int64_t *start,
                   const int32_t *neighbour, const double *weight, const double *KP,
                   const double *A, const double *X);
void gm_fgm_free(gm_fgm *fgm);
/* Returns the number of iterations done. */
int64_t gm_fgm_climb(gm_fgm *fgm, double alpha, int64_t max_iterations, double seconds);
const double *gm_fgm_X(const gm_fgm *fgm);

/* ---- fw: Frank-Wolfe with restarts ----------------------------------------------------------- */
typedef struct gm_fw_options {
    const int32_t *init; /* n1 labels to start from, or NULL: nothing assigned */
    double tol;          /* a descent ends at a relative duality gap of tol */
    int64_t restarts;    /* finished after this many further descents without a gain */
    int64_t seed;
} gm_fw_options;

gm_run *gm_fw_new(const gm_model *model, const gm_fw_options *options);
int gm_fw_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_fw_free(gm_run *run);

#endif
