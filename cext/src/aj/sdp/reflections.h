/* An orthonormal basis V of the span of all matchings of any problem, as a product of reflections.
 *
 * The span has N - n dimensions: every dependent variable (model/span.h) gives a vector that is
 * orthogonal to it, its own axis less its row of W. The QR factorisation of these n vectors is a
 * product of n reflections, H = I - Y T Y' with a triangular T; its first n columns span the
 * vectors, and the others are V. With P = X Y T and Q = P - 1/2 Y (Y T)'P
 *
 *     H'XH = X - Y Q' - Q Y',
 *
 * and V'XV is its last part: n numbers for each entry instead of N. X = V M V' is the same with H'
 * for H, that is Y T' for Y T, and a matrix that is M in its last part and 0 elsewhere. */
#ifndef GM_AJ_SDP_REFLECTIONS_H
#define GM_AJ_SDP_REFLECTIONS_H

#include "aj/model/span.h"
#include "aj/sdp/products.h"
#include "base/pool.h"

/* Matrices in double or in single precision. */
typedef struct aj_reflectors {
    void *Y, *there, *back; /* N x n, column by column: Y, Y T, Y T' */
    void *P;                /* scratch: n x N, P' and Q' */
    void *S;                /* scratch: n x n */
} aj_reflectors;

typedef struct aj_reflections {
    const gm_lapack *lapack;
    int32_t N, n;
    double *tau;                    /* n: of LAPACK's reflections */
    aj_reflectors doubles, singles; /* singles: only if asked for */
} aj_reflections;

/* Takes memory; look at pool->failed afterwards. scratch has 64 N numbers. NULL without memory,
 * or if LAPACK failed. */
aj_reflections *aj_reflections_new(gm_pool *pool, const aj_span *span, const gm_lapack *lapack,
                                   int with_singles, double *scratch);
/* The lower triangle of small = V'XV; X is symmetric (N x N). X_single is NULL, or memory for N x N
 * numbers: then products are in single precision. Returns 0 if the watch ended the run. */
int aj_reflections_reduce(const aj_reflections *reflections, gm_watch *watch, const double *X,
                          float *X_single, double *small);
/* X = V small V', the other way; small is symmetric. */
int aj_reflections_expand(const aj_reflections *reflections, gm_watch *watch, const double *small,
                          float *X_single, double *X);

#endif
