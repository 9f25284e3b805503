/* What every anytime kernel does with the gm_run at the head of its state. */
#ifndef GM_BASE_RUN_H
#define GM_BASE_RUN_H

#include "gm.h"

/* Allocates labels (all -1) and sets value = +inf, bound = -inf. GM_OK or GM_ENOMEM. */
int gm_run_init(gm_run *run, const gm_model *model);
void gm_run_clear(gm_run *run);

/* Takes labels over when value is strictly better than run->value. Returns 1 if it was. labels may
 * be run->labels, written by whoever knows that they are better. */
int gm_run_offer(gm_run *run, double value, const int32_t *labels);

/* Raises the bound when it is strictly better. Returns 1 if it was. */
int gm_run_raise(gm_run *run, double bound);

/* Finishes the run once its gap is closed. */
void gm_run_stop_when_closed(gm_run *run);

#endif
