/* When a gap counts as closed: what gm_relative_gap and gm_gap_closed are made of. */
#ifndef GM_BASE_GAP_H
#define GM_BASE_GAP_H

#include "gm.h"

/* The largest value - bound that counts as closed, up to rounding. */
double gm_closed_width(double value, double scale);

#endif
