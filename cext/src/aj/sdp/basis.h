/* An orthonormal basis V of the span of all matchings, and products with it.
 *
 * If every node of a complete n x n problem has every label as a candidate, then y = (1, x) with x
 * a matrix whose rows and columns add up to 1. Let H be the Householder reflection that maps the
 * vector of ones to the first axis times the root of n. R = diag(1, H (x) H) maps y to a vector
 * whose entry (0, 0) equals the constant and whose other entries in row 0 or column 0 are 0:
 * V = R S, where S selects the (n - 1)^2 others, and (constant + entry (0, 0)) / sqrt(2). Products
 * with R take a few operations per number, instead of N. Otherwise V comes from a QR factorisation
 * of the integer basis, and products are those of full matrices. */
#ifndef GM_AJ_SDP_BASIS_H
#define GM_AJ_SDP_BASIS_H

#include "aj/model/span.h"

typedef struct aj_basis {
    const gm_lapack *lapack;
    int32_t N, dim;
    int32_t side;      /* n, or 0 if V is a full matrix */
    double *V;         /* N x dim, column by column; NULL if side > 0 */
    double *reflector; /* side: w with H = I - w w' */
    double *product;   /* scratch: N x dim, or N */
    float *V_single;   /* V once more, or NULL */
    float *X_single;   /* scratch: N x N */
} aj_basis;

/* Takes memory; look at pool->failed afterwards. */
void aj_basis_take(aj_basis *basis, gm_pool *pool, const aj_span *span, const aj_problem *problem,
                   const gm_lapack *lapack);
/* Fills V. scratch has 64 N numbers, tau dim. Returns 0 if LAPACK failed. */
int aj_basis_fill(aj_basis *basis, const aj_span *span, double *scratch, double *tau);

/* small (dim x dim) = V' X V of a symmetric X (N x N), which is overwritten. Returns 0 if the watch
 * ended the run. */
int aj_basis_reduce(const aj_basis *basis, gm_watch *watch, double *X, double *small);

/* X = V M_+ V' of M = small, whose eigenvalues, ascending, and vectors (dim x dim, one after the
 * other) are given. small and vectors are overwritten. Returns 0 if the watch ended the run, or
 * numbers are too large. */
int aj_basis_positive_part(const aj_basis *basis, gm_watch *watch, double *small,
                           const double *eigenvalue, double *vectors, double *X);

/* Both in single precision, next to small in double precision (used only if side > 0). */
int aj_basis_reduce_single(const aj_basis *basis, gm_watch *watch, double *X, double *small,
                           float *small_single);
int aj_basis_positive_part_single(const aj_basis *basis, gm_watch *watch, double *small,
                                  const float *eigenvalue, float *vectors, double *X);

/* c (rows x columns) = a b, each transposed if asked for, by dgemm: column-major. */
void aj_sdp_multiply(const gm_lapack *lapack, char trans_a, char trans_b, int32_t rows,
                     int32_t columns, int32_t inner, const double *a, int32_t lda, const double *b,
                     int32_t ldb, double *c);

#endif
