#include "aj/sdp/products.h"

#include <stddef.h>

static const double CALL_WORK = 1e8; /* multiply-adds of a call */
enum { LEAST_COLUMNS = 64 };         /* of a call; fewer would cost speed */

int aj_columns_of_call(double work, int columns)
{
    const double most = CALL_WORK / work;
    if (most >= columns)
        return columns;
    return most > LEAST_COLUMNS ? (int)most : LEAST_COLUMNS;
}

/* The place of column `from` of an operand as it is multiplied. */
static const char *column(aj_operand x, int from, size_t size)
{
    const size_t step = x.transposed == 'N' ? (size_t)x.stride : 1;
    return (const char *)x.numbers + (size_t)from * step * size;
}

int aj_multiply(const gm_lapack *lapack, gm_watch *watch, int is_single, int rows, int columns,
                int inner, double factor, aj_operand a, aj_operand b, double keep, void *c,
                int stride)
{
    const int width = aj_columns_of_call((double)rows * inner, columns);
    const size_t size = is_single ? sizeof(float) : sizeof(double);
    float factor_single = (float)factor, keep_single = (float)keep;
    for (int from = 0; from < columns; from += width) {
        int n = columns - from < width ? columns - from : width;
        char *to = (char *)c + (size_t)from * (size_t)stride * size;
        void *left = (void *)a.numbers, *right = (void *)column(b, from, size);
        if (is_single)
            lapack->sgemm(&a.transposed, &b.transposed, &rows, &n, &inner, &factor_single, left,
                          &a.stride, right, &b.stride, &keep_single, (float *)(void *)to, &stride);
        else
            lapack->dgemm(&a.transposed, &b.transposed, &rows, &n, &inner, &factor, left, &a.stride,
                          right, &b.stride, &keep, (double *)(void *)to, &stride);
        if (gm_watch_spend(watch, GM_WORK_PER_LOOK))
            return 0;
    }
    return 1;
}
