#include "aj/sdp/reflections.h"

#include <string.h>

/* ---- the reflections */

static void take(gm_pool *pool, int64_t N, int64_t n, int is_single, aj_reflectors *F)
{
    const int64_t width = is_single ? sizeof(float) : sizeof(double);
    char *Y = NULL, *there = NULL, *back = NULL, *P = NULL, *S = NULL;
    GM_TAKE(pool, N * n * width, Y);
    GM_TAKE(pool, N * n * width, there);
    GM_TAKE(pool, N * n * width, back);
    GM_TAKE(pool, N * n * width, P);
    GM_TAKE(pool, n * n * width, S);
    *F = (aj_reflectors){Y, there, back, P, S};
}

/* The vectors that are orthogonal to the span: N x n. */
static void fill_vectors(const aj_span *span, double *Y)
{
    const int64_t N = span->n_variables, dim = span->dimension;
    double *vector = Y;
    for (int64_t v = 0; v < N; v++) {
        if (span->number[v] >= 0)
            continue;
        for (int64_t w = 0; w < N; w++)
            vector[w] = span->number[w] < 0 ? 0.0 : -span->rows[v * dim + span->number[w]];
        vector[v] = 1.0;
        vector += N;
    }
}

/* Y as LAPACK means it: 1 on the diagonal, 0 above. */
static void clear_above(int64_t N, int64_t n, double *Y)
{
    for (int64_t k = 0; k < n; k++) {
        memset(Y + k * N, 0, sizeof *Y * (size_t)k);
        Y[k * N + k] = 1.0;
    }
}

/* T (upper, n x n, column by column) in place of Y'Y: column k is -tau_k T (Y'y_k) above its
 * diagonal, by the columns before. */
static void make_triangle(int64_t n, const double *tau, double *T)
{
    for (int64_t k = 0; k < n; k++) {
        double *column = T + k * n;
        for (int64_t i = 0; i < k; i++) {
            double sum = 0.0;
            for (int64_t j = i; j < k; j++)
                sum += T[j * n + i] * column[j];
            column[i] = -tau[k] * sum; /* those below are read by no row after this one */
        }
        column[k] = tau[k];
        memset(column + k + 1, 0, sizeof *T * (size_t)(n - k - 1));
    }
}

static aj_operand plain(const void *numbers, int stride)
{
    return (aj_operand){numbers, 'N', stride};
}

static aj_operand transposed(const void *numbers, int stride)
{
    return (aj_operand){numbers, 'T', stride};
}

/* Returns 0 if LAPACK failed. */
static int factorise(const aj_reflections *R, const aj_span *span, double *scratch)
{
    const aj_reflectors *F = &R->doubles;
    int N = R->N, n = R->n, info = 0, n_scratch = 64 * N;
    gm_watch unlimited = {0};
    fill_vectors(span, F->Y);
    R->lapack->dgeqrf(&N, &n, F->Y, &N, R->tau, scratch, &n_scratch, &info);
    clear_above(N, n, F->Y);
    const aj_operand Y = plain(F->Y, N);
    aj_multiply(R->lapack, &unlimited, 0, n, n, N, 1.0, transposed(F->Y, N), Y, 0.0, F->S, n);
    make_triangle(n, R->tau, F->S);
    aj_multiply(R->lapack, &unlimited, 0, N, n, n, 1.0, Y, plain(F->S, n), 0.0, F->there, N);
    aj_multiply(R->lapack, &unlimited, 0, N, n, n, 1.0, Y, transposed(F->S, n), 0.0, F->back, N);
    return info == 0;
}

static void round_all(const double *from, int64_t n, float *to)
{
    for (int64_t k = 0; k < n; k++)
        to[k] = (float)from[k];
}

aj_reflections *aj_reflections_new(gm_pool *pool, const aj_span *span, const gm_lapack *lapack,
                                   int with_singles, double *scratch)
{
    aj_reflections *R = GM_TAKE(pool, 1, R);
    if (!R)
        return NULL;
    R->lapack = lapack;
    R->N = span->n_variables;
    R->n = R->N - span->dimension;
    const int64_t size = (int64_t)R->N * R->n;
    GM_TAKE(pool, R->n, R->tau);
    take(pool, R->N, R->n, 0, &R->doubles);
    if (with_singles)
        take(pool, R->N, R->n, 1, &R->singles);
    if (pool->failed || !factorise(R, span, scratch))
        return NULL;
    if (with_singles) {
        round_all(R->doubles.Y, size, R->singles.Y);
        round_all(R->doubles.there, size, R->singles.there);
        round_all(R->doubles.back, size, R->singles.back);
    }
    return R;
}

/* ---- products */

/* The place of row `row` of a matrix. */
static const char *below(const void *matrix, int row, int is_single)
{
    return (const char *)matrix + (size_t)row * (is_single ? sizeof(float) : sizeof(double));
}

/* Q' in F->P for a symmetric matrix that is X in its rows and columns from `first` on, and 0 before
 * them; `turned` is Y T or Y T'. Returns 0 if the watch ended the run. */
static int find_update(const aj_reflections *R, gm_watch *watch, int is_single, const void *turned,
                       int first, const void *X)
{
    const aj_reflectors *F = is_single ? &R->singles : &R->doubles;
    const int N = R->N, n = R->n, order = N - first;
    const size_t size = is_single ? sizeof(float) : sizeof(double);
    char *P = F->P, *last = P + (size_t)first * (size_t)n * size;
    const char *rows = below(turned, first, is_single);
    memset(P, 0, (size_t)first * (size_t)n * size);
    return aj_multiply(R->lapack, watch, is_single, n, order, order, 1.0, transposed(rows, N),
                       plain(X, order), 0.0, last, n) &&
           aj_multiply(R->lapack, watch, is_single, n, n, order, 1.0, plain(last, n),
                       plain(rows, N), 0.0, F->S, n) &&
           aj_multiply(R->lapack, watch, is_single, n, N, n, -0.5, plain(F->S, n),
                       transposed(F->Y, N), 1.0, P, n);
}

enum { STRIP = 96 }; /* columns of a triangle that are computed at a time, as a rectangle */

/* The lower triangle of C = keep C - Y Q' - Q Y', in the rows and columns from `first` on. Returns
 * 0 if the watch ended the run. */
static int subtract_update(const aj_reflections *R, gm_watch *watch, int is_single, int first,
                           double keep, void *C)
{
    const aj_reflectors *F = is_single ? &R->singles : &R->doubles;
    const int N = R->N, n = R->n, order = N - first;
    for (int from = 0; from < order; from += STRIP) {
        const int columns = order - from < STRIP ? order - from : STRIP;
        const char *Y = below(F->Y, first + from, is_single),
                   *Q = below(F->P, (first + from) * n, is_single);
        char *corner = (char *)below(C, from * order + from, is_single);
        if (!aj_multiply(R->lapack, watch, is_single, order - from, columns, n, -1.0, plain(Y, N),
                         plain(Q, n), keep, corner, order) ||
            !aj_multiply(R->lapack, watch, is_single, order - from, columns, n, -1.0,
                         transposed(Q, n), transposed(Y, N), 1.0, corner, order))
            return 0;
    }
    return 1;
}

int aj_reflections_reduce(const aj_reflections *R, gm_watch *watch, const double *X,
                          float *X_single, double *small)
{
    const int64_t N = R->N, n = R->n, dim = N - n;
    const int is_single = X_single != NULL;
    for (int64_t k = 0; k < dim; k++)
        memcpy(small + k * dim, X + (n + k) * N + n, sizeof *X * (size_t)dim);
    if (!is_single)
        return find_update(R, watch, 0, R->doubles.there, 0, X) &&
               subtract_update(R, watch, 0, R->n, 1.0, small);
    round_all(X, N * N, X_single);
    if (!find_update(R, watch, 1, R->singles.there, 0, X_single) ||
        !subtract_update(R, watch, 1, R->n, 0.0, X_single))
        return 0;
    for (int64_t k = 0; k < dim; k++)
        for (int64_t i = k; i < dim; i++)
            small[k * dim + i] += X_single[k * dim + i];
    return 1;
}

int aj_reflections_expand(const aj_reflections *R, gm_watch *watch, const double *small,
                          float *X_single, double *X)
{
    const int64_t N = R->N, n = R->n, dim = N - n;
    const int is_single = X_single != NULL;
    if (is_single)
        round_all(small, dim * dim, X_single);
    if (!find_update(R, watch, is_single, is_single ? R->singles.back : R->doubles.back, R->n,
                     is_single ? (const void *)X_single : small))
        return 0;
    memset(X, 0, sizeof *X * (size_t)(N * N));
    for (int64_t k = 0; k < dim; k++)
        memcpy(X + (n + k) * N + n, small + k * dim, sizeof *X * (size_t)dim);
    if (!subtract_update(R, watch, is_single, 0, !is_single, is_single ? (void *)X_single : X))
        return 0;
    for (int64_t v = 0; v < N; v++)
        for (int64_t w = v; w < N; w++) {
            const int64_t cell = v * N + w;
            X[w * N + v] = X[cell] = X[cell] + (is_single ? X_single[cell] : 0.0);
        }
    return !gm_watch_spend(watch, GM_WORK_PER_LOOK);
}
