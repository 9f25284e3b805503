/* The one rule for when a gap counts as closed; gm.h declares gm_relative_gap and gm_gap_closed and
 * says what the rule is. */
#ifndef GM_BASE_GAP_H
#define GM_BASE_GAP_H

#include "gm.h"

/* The rule solved for the bound: a bound of value - gm_closed_width(value, scale) or more closes
 * the gap, up to the rounding of that difference. */
double gm_closed_width(double value, double scale);

#endif
