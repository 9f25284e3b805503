/* gm_many: many small problems, one after the other, without a return to Python in between. It does
 * for each what the driver does for one: feasibility, kernel, trace, cost, gap. */
#include "base/csr.h"
#include "base/pool.h"
#include "base/run.h"
#include "gm.h"
#include "many/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels by number */

static gm_run *begin(int32_t kernel, const gm_job *job)
{
    switch (kernel) {
    case GM_KERNEL_FM: return gm_fm_new(&job->model, job->options);
    case GM_KERNEL_FM_BCA: return gm_fm_bca_new(&job->model, job->options);
    case GM_KERNEL_FW: return gm_fw_new(&job->model, job->options);
    default: return gm_aj_new(&job->model, job->options);
    }
}

static int step(int32_t kernel, gm_run *run, int64_t max_iterations, double seconds)
{
    switch (kernel) {
    case GM_KERNEL_FM: return gm_fm_step(run, max_iterations, seconds);
    case GM_KERNEL_FM_BCA: return gm_fm_bca_step(run, max_iterations, seconds);
    case GM_KERNEL_FW: return gm_fw_step(run, max_iterations, seconds);
    default: return gm_aj_step(run, max_iterations, seconds);
    }
}

static void end(int32_t kernel, gm_job *job)
{
    gm_run *run = job->run;
    job->run = NULL;
    switch (kernel) {
    case GM_KERNEL_FM: gm_fm_free(run); break;
    case GM_KERNEL_FM_BCA: gm_fm_bca_free(run); break;
    case GM_KERNEL_FW: gm_fw_free(run); break;
    default: gm_aj_free(run);
    }
}

/* ---- one problem */

/* GM_EINFEASIBLE where a complete problem has no complete matching: the largest matching has fewer
 * pairs than the smaller side has nodes. */
static int check_feasible(const gm_model *m)
{
    if (!m->complete || m->n_candidates == (int64_t)m->n1 * m->n2)
        return GM_OK;
    int status = GM_ENOMEM;
    gm_pool pool = {NULL, 0};
    gm_lap *lap = NULL;
    int32_t *start, *order, *label;
    int64_t *row;
    double *price;
    GM_TAKE(&pool, m->n1 + 1, start);
    GM_TAKE(&pool, m->n1 + 1, row);
    GM_TAKE(&pool, m->n_candidates, order);
    GM_TAKE(&pool, m->n_candidates, label);
    GM_TAKE(&pool, m->n_candidates, price);
    if (pool.failed)
        goto done;
    gm_csr_group(m->n1, m->n_candidates, m->left, start, order);
    gm_csr_widen(m->n1, start, row);
    for (int32_t k = 0; k < m->n_candidates; k++) {
        label[k] = m->right[order[k]];
        price[k] = -1.0;
    }
    lap = gm_lap_new(m->n1, m->n2, row, label);
    if (!lap)
        goto done;
    status = gm_lap_solve(lap, price, 0, 0);
    int32_t matched = 0;
    for (int32_t i = 0; i < m->n1; i++)
        matched += gm_lap_match(lap)[i] >= 0;
    if (status == GM_OK && matched < (m->n1 < m->n2 ? m->n1 : m->n2))
        status = GM_EINFEASIBLE;
done:
    gm_lap_free(lap);
    gm_pool_free(&pool);
    return status;
}

/* Adds a row to the trace where value or bound are better than in the last one; where the trace is
 * full its last row changes. */
static void note(gm_job *job, double time, double value, double bound)
{
    double *last = job->trace + 3 * (int64_t)(job->n_trace - 1);
    const double best = job->n_trace ? last[1] : INFINITY;
    const double highest = job->n_trace ? last[2] : -INFINITY;
    const int better = value < best;
    const int tighter = bound > highest && bound < INFINITY;
    if (!better && !tighter)
        return;
    if (job->n_trace < GM_TRACE_ROWS)
        last = job->trace + 3 * (int64_t)job->n_trace++;
    last[0] = time - job->begun;
    last[1] = better ? value : best;
    last[2] = tighter ? bound : highest;
}

/* Moves the events of the run into the trace. */
static void note_events(gm_job *job)
{
    for (int32_t k = 0; k < job->run->n_events; k++) {
        const gm_event *event = job->run->events + k;
        note(job, event->time, event->value, event->bound);
    }
    job->run->n_events = 0;
}

/* Gives a kernel the linear algebra that it has asked for; 0 where it is not known yet. */
static int give_lapack(gm_lapack *lapack, const gm_lapack *known)
{
    if (!known->dgemm)
        return 0;
    *lapack = *known;
    lapack->wanted = 0;
    return 1;
}

/* Steps a kernel to its end. 0 where it waits for the linear algebra that it has asked for. */
static int advance(int32_t kernel, gm_job *job, gm_lapack *lapack, const gm_lapack *known,
                   const int32_t *stop)
{
    gm_run *run = job->run;
    job->ending = GM_UNDER_WAY;
    run->watch->stop = stop;
    run->watch->deadline = isfinite(job->seconds) ? job->begun + job->seconds + MANY_GRACE : 0.0;
    while (job->ending == GM_UNDER_WAY) {
        const int64_t allowed = job->max_iterations - run->iteration;
        if (allowed <= 0) {
            job->ending = GM_OUT_OF_ITERATIONS;
            break;
        }
        const double remaining = job->seconds - (gm_clock() - job->begun);
        job->status = step(kernel, run, allowed, fmax(fmin(MANY_SLICE, remaining), 0.0));
        if (job->status < 0)
            return 1;
        note_events(job);
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

static int solve_rrwm(gm_job *job, const int32_t *stop)
{
    job->bound = -INFINITY;
    return gm_rrwm_solve(&job->model, job->options, job->max_iterations, job->seconds, stop,
                         job->labels, job->scores, &job->iteration, &job->ending);
}

/* Cost, what the user is told, and the last row of the trace. */
static void conclude(gm_job *job)
{
    const gm_model *m = &job->model;
    job->status = gm_matching_cost(m, job->labels, &job->cost);
    if (job->status < 0)
        return;
    for (int32_t i = 0; i < m->n1; i++)
        job->n_matched += job->labels[i] >= 0;
    note(job, gm_clock(), job->cost, job->bound);
    job->bound = job->trace[3 * (int64_t)(job->n_trace - 1) + 2];
    job->told = gm_settle(job->cost, job->bound, job->offset, job->maximised, m->tolerance,
                          gm_matching_error(m, job->labels));
    for (int32_t k = 0; k < job->n_trace; k++) {
        double *row = job->trace + 3 * (int64_t)k;
        row[1] = gm_told_value(fmax(row[1], job->cost), job->offset, job->maximised);
        row[2] = gm_told_bound(job->cost < row[2] ? job->cost : row[2], /* fmin would lose a NaN */
                               job->offset, job->maximised);
    }
}

/* ---- all problems */

/* Makes glibc keep freed memory. Every problem takes its memory and gives it back; glibc returns
 * large pieces to the system at once, and each problem would pay for its pages again (half of the
 * time of small ones, and threads would wait for the lock of the page table). Once a piece of this
 * size has been freed, glibc keeps as much. With other allocators this does nothing. */
static void keep_memory(void)
{
    void *volatile piece = malloc(MANY_KEPT_BYTES); /* volatile: else compilers omit it */
    free(piece);
}

/* Begins a job: a run, or for rrwm the whole solution. */
static void begin_job(int32_t kernel, gm_job *job, gm_lapack *lapack, const int32_t *stop)
{
    job->begun = gm_clock();
    if (lapack) /* every job asks for it, as it would if it were the only one */
        *lapack = (gm_lapack){0};
    for (int32_t i = 0; i < job->model.n1; i++)
        job->labels[i] = -1;
    job->status = check_feasible(&job->model);
    if (job->status != GM_OK)
        return;
    if (kernel == GM_KERNEL_RRWM) {
        job->status = solve_rrwm(job, stop);
        return;
    }
    job->run = begin(kernel, job);
    if (!job->run)
        job->status = GM_ENOMEM;
}

int32_t gm_many(int32_t kernel, gm_job *jobs, int32_t first, int32_t n, gm_lapack *lapack,
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
            end(kernel, job);
        }
        if (job->status == GM_OK)
            conclude(job);
        job->ended = gm_clock();
    }
    return n;
}

void gm_many_drop(int32_t kernel, gm_job *jobs, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (jobs[k].run)
            end(kernel, jobs + k);
}
