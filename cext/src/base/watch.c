#include "base/watch.h"

#ifdef GM_MEASURE_LOOKS
#include "base/looks.h"
#define NOTE_LOOK()  gm_looks_note((int64_t)(intptr_t)__builtin_return_address(0))
#define NOTE_CALL()  gm_looks_note_call((int64_t)(intptr_t)__builtin_return_address(0))
#define IS_CUT_NOW() gm_looks_are_cut()
#else
#define NOTE_LOOK()  ((void)0)
#define NOTE_CALL()  ((void)0)
#define IS_CUT_NOW() 0
#endif

int gm_is_late(double deadline)
{
    NOTE_LOOK();
    return gm_clock() >= deadline;
}

int gm_watch_look(gm_watch *watch)
{
    NOTE_LOOK();
    watch->unlooked = 0;
    if (IS_CUT_NOW() || (watch->stop && *(const volatile int32_t *)watch->stop))
        watch->is_over = 1;
    if (watch->deadline > 0.0 && gm_clock() >= watch->deadline)
        watch->is_over = 1;
    return watch->is_over;
}

int gm_watch_after_call(gm_watch *watch)
{
    NOTE_CALL();
    return watch && gm_watch_look(watch);
}
