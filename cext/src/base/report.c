/* Values and bounds as the caller gets them: with the problem's constant, and negated if the
 * problem is maximised. */
#include "gm.h"

#include <math.h>

double gm_report_value(double cost, double offset, int maximised)
{
    const double total = cost + offset;
    return maximised ? -total : total;
}

double gm_report_bound(double bound, double offset, int maximised)
{
    double total = bound + offset;
    if (isfinite(total)) {
        /* Knuth's TwoSum: bound + offset = total + error, exactly */
        const double part = total - bound;
        const double error = (bound - (total - part)) + (offset - part);
        if (error < 0.0)
            total = nextafter(total, -INFINITY);
    }
    return maximised ? -total : total;
}

gm_verdict gm_settle(double cost, double bound, double offset, int maximised, double tolerance,
                     double error)
{
    const double capped = cost < bound ? cost : bound; /* fmin would lose a NaN */
    return (gm_verdict){.value = gm_report_value(cost, offset, maximised),
                        .bound = gm_report_bound(capped, offset, maximised),
                        .gap = gm_relative_gap(cost, capped, tolerance),
                        .closed = gm_gap_closed(cost, capped, fmax(tolerance, error))};
}
