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
typedef struct gm_kernel gm_kernel;

enum gm_job_events { GM_JOB_EVENTS = 256 };

typedef struct gm_job {
    gm_model model;
    const void *options; /* gm_<kernel>_options */
    int64_t max_iterations;
    double seconds;   /* limit, may be infinite */
    int32_t *labels;  /* n1: the matching, all -1 if none was found */
    double *scores;   /* n1 x n2 zeros, row by row; of rrwm only, else NULL */
    gm_event *events; /* GM_JOB_EVENTS: improvements */

    int32_t status; /* enum gm_status */
    int32_t ending; /* enum gm_ending */
    int32_t n_events;
    double bound;
    double begun, ended; /* gm_clock() */
    int64_t iteration;
    gm_run *run; /* while it is under way */
} gm_job;

/* The kernel of a name (many.c lists them), or NULL. */
const gm_kernel *gm_find_kernel(const char *name);
int32_t gm_many(const gm_kernel *kernel, gm_job *jobs, int32_t first, int32_t n, gm_lapack *lapack,
                const int32_t *stop);
void gm_many_drop(const gm_kernel *kernel, gm_job *jobs, int32_t n);

#endif
