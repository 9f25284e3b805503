/* Searches on two matrices. */
#ifndef GM_GM_QAP_H
#define GM_GM_QAP_H

#include "gm/run.h"

/* ---- quadratic assignment on two matrices -----------------------------------------------------
 * minimise sum_ik A_ik B_p(i)p(k) + sum_i C_i,p(i) over permutations p; all n x n, row by row, zero
 * diagonals in A and B. C may be NULL; +inf in C forbids a pair.
 */
typedef struct gm_qap {
    int32_t n;
    const double *A, *B, *C;
} gm_qap;

typedef struct gm_qap_options {
    uint64_t seed;
    const int32_t *init; /* n: a permutation without a forbidden pair */
    double bound;        /* known from elsewhere, or -inf: finished if it is met */
    double tolerance;    /* for gm_gap_closed */
    int64_t patience;    /* finished after this many rounds of 2 n swaps without success */
} gm_qap_options;

gm_run *gm_qap_new(const gm_qap *qap, const gm_qap_options *options);
int gm_qap_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_qap_free(gm_run *run);

/* The same with sparse matrices, A over nodes and B over labels. n is at least the size of both;
 * nodes and labels beyond those sizes are dummies, which cost nothing. The links of i are all k for
 * which A_ik or A_ki is not 0, each once. */
typedef struct gm_links {
    int32_t n;
    const int64_t *start; /* n + 1 */
    const int32_t *other;
    const double *out, *in; /* A_ik and A_ki */
} gm_links;

typedef struct gm_align {
    int32_t n;
    gm_links A, B;
    const double *C;      /* A.n x B.n row by row, +inf = forbidden; NULL = none */
    const int32_t *fixed; /* A.n: 1 = the node keeps its label; NULL = all may move */
    /* Not 0: two arcs cost overlap * min(A_ik, B_st) instead of A_ik B_st; no entry is negative. */
    double overlap;
} gm_align;

typedef struct gm_align_options {
    uint64_t seed;
    const int32_t *init;     /* n: a permutation without a forbidden pair */
    double bound, tolerance; /* as in gm_qap_options */
    int64_t patience;        /* finished after this many trials without a better value */
} gm_align_options;

gm_run *gm_align_new(const gm_align *model, const gm_align_options *options);
int gm_align_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_align_free(gm_run *run);

/* ---- agreement of neighbourhoods ---------------------------------------------------------------
 * A symmetric graph: the links of node i are other[start[i]] .. other[start[i + 1] - 1], each with
 * its weight, which is not negative. */
typedef struct gm_weighted {
    int32_t n;
    const int64_t *start;
    const int32_t *other;
    const float *weight;
} gm_weighted;

/* For all pairs (i, s), from W (A.n x B.n, row by row, not negative) the lesser of
 *   sum over links j of i of a_ij max over links t of s of b_st W_jt   and
 *   sum over links t of s of b_st max over links j of i of a_ij W_jt,
 * each of which is at least the best assignment of the links of i to those of s. gm_pool_labels
 * adds to sum (as large as W) the share of the rows first .. last - 1 of W in the first of them;
 * once all rows are done, gm_pool_nodes lowers those rows of sum to the second. scratch: B.n
 * numbers. */
void gm_pool_labels(const gm_weighted *A, const gm_weighted *B, const float *W, int32_t first,
                    int32_t last, float *sum, float *scratch);
void gm_pool_nodes(const gm_weighted *A, const gm_weighted *B, const float *W, int32_t first,
                   int32_t last, float *sum, float *scratch);

/* The same for few pairs. Row j of `lists` has the labels t of node j that are worth a look, each
 * with W_jt > 0; W of all others is 0. Only pairs (i, s) with a link between s and a label of a
 * neighbour of i, or with positive evidence, are looked at. Their score is
 *   rate * the lesser sum - prior * |left_i - right_s|^2 + the evidence of (i, s). */
typedef struct gm_near {
    const gm_weighted *A, *B;
    const gm_weighted *lists, *evidence; /* A.n rows */
    int32_t n_features, width;           /* width: labels that a node keeps */
    const float *left, *right;           /* A.n and B.n rows of n_features numbers */
    float rate, prior;
    float *sums;    /* 4 B.n, 0 before and after each call */
    int32_t *marks; /* 4 B.n, scratch */
} gm_near;

/* For the nodes first .. last - 1 the labels of the largest scores, in any order: count[i] of them
 * in the first places of row i of label and score (A.n x width). */
void gm_pool_near(const gm_near *near, int32_t first, int32_t last, int32_t *count, int32_t *label,
                  float *score);

/* ---- overlaps of directed graphs ---------------------------------------------------------------
 * Adds to the rows first .. last - 1 of sum (A.n x B.n)
 *   sum_jt += share * sum over links i of j in A of (sum over links of s(i) to t in B of
 *             min(a_ji, b_s(i)t)),
 * where s(i) = labels[i], or nothing if that is negative. With the arcs into j as A and those out
 * of s as B it is half of the gradient of the overlap at a matching; the other half has both
 * reversed. */
void gm_add_overlaps(const gm_weighted *A, const gm_weighted *B, const int32_t *labels, float share,
                     int32_t first, int32_t last, float *sum);

#endif
