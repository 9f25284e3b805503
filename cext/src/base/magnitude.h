/* How large costs are: alone, together, and what lies above all of them. */
#ifndef GM_BASE_MAGNITUDE_H
#define GM_BASE_MAGNITUDE_H

#include <math.h>
#include <stdint.h>

/* total and the absolute values of n numbers, added one after the other. */
static inline double gm_add_magnitudes(double total, int64_t n, const double *x)
{
    for (int64_t k = 0; k < n; k++)
        total += fabs(x[k]);
    return total;
}

/* The larger of `largest` and n absolute values. */
static inline double gm_largest_magnitude(double largest, int64_t n, const double *x)
{
    for (int64_t k = 0; k < n; k++) /* no fmax: that is a call where NaN must be heeded */
        largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    return largest;
}

/* More than costs of this total (of absolute values) can make together, but not so much more that
 * they would drown in it. */
static inline double gm_beyond(double total)
{
    return total > 0.0 ? total + (total < 1.0 ? total : 1.0) : 1.0;
}

#endif
