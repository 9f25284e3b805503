/* Many small problems, one after the other. */
#ifndef GM_GM_MANY_H
#define GM_GM_MANY_H

#include "gm/linear.h"
#include "gm/run.h"

/* ---- many small problems ----------------------------------------------------------------------
 * Jobs first .. n - 1, one after the other, all by one kernel. The caller fills in the first part
 * of each job, and zeros in the second, which gets the answer. Returns n, or the job at which the
 * kernel asked for linear algebra (lapack->wanted): call again from there once that is filled in,
 * or gm_many_drop to give up. When *stop becomes 1, the job under way ends and no other is begun.
 */
enum gm_kernel {
    GM_KERNEL_FM = 0,
    GM_KERNEL_FM_BCA = 1,
    GM_KERNEL_FW = 2,
    GM_KERNEL_AJ = 3,
    GM_KERNEL_RRWM = 4
};

enum gm_trace_rows { GM_TRACE_ROWS = 256 };

typedef struct gm_job {
    gm_model model;
    const void *options; /* gm_<kernel>_options */
    int64_t max_iterations;
    double seconds;    /* limit, may be infinite */
    double offset;     /* of the problem */
    int32_t maximised; /* its sense */
    int32_t *labels;   /* n1: the matching */
    double *scores;    /* n1 x n2 zeros, row by row; of rrwm only, else NULL */
    double *trace;     /* GM_TRACE_ROWS rows: seconds since begun, value, bound */

    int32_t status; /* enum gm_status */
    int32_t ending; /* enum gm_ending */
    int32_t n_trace;
    int32_t n_matched;
    double cost, bound;  /* without the constant; cost: of labels, computed anew */
    gm_verdict told;     /* gm_settle of them */
    double begun, ended; /* gm_clock() */
    int64_t iteration;
    gm_run *run; /* while it is under way */
} gm_job;

int32_t gm_many(int32_t kernel, gm_job *jobs, int32_t first, int32_t n, gm_lapack *lapack,
                const int32_t *stop);
void gm_many_drop(int32_t kernel, gm_job *jobs, int32_t n);

#endif
