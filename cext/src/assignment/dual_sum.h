/* The bound of an assignment: the sum of the duals of its rows and columns, without the error of
 * rounding. */
#ifndef GM_ASSIGNMENT_DUAL_SUM_H
#define GM_ASSIGNMENT_DUAL_SUM_H

#include "base/rounding.h"

#include <math.h>

/* A sum with the rounding errors of its additions, which are added at the end (Neumaier 1974); the
 * sum of the absolute values; and the number of terms. */
typedef struct gm_sum {
    double total, errors, size, n;
} gm_sum;

static inline void gm_sum_add(gm_sum *s, double x)
{
    const double total = s->total + x;
    s->errors += fabs(s->total) >= fabs(x) ? (s->total - total) + x : (x - total) + s->total;
    s->total = total;
    s->size += fabs(x);
    s->n += 1.0;
}

/* The sum of the duals of rows and columns, lowered by its rounding error: a row's dual
 * is one difference, the whole is rounded once, and the errors are known but for their own
 * rounding, n of them of the order of n roundings each. */
static inline double gm_dual_sum(const gm_sum *rows, const gm_sum *cols)
{
    const double total = (rows->total + cols->total) + (rows->errors + cols->errors);
    const double n = rows->n + cols->n, size = rows->size + cols->size;
    return total - gm_rounding_error(1.0, rows->size) -
           gm_rounding_error(2.0, fabs(rows->total) + fabs(cols->total)) -
           gm_rounding_error(n * n * GM_ROUNDING, size);
}

#endif
