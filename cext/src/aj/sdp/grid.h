/* An orthonormal basis V of the span of all matchings of a complete n x n problem, in which every
 * node has every label.
 *
 * y = (1, x) with x a matrix whose rows and columns add up to 1. Let H be the Householder
 * reflection that maps the vector of ones to the first axis times the root of n. R = diag(1, H (x)
 * H) maps y to a vector whose entry (0, 0) equals the constant and whose other entries in row 0 or
 * column 0 are 0: V = R S, where S selects the (n - 1)^2 others, and (constant + entry (0, 0)) /
 * sqrt(2). Products with R take a few operations per number, instead of N.
 *
 * If exchanges of nodes or labels leave the problem alone (model/exchanges.h), and so all matrices
 * of its ADMM, then H acts on the coordinates of both sides instead of their members: V'XV has a
 * block for every class of nodes and class of labels, and nothing else. */
#ifndef GM_AJ_SDP_GRID_H
#define GM_AJ_SDP_GRID_H

#include "aj/model/exchanges.h"
#include "base/pool.h"

/* A side: its coordinates, and w with H = I - w w'. */
typedef struct aj_grid_side {
    aj_exchanges exchanges;
    double reflector[AJ_MOST_MEMBERS];
} aj_grid_side;

/* A class of nodes and one of labels: the coordinates (node, label) of a rectangle, row by row,
 * after the constant if both classes are the first ones. Those in row 0 or column 0 of the grid
 * are none of the basis. */
typedef struct aj_block {
    int32_t class_of_nodes, class_of_labels;
    int32_t from_node, to_node, from_label, to_label;
    int32_t has_constant;
    int32_t n_all, n_basis; /* vectors: of the coordinates, of the basis */
    int64_t all_start;      /* of its matrices among those of all blocks */
    int64_t start;
} aj_block;

typedef struct aj_grid {
    int32_t n, N;
    aj_grid_side nodes, labels;
    int32_t n_blocks;
    aj_block *block;
    double *in_coordinates; /* scratch: n_all x n_all of every block; NULL with one block */
    double *row, *sum;      /* scratch: N each */
} aj_grid;

/* Of a problem with these costs and allowed pairs (N x N). The memory is the pool's: look at
 * pool->failed afterwards. NULL = no memory. */
aj_grid *aj_grid_new(gm_pool *pool, int32_t n, const double *costs, const uint8_t *allowed);
/* small = V' X V of a symmetric X (N x N), which is overwritten: n_basis x n_basis of every block,
 * one after the other. */
void aj_grid_reduce(const aj_grid *grid, double *X, double *small);
/* X = V small V'. */
void aj_grid_expand(const aj_grid *grid, const double *small, double *X);

#endif
