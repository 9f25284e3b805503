/* gm_exp over an array, compiled for wide vectors too. */
#include "base/exp_log.h"

#include "base/lanes.h"

GM_WIDE void gm_exp_all(double *x, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        x[k] = gm_exp(x[k]);
}
