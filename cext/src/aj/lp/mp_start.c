#include "aj/lp/mp_start.h"

#include "aj/policy.h"
#include "mp/mp.h"

#include <math.h>

static const double WORK = 26.0; /* nanoseconds per entry: one iteration of mp */

int aj_quick_begin(aj_quick *Q, const gm_model *model, gm_index *index)
{
    static const gm_mp_options OPTIONS = {.kept = AJ_QUICK_KEPT};
    int nonpositive = index->n_entries > 0;
    for (int64_t e = 0; e < index->n_entries && nonpositive; e++)
        nonpositive = index->entry_cost[e] <= 0.0;
    if (!nonpositive)
        return GM_OK;
    Q->patient = index->n1 > AJ_REGION;
    Q->gap = INFINITY;
    Q->gains = 1;
    Q->work = WORK * (double)index->n_entries;
    Q->mp = mp_new_on(model, index, &OPTIONS);
    return Q->mp ? GM_OK : GM_ENOMEM;
}

int aj_quick_is_over(const aj_quick *Q)
{
    return !Q->mp || Q->mp->finished || Q->paused;
}

enum { MOST = 64, MOST_PATIENT = 400 }; /* iterations, and on large problems: their root is slow */
enum { VAIN_WINDOWS = 6 }; /* in a row with less than AJ_BESIDE_PROGRESS: the last ones */

int aj_quick_step(aj_quick *Q, double value, double seconds)
{
    const int status = gm_mp_step(Q->mp, 1, seconds);
    Q->n_units++;
    Q->gains &= !Q->mp->finished;
    if (status != GM_OK || Q->mp->finished || Q->n_units % AJ_QUICK_WINDOW != 0)
        return status;
    const double gap = fmin(value, Q->mp->value) - Q->mp->bound;
    const double wanted = Q->patient ? AJ_QUICK_PATIENT_PROGRESS : AJ_QUICK_PROGRESS;
    const int64_t most = Q->patient ? MOST_PATIENT : MOST;
    if (Q->paused) { /* smoothing begins below the bound that it exceeds later */
        Q->n_vain = gap <= (1.0 - AJ_BESIDE_PROGRESS) * Q->gap ? 0 : Q->n_vain + 1;
        Q->gains = Q->n_vain < VAIN_WINDOWS;
    } else if (!(gap <= (1.0 - wanted) * Q->gap) || Q->n_units >= most)
        Q->paused = 1;
    Q->gap = gap;
    return status;
}

int aj_quick_step_beside(aj_quick *Q, double value, double seconds)
{
    if (!Q->smoothed)
        mp_begin_smoothing(Q->mp);
    Q->smoothed = 1;
    return aj_quick_step(Q, value, seconds);
}

void aj_quick_end(aj_quick *Q)
{
    if (Q->mp)
        gm_mp_free(Q->mp);
    Q->mp = NULL;
}
