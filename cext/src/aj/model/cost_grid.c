#include "aj/model/cost_grid.h"

#include "aj/policy.h"
#include "base/rounding.h"

#include <math.h>

enum { LARGEST_EXPONENT = 1000 };

/* Cost k of the index: unary costs first, then pair costs. */
static double cost_at(const gm_index *index, int64_t k)
{
    return k < index->n_slots ? index->slot_cost[k] : index->entry_cost[k - index->n_slots];
}

static const double MOST_GRAINS = 0x1p40; /* in all costs together */

/* The greatest number that divides all costs, or 0 if they are not integers (or sums might not be
 * exact). */
static double integer_grain(const gm_index *index)
{
    int64_t grain = 0;
    double total = 0.0;
    for (int64_t k = 0; k < index->n_slots + index->n_entries; k++) {
        const double cost = cost_at(index, k);
        total += fabs(cost);
        if (cost != floor(cost) || total > MOST_GRAINS)
            return 0.0;
        int64_t x = (int64_t)fabs(cost), y = grain;
        while (y) {
            const int64_t remainder = x % y;
            x = y;
            y = remainder;
        }
        grain = x;
    }
    return (double)grain;
}

static const double NOISE = 1e-10; /* of the largest cost: a remainder below it is rounding */
static const double MOST_IN_LARGEST = 1000.0; /* grains in the largest cost */
static const double MOST_ERROR = 1e-13; /* of the largest cost: far below any gap that counts */

/* The same for costs like 2.75 and 0.825, multiples of 0.275 but for rounding: Euclid's algorithm
 * until a remainder is noise. 0 if there is no such number, or only one far below the largest cost.
 * *error: by how much the cost of a matching can miss a multiple. It has at most one cost of each
 * node and one of each link. */
static double rational_grain(const gm_index *index, double tolerance, double *error)
{
    const int64_t n = index->n_slots + index->n_entries;
    double largest = 0.0, grain = 0.0, missed = 0.0;
    for (int64_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(cost_at(index, k)));
    for (int64_t k = 0; k < n; k++) {
        double x = fabs(cost_at(index, k)), y = grain;
        while (y > NOISE * largest) {
            const double remainder = fabs(x - y * round(x / y));
            x = y;
            y = remainder;
        }
        if (x > NOISE * largest)
            grain = x;
        if (grain > 0.0 && grain * MOST_IN_LARGEST < largest)
            return 0.0;
    }
    if (!(grain > 0.0))
        return 0.0;
    grain = largest / round(largest / grain);
    for (int64_t k = 0; k < n; k++) {
        const double cost = cost_at(index, k);
        missed = fmax(missed, fabs(cost - grain * round(cost / grain)));
    }
    *error = (missed + GM_ROUNDING * largest) * ((double)index->n1 + (double)index->n_links);
    return *error <= fmin(MOST_ERROR * largest, AJ_CUTOFF_GAP * tolerance) ? grain : 0.0;
}

/* A power of two that brings the largest pair cost (or cost) to about 1. */
static double scale_of(const gm_index *index)
{
    double largest = 0.0;
    for (int64_t k = 0; k < index->n_entries; k++)
        largest = fmax(largest, fabs(index->entry_cost[k]));
    const int pairless = largest == 0.0;
    for (int32_t p = 0; p < index->n_slots && pairless; p++)
        largest = fmax(largest, fabs(index->slot_cost[p]));
    int exponent = 0;
    if (largest > 0.0)
        frexp(largest, &exponent);
    /* the scale itself stays in range */
    exponent = exponent > LARGEST_EXPONENT ? LARGEST_EXPONENT : exponent;
    exponent = exponent < -LARGEST_EXPONENT ? -LARGEST_EXPONENT : exponent;
    return ldexp(1.0, -exponent);
}

aj_grain aj_grain_of(const gm_index *index, double tolerance)
{
    aj_grain grain = {.scale = scale_of(index), .size = integer_grain(index)};
    if (grain.size == 0.0)
        grain.size = rational_grain(index, tolerance, &grain.error);
    if (grain.size == 0.0)
        grain.error = 0.0;
    return grain;
}

static const double SLACK = 5e-3; /* of the grain; far above the rounding of 2^40 grains */

double aj_grain_round_up(const aj_grain *grain, double lower)
{
    const double bound = lower / grain->scale;
    if (grain->size == 0.0)
        return bound;
    return ceil(bound / grain->size - SLACK) * grain->size - grain->error;
}

double aj_grain_below(const aj_grain *grain, double value, double width)
{
    const double below = grain->size > 0.0 ? grain->size * (1.0 - 2.0 * SLACK) : width;
    return (value - below) * grain->scale;
}

double aj_grain_above(const aj_grain *grain, double value, double width)
{
    if (grain->size == 0.0)
        return (value + width) * grain->scale;
    const double multiples = floor(value / grain->size + SLACK);
    return grain->size * (multiples + 1.0 - 2.0 * SLACK) * grain->scale;
}
