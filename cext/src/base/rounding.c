#include "base/rounding.h"

static const double SMALLEST =
    0x1p-1074; /* what a product below the normal numbers may be off by */

double gm_rounding_error(double n_roundings, double magnitude)
{
    return magnitude > 0.0 ? n_roundings * (GM_ROUNDING * magnitude + SMALLEST) : 0.0;
}
