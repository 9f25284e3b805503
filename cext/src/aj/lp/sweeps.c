#include "aj/lp/sweeps.h"

#include "aj/policy.h"

#include <math.h>

void aj_sweeps_init(aj_sweeps *sweeps)
{
    sweeps->bound = sweeps->window_bound = -INFINITY;
}

int aj_sweeps_begin(aj_sweeps *sweeps, const gm_index *index)
{
    sweeps->bca = gm_bca_new(index);
    sweeps->going_on = sweeps->gains = sweeps->bca != NULL;
    return sweeps->bca ? GM_OK : GM_ENOMEM;
}

/* One sweep. *goes_on: the gap is open, and the last window of sweeps, if it is full, has gained
 * the part `progress` of it. */
static int step(aj_sweeps *sweeps, double scale, double cutoff, double progress, int *goes_on)
{
    const int status = gm_bca_iterate(sweeps->bca);
    if (status != GM_OK)
        return status;
    const double bound = gm_bca_bound(sweeps->bca) * scale;
    sweeps->n++;
    sweeps->bound = fmax(sweeps->bound, bound);
    *goes_on = sweeps->bound < cutoff;
    if (sweeps->n % AJ_SWEEP_WINDOW == 0) {
        *goes_on &= bound - sweeps->window_bound >= progress * (cutoff - bound);
        sweeps->window_bound = bound;
    }
    return GM_OK;
}

enum { MOST_EARLY_SWEEPS = 150 }; /* before the root of a large problem */

int aj_sweeps_step(aj_sweeps *sweeps, double scale, double cutoff, int early)
{
    const double progress = early ? AJ_EARLY_PROGRESS : AJ_SWEEP_PROGRESS;
    const int status = step(sweeps, scale, cutoff, progress, &sweeps->going_on);
    sweeps->going_on &= sweeps->n < (early ? MOST_EARLY_SWEEPS : AJ_MOST_SWEEPS);
    return status;
}

int aj_sweeps_step_beside(aj_sweeps *sweeps, double scale, double cutoff)
{
    return step(sweeps, scale, cutoff, AJ_BESIDE_PROGRESS, &sweeps->gains);
}

void aj_sweeps_end(aj_sweeps *sweeps)
{
    gm_bca_free(sweeps->bca);
    sweeps->bca = NULL;
    sweeps->going_on = sweeps->gains = 0;
}

gm_bca *aj_sweeps_guide(const aj_sweeps *sweeps)
{
    return sweeps->n > 0 ? sweeps->bca : NULL;
}
