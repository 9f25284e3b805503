/* gm_many: the kernel of many small problems, one after the other, without a return to Python in
 * between. engine/pipeline.py decides value, bound and status of the answers. */
#include "base/run.h"
#include "gm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels by name. ADD(x) registers gm_x_new, gm_x_step and gm_x_free */

#define KERNELS(ADD) ADD(aj) ADD(fm) ADD(fm_bca) ADD(fw)

struct gm_kernel {
    const char *name;
    gm_run *(*begin)(const gm_model *model, const void *options);
    int (*step)(gm_run *run, int64_t max_iterations, double seconds);
    void (*end)(gm_run *run);
    int (*solve)(gm_job *job, const int32_t *stop); /* instead of them: the whole method */
};

#define BEGIN(x)                                                                                   \
    static gm_run *begin_##x(const gm_model *model, const void *options)                           \
    {                                                                                              \
        return gm_##x##_new(model, options);                                                       \
    }
KERNELS(BEGIN)

static int solve_rrwm(gm_job *job, const int32_t *stop)
{
    job->bound = -INFINITY;
    return gm_rrwm_solve(&job->model, job->options, job->max_iterations, job->seconds, stop,
                         job->labels, job->scores, &job->iteration, &job->ending);
}

#define ENTRY(x) {#x, begin_##x, gm_##x##_step, gm_##x##_free, NULL},
static const gm_kernel known_kernels[] = {
    KERNELS(ENTRY){"rrwm", NULL, NULL, NULL, solve_rrwm},
};

const gm_kernel *gm_find_kernel(const char *name)
{
    for (size_t k = 0; k < sizeof known_kernels / sizeof *known_kernels; k++)
        if (strcmp(known_kernels[k].name, name) == 0)
            return known_kernels + k;
    return NULL;
}

/* ---- one problem */

/* Moves the events of the run to the job; if no room is left the last one changes. */
static void take_events(gm_job *job)
{
    for (int32_t k = 0; k < job->run->n_events; k++) {
        if (job->n_events < GM_JOB_EVENTS)
            job->n_events++;
        job->events[job->n_events - 1] = job->run->events[k];
    }
    job->run->n_events = 0;
}

/* Gives a kernel the linear algebra that it has asked for; 0 if it is not known yet. */
static int give_lapack(gm_lapack *lapack, const gm_lapack *known)
{
    if (!known->dgemm)
        return 0;
    *lapack = *known;
    lapack->wanted = 0;
    return 1;
}

static const double SLICE = 0.05; /* seconds between two looks at whether to stop */
static const double GRACE = 0.01; /* seconds beyond the limit after which an iteration is cut */

/* Steps a kernel to its end. 0 if it waits for the linear algebra that it has asked for. */
static int advance(const gm_kernel *kernel, gm_job *job, gm_lapack *lapack, const gm_lapack *known,
                   const int32_t *stop)
{
    gm_run *run = job->run;
    job->ending = GM_UNDER_WAY;
    run->watch->stop = stop;
    run->watch->deadline = isfinite(job->seconds) ? job->begun + job->seconds + GRACE : 0.0;
    while (job->ending == GM_UNDER_WAY) {
        const int64_t allowed = job->max_iterations - run->iteration;
        if (allowed <= 0) {
            job->ending = GM_OUT_OF_ITERATIONS;
            break;
        }
        const double remaining = job->seconds - (gm_clock() - job->begun);
        job->status = kernel->step(run, allowed, fmax(fmin(SLICE, remaining), 0.0));
        if (job->status < 0)
            return 1;
        take_events(job);
        if (run->finished)
            job->ending = GM_ENDED;
        else if (*(const volatile int32_t *)stop)
            job->ending = GM_STOPPED;
        else if (run->watch->is_over || gm_clock() - job->begun >= job->seconds)
            job->ending = GM_OUT_OF_TIME;
        else if (lapack && lapack->wanted && !give_lapack(lapack, known))
            return 0;
    }
    if (isfinite(run->value))
        memcpy(job->labels, run->labels, sizeof *run->labels * (size_t)run->n1);
    job->bound = run->bound;
    job->iteration = run->iteration;
    return 1;
}

/* ---- all problems */

/* More than a problem of fifty nodes takes, and no more than glibc heeds (32 MB). */
static const size_t KEPT_BYTES = (size_t)31 << 20;

/* Makes glibc keep freed memory. Every problem takes its memory and gives it back; glibc returns
 * large pieces to the system at once, and each problem would pay for its pages again (half of the
 * time of small ones, and threads would wait for the lock of the page table). Once a piece of this
 * size has been freed, glibc keeps as much. With other allocators this does nothing. */
static void keep_memory(void)
{
    void *volatile piece = malloc(KEPT_BYTES); /* volatile: else compilers omit it */
    free(piece);
}

static void end_run(const gm_kernel *kernel, gm_job *job)
{
    kernel->end(job->run);
    job->run = NULL;
}

/* Begins a job: a run, or the whole solution. */
static void begin_job(const gm_kernel *kernel, gm_job *job, gm_lapack *lapack, const int32_t *stop)
{
    job->begun = gm_clock();
    if (lapack) /* every job asks for it, as it would if it were the only one */
        *lapack = (gm_lapack){0};
    for (int32_t i = 0; i < job->model.n1; i++)
        job->labels[i] = -1;
    if (kernel->solve) {
        job->status = kernel->solve(job, stop);
        return;
    }
    job->run = kernel->begin(&job->model, job->options);
    if (!job->run)
        job->status = GM_ENOMEM;
}

int32_t gm_many(const gm_kernel *kernel, gm_job *jobs, int32_t first, int32_t n, gm_lapack *lapack,
                const int32_t *stop)
{
    const gm_lapack known = lapack ? *lapack : (gm_lapack){0};
    keep_memory();
    for (int32_t k = first; k < n; k++) {
        gm_job *job = jobs + k;
        if (*(const volatile int32_t *)stop && !job->run) {
            job->ending = GM_STOPPED;
            continue;
        }
        if (!job->run)
            begin_job(kernel, job, lapack, stop);
        if (job->run) {
            if (!advance(kernel, job, lapack, &known, stop))
                return k;
            end_run(kernel, job);
        }
        job->ended = gm_clock();
    }
    return n;
}

void gm_many_drop(const gm_kernel *kernel, gm_job *jobs, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (jobs[k].run)
            end_run(kernel, jobs + k);
}
