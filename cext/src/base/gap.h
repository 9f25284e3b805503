/* The one rule for when a gap counts as closed; gm.h declares the functions and states the rule. */
#ifndef GM_BASE_GAP_H
#define GM_BASE_GAP_H

#include "gm.h"

#define GM_CLOSED 1e-9 /* of the scale of costs: a gap of at most this is closed */

#endif
