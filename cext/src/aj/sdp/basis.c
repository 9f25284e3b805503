#include "aj/sdp/basis.h"

#include <math.h>
#include <string.h>

/* Multiply-adds of a call of BLAS, which does not look at the clock: some milliseconds. */
static const double CALL_WORK = 1e8;
enum { LEAST_COLUMNS = 64 }; /* of a call; fewer would cost speed */

static int is_over(gm_watch *watch)
{
    return gm_watch_spend(watch, GM_WORK_PER_LOOK);
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* Columns of a product of which each takes this many multiply-adds, that one call computes. */
static int columns_of_call(double work, int columns)
{
    const double most = CALL_WORK / work;
    if (most >= columns)
        return columns;
    return most > LEAST_COLUMNS ? (int)most : LEAST_COLUMNS;
}

/* c (rows x columns) = a b, a transposed if asked for; matrices are column-major without gaps.
 * Returns 0 if the watch ended the run. */
static int multiply(const gm_lapack *lapack, gm_watch *watch, char trans_a, int rows, int columns,
                    int inner, const double *a, const double *b, double *c)
{
    const int width = columns_of_call((double)rows * inner, columns);
    int lda = trans_a == 'N' ? rows : inner;
    double one = 1.0, zero = 0.0;
    char plain = 'N';
    for (int from = 0; from < columns; from += width) {
        int n = lesser(width, columns - from);
        lapack->dgemm(&trans_a, &plain, &rows, &n, &inner, &one, (double *)a, &lda,
                      (double *)b + (int64_t)from * inner, &inner, &zero, c + (int64_t)from * rows,
                      &rows);
        if (is_over(watch))
            return 0;
    }
    return 1;
}

static int multiply_single(const gm_lapack *lapack, gm_watch *watch, char trans_a, int rows,
                           int columns, int inner, const float *a, const float *b, float *c)
{
    const int width = columns_of_call((double)rows * inner, columns);
    int lda = trans_a == 'N' ? rows : inner;
    float one = 1.0F, zero = 0.0F;
    char plain = 'N';
    for (int from = 0; from < columns; from += width) {
        int n = lesser(width, columns - from);
        lapack->sgemm(&trans_a, &plain, &rows, &n, &inner, &one, (float *)a, &lda,
                      (float *)b + (int64_t)from * inner, &inner, &zero, c + (int64_t)from * rows,
                      &rows);
        if (is_over(watch))
            return 0;
    }
    return 1;
}

/* The lower triangle of matrix (n x n) = keep * matrix + F F' for F (n x inner). Returns 0 if the
 * watch ended the run. */
static int add_lower(const gm_lapack *lapack, gm_watch *watch, int n, int inner, const double *F,
                     double keep, double *matrix)
{
    const int width = columns_of_call((double)n * inner, n);
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
    const int width = columns_of_call((double)n * inner, n);
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

/* Memory of a basis without a grid; both have X in single precision. */
static void take(aj_basis *basis, gm_pool *pool)
{
    const int64_t N = basis->N, dim = basis->dim;
    const int is_full = !basis->grid;
    if (is_full) {
        GM_TAKE(pool, N * dim, basis->V);
        GM_TAKE(pool, N * dim, basis->product);
    }
    if (dim >= AJ_SDP_SINGLE) {
        GM_TAKE(pool, N * N, basis->X_single);
        if (is_full)
            GM_TAKE(pool, N * dim, basis->V_single);
    }
}

/* V of a basis without a grid. Returns 0 if LAPACK failed. */
static int factorise(aj_basis *basis, const aj_span *span, double *scratch, double *tau)
{
    int N = basis->N, dim = basis->dim, info = 0, n_scratch = 64 * N;
    for (int64_t v = 0; v < N; v++)
        for (int64_t k = 0; k < dim; k++)
            basis->V[k * N + v] = span->rows[v * dim + k];
    basis->lapack->dgeqrf(&N, &dim, basis->V, &N, tau, scratch, &n_scratch, &info);
    if (info == 0)
        basis->lapack->dorgqr(&N, &dim, &dim, basis->V, &N, tau, scratch, &n_scratch, &info);
    for (int64_t k = 0; k < (int64_t)N * dim && basis->V_single; k++)
        basis->V_single[k] = (float)basis->V[k];
    return info == 0;
}

int aj_basis_init(aj_basis *basis, gm_pool *pool, const aj_span *span, const aj_problem *problem,
                  const gm_lapack *lapack, const double *costs, const uint8_t *allowed,
                  double *scratch, double *tau)
{
    basis->lapack = lapack;
    basis->N = span->n_variables;
    basis->dim = span->dimension;
    if (is_grid(span, problem))
        basis->grid = aj_grid_new(pool, problem->n_nodes, costs, allowed);
    take(basis, pool);
    if (pool->failed)
        return 0;
    basis->whole = (aj_block){.n_all = basis->N, .n_basis = basis->dim};
    basis->n_blocks = basis->grid ? basis->grid->n_blocks : 1;
    basis->block = basis->grid ? basis->grid->block : &basis->whole;
    return basis->grid || factorise(basis, span, scratch, tau);
}

void aj_basis_average(const aj_basis *basis, double *matrix)
{
    if (basis->grid)
        aj_exchanges_average(&basis->grid->nodes.exchanges, &basis->grid->labels.exchanges, matrix);
}

/* ---- products */

int aj_basis_reduce(const aj_basis *basis, gm_watch *watch, double *X, double *small)
{
    const int32_t N = basis->N, dim = basis->dim;
    if (!basis->grid)
        return multiply(basis->lapack, watch, 'N', N, dim, N, X, basis->V, basis->product) &&
               multiply(basis->lapack, watch, 'T', dim, dim, N, basis->V, basis->product, small);
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

/* The eigenvectors whose squares make M_+: those of the positive eigenvalues or, on a grid, those
 * of the others if they are fewer. */
typedef struct {
    int by_positive;
    int32_t from, n;
} part;

static part choose_part(const aj_basis *basis, const aj_block *block, int32_t first_positive)
{
    const int32_t n_positive = block->n_basis - first_positive;
    if (!basis->grid || n_positive <= first_positive)
        return (part){1, first_positive, n_positive};
    return (part){0, 0, first_positive};
}

int aj_basis_positive_part(const aj_basis *basis, gm_watch *watch, const aj_block *block,
                           double *small, const double *eigenvalue, double *vectors, double *X)
{
    const int64_t N = basis->N, dim = block->n_basis;
    int32_t first = 0; /* positive eigenvalue */
    while (first < dim && eigenvalue[first] <= 0.0)
        first++;
    const part chosen = choose_part(basis, block, first);
    const int64_t from = chosen.from, n = chosen.n;
    scale_vectors(dim, n, eigenvalue + from, vectors + from * dim);
    if (is_over(watch))
        return 0;
    if (basis->grid) { /* M_+ = the sum over positive eigenvalues, or M less the others */
        if (!add_square(basis->lapack, watch, (int)dim, chosen.n, vectors + from * dim,
                        chosen.by_positive ? 0.0 : 1.0, small + block->start))
            return 0;
    } else if (n > 0) {
        if (!multiply(basis->lapack, watch, 'N', basis->N, chosen.n, basis->dim, basis->V,
                      vectors + from * dim, basis->product) ||
            !add_square(basis->lapack, watch, basis->N, chosen.n, basis->product, 0.0, X))
            return 0;
    } else {
        memset(X, 0, sizeof *X * (size_t)(N * N));
    }
    return 1;
}

int aj_basis_expand(const aj_basis *basis, const double *small, double *X)
{
    if (basis->grid)
        aj_grid_expand(basis->grid, small, X);
    return isfinite(X[0]) != 0;
}

/* ---- the same in single precision */

int aj_basis_reduce_single(const aj_basis *basis, gm_watch *watch, double *X, double *small,
                           float *small_single)
{
    const int32_t N = basis->N, dim = basis->dim;
    float *product = (float *)basis->product;
    if (basis->grid)
        return aj_basis_reduce(basis, watch, X, small);
    for (int64_t k = 0; k < (int64_t)N * N; k++)
        basis->X_single[k] = (float)X[k];
    return multiply_single(basis->lapack, watch, 'N', N, dim, N, basis->X_single, basis->V_single,
                           product) &&
           multiply_single(basis->lapack, watch, 'T', dim, dim, N, basis->V_single, product,
                           small_single);
}

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
                                  double *small, const float *eigenvalue, float *vectors, double *X)
{
    const int32_t dim = block->n_basis;
    int32_t first = 0; /* positive eigenvalue */
    while (first < dim && eigenvalue[first] <= 0.0F)
        first++;
    const part chosen = choose_part(basis, block, first);
    const int32_t from = chosen.from, n = chosen.n;
    float *F = vectors + (int64_t)from * dim;
    for (int32_t k = 0; k < n; k++) {
        const float root = sqrtf(fabsf(eigenvalue[from + k]));
        for (int64_t v = 0; v < dim; v++)
            F[k * (int64_t)dim + v] *= root;
    }
    if (is_over(watch))
        return 0;
    if (basis->grid) {
        if (!add_square_single(basis->lapack, watch, dim, n, F, chosen.by_positive ? 0.0 : 1.0,
                               basis->X_single, small + block->start))
            return 0;
    } else if (n > 0) {
        float *product = (float *)basis->product;
        if (!multiply_single(basis->lapack, watch, 'N', basis->N, n, dim, basis->V_single, F,
                             product) ||
            !add_square_single(basis->lapack, watch, basis->N, n, product, 0.0, basis->X_single, X))
            return 0;
    } else {
        memset(X, 0, sizeof *X * (size_t)((int64_t)basis->N * basis->N));
    }
    return 1;
}
