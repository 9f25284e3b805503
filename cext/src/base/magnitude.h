/* How large costs are: the largest one, their sum, and a number above all they can add up to. */
#ifndef GM_BASE_MAGNITUDE_H
#define GM_BASE_MAGNITUDE_H

#include <math.h>
#include <stdint.h>

/* total + |x[0]| + |x[1]| + ..., n numbers added in this order. */
static inline double gm_add_magnitudes(double total, int64_t n, const double *x)
{
    for (int64_t k = 0; k < n; k++)
        total += fabs(x[k]);
    return total;
}

/* The largest of `largest` and n absolute values |x[k]|. */
static inline double gm_largest_magnitude(double largest, int64_t n, const double *x)
{
    for (int64_t k = 0; k < n; k++) /* no fmax: its rule for NaN costs a call */
        largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    return largest;
}

/* A penalty above any sum of costs whose absolute values sum to total. It is little more
 * than that, as rounding loses the digits of costs that are added to a much larger number. */
static inline double gm_beyond(double total)
{
    if (!(total > 0.0))
        return 1.0;
    return total + (total < 1.0 ? total : 1.0);
}

#endif
