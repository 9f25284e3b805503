#include "aj/sdp/basis.h"

#include <math.h>

static int is_over(gm_watch *watch)
{
    return gm_watch_spend(watch, GM_WORK_PER_LOOK);
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* The lower triangle of matrix (n x n) = keep * matrix + F F' for F (n x inner). Returns 0 if the
 * watch ended the run. */
static int add_lower(const gm_lapack *lapack, gm_watch *watch, int n, int inner, const double *F,
                     double keep, double *matrix)
{
    const int width = aj_columns_of_call((double)n * inner, n);
    char lower = 'L', plain = 'N', transposed = 'T';
    double one = 1.0;
    for (int from = 0; from < n; from += width) {
        int columns = lesser(width, n - from), below = n - from - columns;
        double *G = (double *)F + from, *corner = matrix + (int64_t)from * n + from;
        lapack->dsyrk(&lower, &plain, &columns, &inner, &one, G, &n, &keep, corner, &n);
        if (below > 0)
            lapack->dgemm(&plain, &transposed, &below, &columns, &inner, &one, G + columns, &n, G,
                          &n, &keep, corner + columns, &n);
        if (is_over(watch))
            return 0;
    }
    return 1;
}

static int add_lower_single(const gm_lapack *lapack, gm_watch *watch, int n, int inner,
                            const float *F, float *matrix)
{
    const int width = aj_columns_of_call((double)n * inner, n);
    char lower = 'L', plain = 'N', transposed = 'T';
    float one = 1.0F, zero = 0.0F;
    for (int from = 0; from < n; from += width) {
        int columns = lesser(width, n - from), below = n - from - columns;
        float *G = (float *)F + from, *corner = matrix + (int64_t)from * n + from;
        lapack->ssyrk(&lower, &plain, &columns, &inner, &one, G, &n, &zero, corner, &n);
        if (below > 0)
            lapack->sgemm(&plain, &transposed, &below, &columns, &inner, &one, G + columns, &n, G,
                          &n, &zero, corner + columns, &n);
        if (is_over(watch))
            return 0;
    }
    return 1;
}

/* Whether every node has every label that is left, and all of them are taken. */
static int is_grid(const aj_span *span, const aj_problem *P)
{
    return span->n_slacks == 0 && P->n_nodes > 1 && P->n_nodes <= AJ_MOST_MEMBERS &&
           (int64_t)P->n == (int64_t)P->n_nodes * P->n_nodes &&
           aj_problem_n_used_labels(P) == P->n_nodes;
}

int aj_basis_init(aj_basis *basis, gm_pool *pool, const aj_span *span, const aj_problem *problem,
                  const gm_lapack *lapack, const double *costs, const uint8_t *allowed,
                  double *scratch)
{
    basis->lapack = lapack;
    basis->N = span->n_variables;
    basis->dim = span->dimension;
    const int has_singles = basis->dim >= AJ_SDP_SINGLE;
    int failed = 0;
    if (is_grid(span, problem)) {
        basis->grid = aj_grid_new(pool, problem->n_nodes, costs, allowed);
    } else {
        basis->reflections = aj_reflections_new(pool, span, lapack, has_singles, scratch);
        failed = !basis->reflections;
    }
    if (has_singles)
        GM_TAKE(pool, (int64_t)basis->N * basis->N, basis->X_single);
    if (pool->failed || failed)
        return 0;
    basis->whole = (aj_block){.n_all = basis->N, .n_basis = basis->dim};
    basis->n_blocks = basis->grid ? basis->grid->n_blocks : 1;
    basis->block = basis->grid ? basis->grid->block : &basis->whole;
    return 1;
}

void aj_basis_average(const aj_basis *basis, double *matrix)
{
    if (basis->grid)
        aj_exchanges_average(&basis->grid->nodes.exchanges, &basis->grid->labels.exchanges, matrix);
}

/* ---- products */

int aj_basis_reduce(const aj_basis *basis, gm_watch *watch, int is_single, double *X, double *small)
{
    if (!basis->grid)
        return aj_reflections_reduce(basis->reflections, watch, X,
                                     is_single ? basis->X_single : NULL, small);
    aj_grid_reduce(basis->grid, X, small);
    return !is_over(watch);
}

/* The whole of the same matrix. */
static int add_square(const gm_lapack *lapack, gm_watch *watch, int n, int inner, const double *F,
                      double keep, double *matrix)
{
    if (!add_lower(lapack, watch, n, inner, F, keep, matrix))
        return 0;
    for (int64_t v = 0; v < n; v++)
        for (int64_t w = v + 1; w < n; w++)
            matrix[w * n + v] = matrix[v * n + w];
    return !is_over(watch);
}

/* Each of `n` vectors times the root of the absolute value of its eigenvalue. */
static void scale_vectors(int64_t dim, int64_t n, const double *eigenvalue, double *vectors)
{
    for (int64_t k = 0; k < n; k++) {
        const double root = sqrt(fabs(eigenvalue[k]));
        for (int64_t v = 0; v < dim; v++)
            vectors[k * dim + v] *= root;
    }
}

/* The eigenvectors whose squares make M_+: those of the positive eigenvalues, or those of the
 * others if they are fewer. */
typedef struct {
    int by_positive;
    int32_t from, n;
} part;

static part choose_part(const aj_block *block, int32_t first_positive)
{
    const int32_t n_positive = block->n_basis - first_positive;
    if (n_positive <= first_positive)
        return (part){1, first_positive, n_positive};
    return (part){0, 0, first_positive};
}

int aj_basis_positive_part(const aj_basis *basis, gm_watch *watch, const aj_block *block,
                           double *small, const double *eigenvalue, double *vectors)
{
    const int64_t dim = block->n_basis;
    int32_t first = 0; /* positive eigenvalue */
    while (first < dim && eigenvalue[first] <= 0.0)
        first++;
    const part chosen = choose_part(block, first);
    const int64_t from = chosen.from;
    scale_vectors(dim, chosen.n, eigenvalue + from, vectors + from * dim);
    if (is_over(watch))
        return 0; /* M_+ = the sum over positive eigenvalues, or M less the others: */
    return add_square(basis->lapack, watch, (int)dim, chosen.n, vectors + from * dim,
                      chosen.by_positive ? 0.0 : 1.0, small + block->start);
}

int aj_basis_expand(const aj_basis *basis, gm_watch *watch, int is_single, const double *small,
                    double *X)
{
    if (basis->grid)
        aj_grid_expand(basis->grid, small, X);
    else if (!aj_reflections_expand(basis->reflections, watch, small,
                                    is_single ? basis->X_single : NULL, X))
        return 0;
    return isfinite(X[0]) != 0;
}

/* ---- the same in single precision */

/* matrix (n x n) = keep * matrix + F F' for F (n x inner); square: n x n. Returns 0 if the watch
 * ended the run. */
static int add_square_single(const gm_lapack *lapack, gm_watch *watch, int n, int inner,
                             const float *F, double keep, float *square, double *matrix)
{
    if (!add_lower_single(lapack, watch, n, inner, F, square))
        return 0;
    for (int64_t v = 0; v < n; v++)
        for (int64_t w = v; w < n; w++) {
            const int64_t cell = v * n + w;
            matrix[w * n + v] = matrix[cell] = square[cell] + (keep > 0.0 ? matrix[cell] : 0.0);
        }
    return !is_over(watch);
}

int aj_basis_positive_part_single(const aj_basis *basis, gm_watch *watch, const aj_block *block,
                                  double *small, const float *eigenvalue, float *vectors)
{
    const int32_t dim = block->n_basis;
    int32_t first = 0; /* positive eigenvalue */
    while (first < dim && eigenvalue[first] <= 0.0F)
        first++;
    const part chosen = choose_part(block, first);
    const int32_t from = chosen.from, n = chosen.n;
    float *F = vectors + (int64_t)from * dim;
    for (int32_t k = 0; k < n; k++) {
        const float root = sqrtf(fabsf(eigenvalue[from + k]));
        for (int64_t v = 0; v < dim; v++)
            F[k * (int64_t)dim + v] *= root;
    }
    if (is_over(watch))
        return 0;
    return add_square_single(basis->lapack, watch, dim, n, F, chosen.by_positive ? 0.0 : 1.0,
                             basis->X_single, small + block->start);
}
