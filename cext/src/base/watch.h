/* Looks at the clock, between iterations and in the middle of long operations.
 *
 * A run is over at its deadline or when its caller asks for it (struct gm_watch). Every loop that
 * may take long spends its work, and leaves as soon as the watch reports that the run is over; so
 * do all loops that follow. Their unfinished results are safe to read and to free, but meaningless:
 * from then on the run takes neither matchings nor bounds (gm_run_offer, gm_run_raise). */
#ifndef GM_BASE_WATCH_H
#define GM_BASE_WATCH_H

#include "gm.h"

/* Work between two looks, a power of two: steps of a few nanoseconds each, together much less than
 * 1 ms. Tests look after every step. */
#ifndef GM_WORK_PER_LOOK
#define GM_WORK_PER_LOOK (1 << 15)
#endif

/* Whether the time is over. */
int gm_is_late(double deadline);

/* Looks now. 1 if the run is over. */
int gm_watch_look(gm_watch *watch);

/* Looks after a call of LAPACK, which cannot look; the caller has looked before it. 1 if the run is
 * over. NULL: it never is. */
int gm_watch_after_call(gm_watch *watch);

/* Looks after some work. 1 if the run is over. NULL: it never is. */
static inline int gm_watch_spend(gm_watch *watch, int64_t work)
{
    if (!watch)
        return 0;
    watch->unlooked += work;
    return watch->unlooked < GM_WORK_PER_LOOK ? watch->is_over : gm_watch_look(watch);
}

/* The same in step k of a loop with many short steps. */
static inline int gm_watch_step(gm_watch *watch, int64_t k)
{
    return (k & (GM_WORK_PER_LOOK - 1)) == 0 && gm_watch_spend(watch, GM_WORK_PER_LOOK);
}

/* 1 if the run was over at the last look. */
static inline int gm_watch_is_over(const gm_watch *watch)
{
    return watch && watch->is_over;
}

/* A run inside another one, or a part of it in another thread, is over when the whole is: before it
 * works, */
static inline void gm_watch_follow(gm_watch *part, const gm_watch *whole)
{
    part->deadline = whole->deadline;
    part->stop = whole->stop;
    part->is_over |= whole->is_over;
}

/* and after it has worked, in the thread of the whole. */
static inline void gm_watch_join(gm_watch *whole, const gm_watch *part)
{
    whole->is_over |= part->is_over;
}

#endif
