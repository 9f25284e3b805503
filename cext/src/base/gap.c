/* The one rule for when a gap counts as closed. */
#include "base/gap.h"

#include <math.h>

double gm_tolerance(double scale)
{
    return GM_CLOSED * scale;
}

double gm_relative_gap(double value, double bound, double tolerance)
{
    if (!isfinite(value) || !isfinite(bound))
        return INFINITY;
    return value == bound ? 0.0 : (value - bound) / fmax(fabs(value), tolerance / GM_CLOSED);
}

int gm_gap_closed(double value, double bound, double tolerance)
{
    return isfinite(value) && isfinite(bound) && (value == bound || value - bound <= tolerance);
}
