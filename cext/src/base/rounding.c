/* The safety margins of bounds and of costs; base/rounding.h derives them. */
#include "base/rounding.h"

/* The error of an operation whose result lies below the normal numbers, times two as well. */
static const double SMALLEST = 0x1p-1074;

double gm_rounding_error(double n_roundings, double magnitude)
{
    return magnitude > 0.0 ? n_roundings * (GM_ROUNDING * magnitude + SMALLEST) : 0.0;
}

double gm_sum_error(double n_roundings, double magnitude)
{
    return n_roundings * (GM_ROUNDING * magnitude);
}
