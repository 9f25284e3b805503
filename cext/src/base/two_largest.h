/* The two largest of many numbers, found while a loop makes them.
 *
 * In a GM_WIDE function: GM_TWO_BEGIN; then GM_TWO_LOOK(chain, four numbers) for chain = 0 ..
 * GM_CHAINS - 1 by turns, which hides the latency; GM_TWO_END(two); then gm_two_take for what is
 * left over. */
#ifndef GM_BASE_TWO_LARGEST_H
#define GM_BASE_TWO_LARGEST_H

#include "base/lanes.h"

#include <math.h>

enum { GM_CHAINS = 4, GM_STRIDE = GM_CHAINS * GM_LANES };

typedef struct gm_two_largest {
    double best, runner_up; /* equal where several are largest */
} gm_two_largest;

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
