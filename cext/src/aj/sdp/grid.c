#include "aj/sdp/grid.h"

#include <math.h>
#include <string.h>

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- the grid */

/* H = I - w w' maps e, the vector of ones, to the root of n times the first axis: w is that
 * difference in coordinates, scaled to |w|^2 = 2; 0 if there is none. */
static void fill_reflector(aj_grid_side *side)
{
    const aj_exchanges *E = &side->exchanges;
    const double n = E->n;
    for (int32_t c = 0; c < E->class_start[1]; c++) { /* others have as many -1 as 1 */
        double ones = 0.0;
        for (int32_t k = E->start[c]; k < E->start[c + 1]; k++)
            ones += E->coefficient[k];
        side->reflector[c] = ones;
    }
    const double square =
        n - sqrt(n) * side->reflector[0]; /* half of |difference|^2: over .5, or 0 */
    side->reflector[0] -= sqrt(n);
    for (int32_t c = 0; c < E->class_start[1]; c++)
        side->reflector[c] = square > 0.25 ? side->reflector[c] / sqrt(square) : 0.0;
}

static void fill_blocks(aj_grid *grid)
{
    const aj_exchanges *nodes = &grid->nodes.exchanges, *labels = &grid->labels.exchanges;
    int64_t all_start = 0, start = 0;
    for (int32_t a = 0; a < 1 << nodes->n_exchanges; a++)
        for (int32_t b = 0; b < 1 << labels->n_exchanges; b++) {
            aj_block *block = &grid->block[grid->n_blocks];
            *block = (aj_block){.class_of_nodes = a,
                                .class_of_labels = b,
                                .from_node = nodes->class_start[a],
                                .to_node = nodes->class_start[a + 1],
                                .from_label = labels->class_start[b],
                                .to_label = labels->class_start[b + 1],
                                .has_constant = a == 0 && b == 0,
                                .all_start = all_start,
                                .start = start};
            const int32_t n_nodes = block->to_node - block->from_node,
                          n_labels = block->to_label - block->from_label;
            block->n_all = block->has_constant + n_nodes * n_labels;
            block->n_basis = block->has_constant + (n_nodes - (a == 0)) * (n_labels - (b == 0));
            all_start += (int64_t)block->n_all * block->n_all;
            start += (int64_t)block->n_basis * block->n_basis;
            grid->n_blocks += block->n_all > 0;
        }
}

aj_grid *aj_grid_new(gm_pool *pool, int32_t n, const double *costs, const uint8_t *allowed)
{
    aj_grid *grid = GM_TAKE(pool, 1, grid);
    if (!grid)
        return NULL;
    aj_exchanges *nodes = &grid->nodes.exchanges, *labels = &grid->labels.exchanges;
    grid->n = n;
    grid->N = 1 + n * n;
    aj_exchanges_find(nodes, labels, n, costs, allowed);
    fill_reflector(&grid->nodes);
    fill_reflector(&grid->labels);
    GM_TAKE(pool, 1 << (nodes->n_exchanges + labels->n_exchanges), grid->block);
    GM_TAKE(pool, grid->N, grid->row);
    GM_TAKE(pool, grid->N, grid->sum);
    if (pool->failed)
        return NULL;
    fill_blocks(grid);
    const aj_block *last = &grid->block[grid->n_blocks - 1];
    if (grid->n_blocks > 1)
        GM_TAKE(pool, last->all_start + (int64_t)last->n_all * last->n_all, grid->in_coordinates);
    return pool->failed ? NULL : grid;
}

/* ---- from members to coordinates */

/* The number of members of the orbit of a coordinate. */
static double orbit_size(const aj_exchanges *E, int32_t c)
{
    return (double)(E->start[c + 1] - E->start[c]);
}

/* The coordinates of n numbers that lie `stride` apart, and the other way if `back`. */
static void turn(const aj_exchanges *E, int back, double *x, int64_t stride)
{
    double result[AJ_MOST_MEMBERS] = {0.0};
    for (int32_t c = 0; c < E->n; c++)
        for (int32_t k = E->start[c]; k < E->start[c + 1]; k++)
            if (back)
                result[E->member[k]] += E->coefficient[k] * x[c * stride];
            else
                result[c] += E->coefficient[k] * x[E->member[k] * stride];
    for (int32_t c = 0; c < E->n; c++)
        x[c * stride] = result[c];
}

/* The same on both sides of n x n numbers, node by node. */
static void turn_row(const aj_grid *grid, int back, double *x)
{
    const int32_t n = grid->n;
    for (int32_t i = 0; i < n && grid->labels.exchanges.n_exchanges > 0; i++)
        turn(&grid->labels.exchanges, back, x + i * n, 1);
    for (int32_t s = 0; s < n && grid->nodes.exchanges.n_exchanges > 0; s++)
        turn(&grid->nodes.exchanges, back, x + s, n);
}

/* The number of a coordinate in its block. */
static int64_t place(const aj_block *block, int32_t node, int32_t label)
{
    return block->has_constant +
           (int64_t)(node - block->from_node) * (block->to_label - block->from_label) +
           (label - block->from_label);
}

/* The row of a block that belongs to an orbit with the first members i and s, in *factor the root
 * of its size; -1: none. i = -1: the row of the constant. */
static int64_t row_of_orbit(const aj_grid *grid, const aj_block *block, int32_t i, int32_t s,
                            double *factor)
{
    const aj_exchanges *nodes = &grid->nodes.exchanges, *labels = &grid->labels.exchanges;
    *factor = 1.0;
    if (i < 0)
        return block->has_constant - 1;
    const int32_t a = nodes->coordinate[block->class_of_nodes][i],
                  b = labels->coordinate[block->class_of_labels][s];
    if (a < 0 || b < 0)
        return -1;
    *factor = sqrt(orbit_size(nodes, a) * orbit_size(labels, b));
    return place(block, a, b);
}

/* Copies the numbers of a row, in coordinates, to the row of a block, or back. */
static void copy_row(const aj_grid *grid, const aj_block *block, double factor, int back,
                     double *row, double *to)
{
    const int32_t width = block->to_label - block->from_label;
    if (block->has_constant && back)
        row[0] = factor * to[0];
    else if (block->has_constant)
        to[0] = factor * row[0];
    for (int32_t a = block->from_node; a < block->to_node; a++) {
        double *outside = row + 1 + (int64_t)a * grid->n + block->from_label,
               *inside = to + place(block, a, block->from_label);
        for (int32_t b = 0; b < width; b++)
            if (back)
                outside[b] = factor * inside[b];
            else
                inside[b] = factor * outside[b];
    }
}

/* A matrix that exchanges leave alone has the same numbers in all rows of an orbit: the first
 * row gives the row of each block. */
static void enter_row(const aj_grid *grid, const double *X, int32_t i, int32_t s)
{
    const int64_t v = i < 0 ? 0 : 1 + (int64_t)i * grid->n + s;
    memcpy(grid->row, X + v * grid->N, sizeof *X * (size_t)grid->N);
    turn_row(grid, 0, grid->row + 1);
    for (int32_t k = 0; k < grid->n_blocks; k++) {
        const aj_block *block = &grid->block[k];
        double factor;
        const int64_t r = row_of_orbit(grid, block, i, s, &factor);
        if (r >= 0)
            copy_row(grid, block, factor, 0, grid->row,
                     grid->in_coordinates + block->all_start + r * block->n_all);
    }
}

/* Whether an exchange before this one carries x to the same member. */
static int is_repeated(const aj_exchanges *E, int32_t exchange, int32_t x)
{
    for (int32_t m = 0; m < exchange; m++)
        if (E->image[m][x] == E->image[exchange][x])
            return 1;
    return 0;
}

/* Copies a row to its place under an exchange of nodes and one of labels. */
static void put_row(const aj_grid *grid, const uint8_t *nodes, const uint8_t *labels, double *to)
{
    const int64_t n = grid->n;
    to[0] = grid->row[0];
    for (int64_t j = 0; j < n; j++)
        for (int64_t t = 0; t < n; t++)
            to[1 + nodes[j] * n + labels[t]] = grid->row[1 + j * n + t];
}

/* The other way. */
static void leave_row(const aj_grid *grid, double *X, int32_t i, int32_t s)
{
    const aj_exchanges *nodes = &grid->nodes.exchanges, *labels = &grid->labels.exchanges;
    const int64_t n = grid->n, N = grid->N;
    memset(grid->row, 0, sizeof *X * (size_t)N);
    for (int32_t k = 0; k < grid->n_blocks; k++) {
        const aj_block *block = &grid->block[k];
        double factor;
        const int64_t r = row_of_orbit(grid, block, i, s, &factor);
        if (r >= 0)
            copy_row(grid, block, 1.0 / factor, 1, grid->row,
                     grid->in_coordinates + block->all_start + r * block->n_all);
    }
    turn_row(grid, 1, grid->row + 1);
    if (i < 0)
        put_row(grid, nodes->image[0], labels->image[0], X);
    for (int32_t a = 0; a < 1 << nodes->n_exchanges && i >= 0; a++)
        for (int32_t b = 0; b < 1 << labels->n_exchanges; b++)
            if (!is_repeated(nodes, a, i) && !is_repeated(labels, b, s))
                put_row(grid, nodes->image[a], labels->image[b],
                        X + (1 + nodes->image[a][i] * n + labels->image[b][s]) * N);
}

/* Whether x is the first member of its orbit. */
static int is_first(const aj_exchanges *E, int32_t x)
{
    return E->coordinate[0][x] >= 0;
}

/* All blocks in coordinates from X, or X from them (`back`). */
static void turn_all(const aj_grid *grid, int back, double *X)
{
    for (int32_t i = -1; i < grid->n; i++)
        for (int32_t s = 0; s < (i < 0 ? 1 : grid->n); s++) {
            if (i >= 0 &&
                !(is_first(&grid->nodes.exchanges, i) && is_first(&grid->labels.exchanges, s)))
                continue;
            if (back)
                leave_row(grid, X, i, s);
            else
                enter_row(grid, X, i, s);
        }
}

/* ---- reflections */

/* Applies H to the n numbers x. */
static void reflect(const double *w, int64_t n, double *x)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++)
        sum += w[k] * x[k];
    for (int64_t k = 0; k < n; k++)
        x[k] -= w[k] * sum;
}

/* Applies H to each column of n rows, which lie `stride` numbers apart. sum: `length` numbers. */
static void reflect_columns(const double *w, int64_t n, double *x, int64_t stride, int64_t length,
                            double *sum)
{
    memset(sum, 0, sizeof *sum * (size_t)length);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < length; k++)
            sum[k] += w[i] * x[i * stride + k];
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < length; k++)
            x[i * stride + k] -= w[i] * sum[k];
}

/* X = R X R of a block in coordinates. H moves only those of the first classes. */
static void reflect_both_sides(const aj_grid *grid, const aj_block *block, double *X)
{
    const int64_t N = block->n_all, first = block->has_constant;
    const int64_t n_nodes = block->to_node - block->from_node,
                  n_labels = block->to_label - block->from_label;
    const double *w_nodes = block->from_node == 0 ? grid->nodes.reflector : NULL,
                 *w_labels = block->from_label == 0 ? grid->labels.reflector : NULL;
    double *sum = grid->sum;
    for (int64_t v = 0; v < N; v++) {
        double *row = X + v * N + first;
        for (int64_t i = 0; i < n_nodes && w_labels; i++)
            reflect(w_labels, n_labels, row + i * n_labels);
        if (w_nodes)
            reflect_columns(w_nodes, n_nodes, row, n_labels, n_labels, sum);
    }
    for (int64_t i = 0; i < n_nodes && w_labels; i++)
        reflect_columns(w_labels, n_labels, X + (first + i * n_labels) * N, N, N, sum);
    for (int64_t s = 0; s < n_labels && w_nodes; s++)
        reflect_columns(w_nodes, n_nodes, X + (first + s) * N, n_labels * N, N, sum);
}

/* ---- selection */

/* The part of a block's rectangle that belongs to the basis. */
typedef struct part {
    int32_t from_node, from_label, width;
} part;

static part basis_of(const aj_block *block)
{
    const int32_t from_label = larger(block->from_label, 1);
    return (part){larger(block->from_node, 1), from_label, block->to_label - from_label};
}

/* The number of the first vector of the basis of node coordinate a. */
static int64_t basis_place(const aj_block *block, part P, int32_t a)
{
    return block->has_constant + (int64_t)(a - P.from_node) * P.width;
}

/* small = S'XS of a block in coordinates, X reflected. */
static void select_small(const aj_block *block, const double *X, double *small)
{
    const int64_t N = block->n_all, dim = block->n_basis;
    const part P = basis_of(block);
    if (block->has_constant)
        small[0] = 0.5 * (X[0] + 2.0 * X[1] + X[N + 1]);
    for (int32_t i = P.from_node; i < block->to_node; i++)
        for (int32_t s = 0; s < P.width; s++) {
            const int64_t k = basis_place(block, P, i) + s;
            const double *row = X + (place(block, i, P.from_label) + s) * N;
            if (block->has_constant)
                small[k] = small[k * dim] = sqrt(0.5) * (row[0] + row[1]);
            for (int32_t j = P.from_node; j < block->to_node; j++)
                memcpy(small + k * dim + basis_place(block, P, j),
                       row + place(block, j, P.from_label), sizeof *row * (size_t)P.width);
        }
}

/* X = S small S'. */
static void spread_small(const aj_block *block, const double *small, double *X)
{
    const int64_t N = block->n_all, dim = block->n_basis;
    const part P = basis_of(block);
    memset(X, 0, sizeof *X * (size_t)(N * N));
    if (block->has_constant)
        X[0] = X[1] = X[N] = X[N + 1] = 0.5 * small[0];
    for (int32_t i = P.from_node; i < block->to_node; i++)
        for (int32_t s = 0; s < P.width; s++) {
            const int64_t k = basis_place(block, P, i) + s, v = place(block, i, P.from_label) + s;
            if (block->has_constant)
                X[v] = X[N + v] = X[v * N] = X[v * N + 1] = sqrt(0.5) * small[k];
            for (int32_t j = P.from_node; j < block->to_node; j++)
                memcpy(X + v * N + place(block, j, P.from_label),
                       small + k * dim + basis_place(block, P, j), sizeof *small * (size_t)P.width);
        }
}

/* ---- products */

/* The matrix of a block in coordinates: with one block they are the variables. */
static double *matrix_of(const aj_grid *grid, const aj_block *block, double *X)
{
    return grid->n_blocks == 1 ? X : grid->in_coordinates + block->all_start;
}

void aj_grid_reduce(const aj_grid *grid, double *X, double *small)
{
    if (grid->n_blocks > 1)
        turn_all(grid, 0, X);
    for (int32_t k = 0; k < grid->n_blocks; k++) {
        const aj_block *block = &grid->block[k];
        double *matrix = matrix_of(grid, block, X);
        reflect_both_sides(grid, block, matrix);
        select_small(block, matrix, small + block->start);
    }
}

void aj_grid_expand(const aj_grid *grid, const double *small, double *X)
{
    for (int32_t k = 0; k < grid->n_blocks; k++) {
        const aj_block *block = &grid->block[k];
        double *matrix = matrix_of(grid, block, X);
        spread_small(block, small + block->start, matrix);
        reflect_both_sides(grid, block, matrix);
    }
    if (grid->n_blocks > 1)
        turn_all(grid, 1, X);
}
