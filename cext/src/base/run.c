/* The state that all anytime kernels have in common, and its record of improvements. */
#include "base/run.h"
#include "base/watch.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_CAPACITY = (int)(sizeof(((gm_run *)0)->events) / sizeof(gm_event)) };

static const double SAME_EVENT = 1e-4; /* seconds within which rises of the bound make one event */

int gm_run_init(gm_run *run, const gm_model *model)
{
    const int32_t n1 = model->n1;
    run->value = INFINITY;
    run->bound = -INFINITY;
    run->iteration = 0;
    run->finished = run->proven = 0;
    run->tolerance = model->tolerance;
    run->n1 = n1;
    run->n_events = 0;
    run->event_labels = NULL;
    run->own_watch = (gm_watch){0};
    run->watch = &run->own_watch;
    run->labels = malloc(sizeof *run->labels * (size_t)(n1 > 0 ? n1 : 1));
    if (!run->labels)
        return GM_ENOMEM;
    for (int32_t i = 0; i < n1; i++)
        run->labels[i] = -1;
    return GM_OK;
}

void gm_run_clear(gm_run *run)
{
    free(run->labels);
    run->labels = NULL;
}

/* A bound often rises many times in short succession. Only the newest of such rises is kept: the
 * last event is overwritten if the value is still that of the last two events and the earlier of
 * them is younger than SAME_EVENT. */
static int replaces_last(const gm_run *run, double now)
{
    if (run->n_events < 2)
        return 0;
    const gm_event *last = &run->events[run->n_events - 1];
    const gm_event *before = &run->events[run->n_events - 2];
    return last->value == run->value && before->value == run->value &&
           now - before->time < SAME_EVENT;
}

/* Notes value, bound and labels as they are now. A full buffer overwrites its last event: the
 * newest improvement matters most. */
static void record(gm_run *run)
{
    const double now = gm_clock();
    if (!replaces_last(run, now) && run->n_events < EVENT_CAPACITY)
        run->n_events++;
    gm_event *event = &run->events[run->n_events - 1];
    event->time = now;
    event->value = run->value;
    event->bound = run->bound;
    event->iteration = run->iteration;
    if (run->event_labels)
        memcpy(run->event_labels + (ptrdiff_t)(run->n_events - 1) * run->n1, run->labels,
               sizeof *run->labels * (size_t)run->n1);
}

int gm_run_offer(gm_run *run, double value, const int32_t *labels)
{
    if (gm_watch_is_over(run->watch) || !(value < run->value))
        return 0;
    run->value = value;
    if (labels != run->labels)
        memcpy(run->labels, labels, sizeof *labels * (size_t)run->n1);
    record(run);
    return 1;
}

int gm_run_raise(gm_run *run, double bound)
{
    const double capped = run->value < bound ? run->value : bound; /* fmin would lose a NaN */
    if (gm_watch_is_over(run->watch) || !(capped > run->bound) || capped == INFINITY)
        return 0;
    run->bound = capped;
    record(run);
    return 1;
}

void gm_run_stop_when_closed(gm_run *run)
{
    if (run->proven || gm_gap_closed(run->value, run->bound, run->tolerance))
        run->finished = 1;
}

int gm_run_leave(gm_run *run, int status)
{
    if (!gm_watch_is_over(run->watch))
        return status;
    run->finished = 0;
    return GM_OK;
}
