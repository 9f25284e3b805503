/* Scale of the costs of a model, and a number that divides all of them.
 *
 * The search works on costs times `scale`, a power of two. If all costs are multiples of one
 * number, the grain, so is the cost of every matching: a bound may be rounded up to the next
 * multiple, and nothing lies between a value and the multiple below it. */
#ifndef GM_AJ_MODEL_COST_GRID_H
#define GM_AJ_MODEL_COST_GRID_H

#include "model/index.h"

typedef struct aj_grain {
    double scale; /* brings the largest pair cost (or cost) to about 1 */
    double size;  /* all costs are multiples of it; 0 = unknown */
    double error; /* by how much a matching's cost can miss one; 0: costs are integers */
} aj_grain;

/* tolerance: costs count as multiples if the cost of a whole matching misses a multiple by less
 * than half of it. */
aj_grain aj_grain_of(const gm_index *index, double tolerance);

/* The bound that follows from a proven one, given as scaled; not scaled. */
double aj_grain_round_up(const aj_grain *grain, double lower);
/* The cutoff just below `value`: matchings that cost no more are better. Without a grain it is
 * `width` below. Scaled. */
double aj_grain_below(const aj_grain *grain, double value, double width);
/* Just above `value`: matchings that cost exactly as much lie below the result. Scaled. */
double aj_grain_above(const aj_grain *grain, double value, double width);

#endif
