/* An orthonormal basis V of the span of all matchings, and products with it.
 *
 * If every node of a complete n x n problem has every label as a candidate, it is that of a grid
 * (grid.h). Otherwise its reflections are those of reflections.h. */
#ifndef GM_AJ_SDP_BASIS_H
#define GM_AJ_SDP_BASIS_H

#include "aj/model/span.h"
#include "aj/sdp/grid.h"
#include "aj/sdp/reflections.h"

typedef struct aj_basis {
    const gm_lapack *lapack;
    int32_t N, dim;
    aj_grid *grid; /* or NULL */
    aj_reflections *reflections;
    int32_t n_blocks;
    const aj_block *block; /* of V'XV: those of the grid, or one */
    aj_block whole;        /* that one */
    float *X_single;       /* scratch: N x N */
} aj_basis;

/* The basis of a problem with these costs and allowed pairs (N x N). Takes memory; look at
 * pool->failed afterwards. scratch has 64 N numbers. Returns 0 without memory, or if
 * LAPACK failed. */
int aj_basis_init(aj_basis *basis, gm_pool *pool, const aj_span *span, const aj_problem *problem,
                  const gm_lapack *lapack, const double *costs, const uint8_t *allowed,
                  double *scratch);
/* The mean of a symmetric N x N matrix and its images under the exchanges of the problem. */
void aj_basis_average(const aj_basis *basis, double *matrix);

/* small = V' X V of a symmetric X (N x N), which is overwritten: the blocks one after the other, of
 * which the lower triangles count. is_single: in single precision, except on a grid. Returns 0 if
 * the watch ended the run. */
int aj_basis_reduce(const aj_basis *basis, gm_watch *watch, int is_single, double *X,
                    double *small);
/* A block M of small becomes M_+; its eigenvalues, ascending, and vectors (one after the other) are
 * given, and overwritten. Returns 0 if the watch ended the run. */
int aj_basis_positive_part(const aj_basis *basis, gm_watch *watch, const aj_block *block,
                           double *small, const double *eigenvalue, double *vectors);
int aj_basis_positive_part_single(const aj_basis *basis, gm_watch *watch, const aj_block *block,
                                  double *small, const float *eigenvalue, float *vectors);
/* X = V small V'. Returns 0 if the watch ended the run, or the numbers are too large. */
int aj_basis_expand(const aj_basis *basis, gm_watch *watch, int is_single, const double *small,
                    double *X);

#endif
