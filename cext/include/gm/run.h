/* An anytime run, which Python drives. */
#ifndef GM_GM_RUN_H
#define GM_GM_RUN_H

#include "gm/model.h"

/* ---- an anytime run -------------------------------------------------------------------------
 * Every iterative kernel's state begins with a gm_run, so that Python drives all of them with
 * one loop: gm_x_new(model, options) -> gm_x_step(run, max_iterations, seconds) -> gm_x_free(run).
 * step returns GM_OK after this many iterations or seconds, or earlier
 * when it sets finished. The caller decides by gm_gap_closed if a finished run has a proof.
 * Improvements are noted as events with their time; Python takes them away (sets n_events to 0)
 * after each step.
 *
 * seconds is a wish: a step returns between two iterations. The events that end a run in the middle
 * of one, its time limit and the request to stop, are in its watch, which the caller sets after
 * new. A run that was cut keeps the best labels and bound from before; no step follows.
 */

typedef struct gm_event {
    double time;  /* gm_clock() at the improvement */
    double value; /* cost of the best labels so far, +inf if none */
    double bound; /* best lower bound so far, -inf if none */
    int64_t iteration;
} gm_event;

typedef struct gm_run {
    double value;
    double bound;
    double tolerance; /* for gm_gap_closed; the model's */
    int64_t iteration;
    int32_t finished; /* 1: more steps would change nothing */
    int32_t proven;   /* 1: no matching is better than labels, but for rounding */
    int32_t n1;
    int32_t *labels; /* n1 entries: label of each left node, -1 = unmatched */
    int32_t n_events;
    gm_event events[256];
    int32_t *event_labels; /* NULL, or room for the labels of each event, 256 * n1, the caller's */
    gm_watch own_watch;
    gm_watch *watch; /* own_watch, or that of the run which this one is part of */
} gm_run;

/* How a run ended. */
enum gm_ending {
    GM_UNDER_WAY = 0,
    GM_ENDED = 1, /* by itself */
    GM_OUT_OF_ITERATIONS = 2,
    GM_OUT_OF_TIME = 3,
    GM_STOPPED = 4,    /* on request */
    GM_BROKEN_DOWN = 5 /* numerical failure */
};

#endif
