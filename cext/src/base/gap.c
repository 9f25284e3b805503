/* The one rule for when a gap counts as closed. */
#include "base/gap.h"

#include <math.h>

static const double CLOSED = 1e-6;         /* a relative gap of at most this is closed */
static const double SMALLEST_VALUE = 1e-6; /* of the scale: gaps are relative to no less */

/* What gaps are relative to. */
static double unit(double value, double scale)
{
    return fmax(fabs(value), SMALLEST_VALUE * scale);
}

double gm_relative_gap(double value, double bound, double scale)
{
    if (!isfinite(value) || !isfinite(bound))
        return INFINITY;
    return value == bound ? 0.0 : (value - bound) / unit(value, scale);
}

int gm_gap_closed(double value, double bound, double scale)
{
    return gm_relative_gap(value, bound, scale) <= CLOSED;
}

double gm_closed_width(double value, double scale)
{
    return CLOSED * unit(value, scale);
}
