/* The monotonic clock, by which all time limits and events are measured. */
#define _POSIX_C_SOURCE 199309L
#include "gm.h"

#include <time.h>

double gm_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
