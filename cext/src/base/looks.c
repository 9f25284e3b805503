#ifdef GM_MEASURE_LOOKS
#define _GNU_SOURCE
#include "base/looks.h"

#include <pthread.h>
#include <time.h>

static _Thread_local int64_t period;   /* of the last look: looks of other periods start again */
static _Thread_local gm_interval last; /* seconds: CPU time at the last look */
static int64_t current;
static gm_interval longest, longest_call;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void note(int64_t place, gm_interval *record)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    pthread_mutex_lock(&guard);
    if (period == current && seconds - last.seconds > record->seconds)
        *record = (gm_interval){seconds - last.seconds, last.to, place};
    period = current;
    pthread_mutex_unlock(&guard);
    last = (gm_interval){.seconds = seconds, .to = place};
}

void gm_looks_note(int64_t place)
{
    note(place, &longest);
}

void gm_looks_note_call(int64_t place)
{
    note(place, &longest_call);
}

void gm_looks_begin(void)
{
    pthread_mutex_lock(&guard);
    longest = longest_call = (gm_interval){0};
    current++;
    pthread_mutex_unlock(&guard);
    gm_looks_note(0);
}

static gm_interval copy(const gm_interval *record)
{
    pthread_mutex_lock(&guard);
    const gm_interval found = *record;
    pthread_mutex_unlock(&guard);
    return found;
}

gm_interval gm_looks_longest(void)
{
    return copy(&longest);
}

gm_interval gm_looks_longest_call(void)
{
    return copy(&longest_call);
}

static int64_t n_looks, cut_at;

void gm_looks_cut_at(int64_t look)
{
    cut_at = look;
    n_looks = 0;
}

int gm_looks_are_cut(void)
{
    n_looks++;
    return cut_at > 0 && n_looks >= cut_at;
}

int64_t gm_looks_count(void)
{
    return n_looks;
}
#else
typedef int gm_looks_are_not_measured;
#endif
