/* Search in sorted numbers. */
#ifndef GM_BASE_SORTED_H
#define GM_BASE_SORTED_H

#include <stdint.h>

/* The first place in from .. to - 1 at which the ascending numbers x are not below `wanted`, or
 * `to`. */
static inline int64_t gm_lower_bound(const int32_t *x, int64_t from, int64_t to, int32_t wanted)
{
    while (from < to) {
        const int64_t middle = from + (to - from) / 2;
        if (x[middle] < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The same for pairs (x, y), which ascend first by x and then by y. */
static inline int64_t gm_lower_bound_pair(const int32_t *x, const int32_t *y, int64_t from,
                                          int64_t to, int32_t wanted_x, int32_t wanted_y)
{
    while (from < to) {
        const int64_t middle = from + (to - from) / 2;
        if (x[middle] < wanted_x || (x[middle] == wanted_x && y[middle] < wanted_y))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

#endif
