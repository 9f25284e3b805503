/* The two largest of many numbers, found while a loop computes them.
 *
 * In a GM_WIDE function write GM_TWO_BEGIN before the loop; in it GM_TWO_LOOK(chain, four numbers),
 * with chain = 0 .. GM_CHAINS - 1 in turn; GM_TWO_END(two) behind it; then gm_two_take for each of
 * the last numbers, fewer than GM_STRIDE. The chains are independent of each other, so that the
 * processor works on several comparisons at once. */
#ifndef GM_BASE_TWO_LARGEST_H
#define GM_BASE_TWO_LARGEST_H

#include "base/lanes.h"

#include <math.h>

enum { GM_CHAINS = 4, GM_STRIDE = GM_CHAINS * GM_LANES };

typedef struct gm_two_largest {
    double best, runner_up; /* equal if several are largest */
} gm_two_largest;

/* Takes one more number into account. */
static inline void gm_two_take(gm_two_largest *two, double x)
{
    const double lower = x > two->best ? two->best : x;
    two->best = x > two->best ? x : two->best;
    two->runner_up = lower > two->runner_up ? lower : two->runner_up;
}

#define GM_TWO_BEGIN                                                                               \
    gm_lanes best_[GM_CHAINS], second_[GM_CHAINS];                                                 \
    for (int chain_ = 0; chain_ < GM_CHAINS; chain_++)                                             \
        best_[chain_] = second_[chain_] = GM_LANES_ALL(-INFINITY);

#define GM_TWO_LOOK(chain, x)                                                                      \
    do {                                                                                           \
        const gm_lanes next_ = (x);                                                                \
        const gm_masks more_ = next_ > best_[chain];                                               \
        const gm_lanes lower_ = GM_LANES_CHOOSE(more_, best_[chain], next_);                       \
        best_[chain] = GM_LANES_CHOOSE(more_, next_, best_[chain]);                                \
        second_[chain] = GM_LANES_CHOOSE(lower_ > second_[chain], lower_, second_[chain]);         \
    } while (0)

#define GM_TWO_END(two)                                                                            \
    do {                                                                                           \
        (two).best = (two).runner_up = -INFINITY;                                                  \
        for (int chain_ = 0; chain_ < GM_CHAINS; chain_++)                                         \
            for (int lane_ = 0; lane_ < GM_LANES; lane_++) {                                       \
                gm_two_take(&(two), best_[chain_][lane_]);                                         \
                gm_two_take(&(two), second_[chain_][lane_]);                                       \
            }                                                                                      \
    } while (0)

#endif
