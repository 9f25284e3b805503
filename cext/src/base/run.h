/* The gm_run at the head of every anytime kernel's state: its start, better matchings and bounds,
 * its end. */
#ifndef GM_BASE_RUN_H
#define GM_BASE_RUN_H

#include "gm.h"

/* Allocates labels (all -1), sets value = +inf, bound = -inf and the model's tolerance. GM_OK or
 * GM_ENOMEM. */
int gm_run_init(gm_run *run, const gm_model *model);
void gm_run_clear(gm_run *run);

/* Copies the labels of a matching of this value if it is strictly better than run->value.
 * Returns 1 if it was; 0 once the run is over. A caller that knows that it is may write the labels
 * to run->labels and offer those. */
int gm_run_offer(gm_run *run, double value, const int32_t *labels);

/* Raises the bound if the new one is strictly higher. Returns 1 if it was; 0 once the run is over.
 * The bound never passes the value, which is rounded, too; NaN and +inf (no matching) change
 * nothing. */
int gm_run_raise(gm_run *run, double bound);

/* Sets run->finished once the gap is closed (base/gap.h), or the labels are proven. */
void gm_run_stop_when_closed(gm_run *run);

/* The return value of a step: its status, or GM_OK for a run that was cut, which has not finished,
 * whatever its own status says. */
int gm_run_leave(gm_run *run, int status);

#endif
