/* Cheap proofs first: iterations of mp, as long as they close the gap.
 *
 * If no pair cost is positive, mp's tables are as sparse as the model, and its sweeps cost a few
 * microseconds for a thousand pairs; most easy problems are proven by a dozen of them, before the
 * exact method has built anything. They end when a few of them no longer gain a good part of the
 * gap; large problems have more patience, since their root takes long to build. */
#ifndef GM_AJ_LP_MP_START_H
#define GM_AJ_LP_MP_START_H

#include "model/index.h"

typedef struct aj_quick {
    gm_run *mp;   /* NULL: over, or not wanted */
    int patient;  /* the problem is large */
    int paused;   /* from now on iterations alternate with the search for matchings, */
    int gains;    /* as long as they gain something: */
    int smoothed; /* it has begun to do so */
    int n_vain;   /* windows in a row that did not */
    double work;  /* of an iteration, estimated in nanoseconds */
    int64_t n_units;
    double gap; /* at the beginning of the present window */
} aj_quick;

/* Begins if the problem is of this kind. GM_OK or GM_ENOMEM. */
int aj_quick_begin(aj_quick *quick, const gm_model *model, gm_index *index);
/* One iteration; `value` is the best that is known. Every AJ_QUICK_WINDOW of them decide whether
 * they pause or, if they are paused, whether another would gain something. GM_OK or an error. */
int aj_quick_step(aj_quick *quick, double value, double seconds);
/* An iteration of a paused run: the first one begins with smoothing. */
int aj_quick_step_beside(aj_quick *quick, double value, double seconds);
/* Whether more iterations are not worth their time; mp is paused or ended then. */
int aj_quick_is_over(const aj_quick *quick);
void aj_quick_end(aj_quick *quick);

#endif
