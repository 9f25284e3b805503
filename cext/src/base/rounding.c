/* The safety margin of every bound; base/rounding.h derives it. */
#include "base/rounding.h"

/* The error of an operation whose result lies below the normal numbers, times two as well. */
static const double SMALLEST = 0x1p-1074;

double gm_rounding_error(double n_roundings, double magnitude)
{
    return magnitude > 0.0 ? n_roundings * (GM_ROUNDING * magnitude + SMALLEST) : 0.0;
}
