/* Many small problems, one after the other, without a word of Python in between. */
#include "base/csr.h"
#include "base/magnitude.h"
#include "base/pool.h"
#include "gm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that the allocator may keep: more than a problem of fifty nodes takes, and no more than
 * glibc heeds (32 MB). */
static const size_t KEPT = (size_t)31 << 20;
static const double SLICE = 0.05; /* seconds between two looks at whether to stop */

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

/* GM_EINFEASIBLE where a complete problem has no complete matching: as many nodes of the smaller
 * side as possible are matched, and counted. */
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
    for (int32_t i = 0; i <= m->n1; i++)
        row[i] = start[i];
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

/* A row of the trace where value or bound are better than in the last one; a full trace keeps its
 * newest row current. */
static void note(gm_job *job, double time, double value, double bound)
{
    double *last = job->trace + 3 * (int64_t)(job->n_trace - 1);
    const double best = job->n_trace ? last[1] : INFINITY,
                 highest = job->n_trace ? last[2] : -INFINITY;
    const int better = value<best, tighter = bound> highest && bound < INFINITY;
    if (!better && !tighter)
        return;
    if (job->n_trace < GM_TRACE_ROWS)
        last = job->trace + 3 * (int64_t)job->n_trace++;
    last[0] = time - job->begun;
    last[1] = better ? value : best;
    last[2] = tighter ? bound : highest;
}

static void drain(gm_job *job)
{
    for (int32_t k = 0; k < job->run->n_events; k++) {
        const gm_event *event = job->run->events + k;
        note(job, event->time, event->value, event->bound);
    }
    job->run->n_events = 0;
}

/* Hand out the linear algebra that a kernel has asked for; 0 where it is not known yet. */
static int lend(gm_lapack *lapack, const gm_lapack *known)
{
    if (!known->dgemm)
        return 0;
    *lapack = *known;
    lapack->wanted = 0;
    return 1;
}

/* Run a kernel to its end. 0 where it waits for the linear algebra that it has asked for. */
static int advance(int32_t kernel, gm_job *job, gm_lapack *lapack, const gm_lapack *known,
                   const int32_t *stop)
{
    gm_run *run = job->run;
    job->ending = GM_UNDER_WAY;
    while (job->ending == GM_UNDER_WAY) {
        const int64_t allowed = job->max_iterations - run->iteration;
        if (allowed <= 0) {
            job->ending = GM_OUT_OF_ITERATIONS;
            break;
        }
        const double remaining = job->seconds - (gm_clock() - job->begun);
        job->status = step(kernel, run, allowed, fmax(fmin(SLICE, remaining), 0.0));
        if (job->status < 0)
            return 1;
        drain(job);
        if (run->finished)
            job->ending = GM_ENDED;
        else if (gm_clock() - job->begun >= job->seconds)
            job->ending = GM_OUT_OF_TIME;
        else if (*(const volatile int32_t *)stop)
            job->ending = GM_STOPPED;
        else if (lapack && lapack->wanted && !lend(lapack, known))
            return 0;
    }
    if (isfinite(run->value))
        memcpy(job->labels, run->labels, sizeof *run->labels * (size_t)run->n1);
    job->bound = run->bound;
    job->iteration = run->iteration;
    return 1;
}

static int run_walk(gm_job *job, const int32_t *stop)
{
    job->bound = -INFINITY;
    return gm_rrwm_solve(&job->model, job->options, job->max_iterations, job->seconds, stop,
                         job->labels, job->scores, &job->iteration, &job->ending);
}

/* Cost, gap and the last row of the trace, as the driver decides them. */
static void judge(gm_job *job)
{
    const gm_model *m = &job->model;
    job->status = gm_matching_cost(m, job->labels, &job->cost);
    if (job->status < 0)
        return;
    for (int32_t i = 0; i < m->n1; i++)
        job->n_matched += job->labels[i] >= 0;
    note(job, gm_clock(), job->cost, job->bound);
    job->bound = fmin(job->trace[3 * (int64_t)(job->n_trace - 1) + 2], job->cost);
    double scale = gm_largest_magnitude(0.0, m->n_candidates, m->cost);
    scale = gm_largest_magnitude(scale, m->n_edges, m->edge_cost);
    job->gap = gm_relative_gap(job->cost, job->bound, scale);
    job->closed = isfinite(job->bound) && gm_gap_closed(job->cost, job->bound, scale);
    job->told_value = gm_told_value(job->cost, job->offset, job->maximised);
    job->told_bound = gm_told_bound(job->bound, job->offset, job->maximised);
    for (int32_t k = 0; k < job->n_trace; k++) {
        double *row = job->trace + 3 * (int64_t)k;
        row[1] = gm_told_value(fmax(row[1], job->cost), job->offset, job->maximised);
        row[2] = gm_told_bound(fmin(row[2], job->cost), job->offset, job->maximised);
    }
}

/* Every problem takes its memory and gives it back. glibc hands large blocks back to the system at
 * once, and each problem would pay for its pages again (half of the time of small ones; threads,
 * which share the pages' lock, would wait for each other). Having seen a block of this size freed,
 * it keeps that much. Elsewhere this does nothing. */
static void keep_memory(void)
{
    void *volatile block = malloc(KEPT); /* volatile: compilers leave out what is never used */
    free(block);
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
        if (!job->run) {
            job->begun = gm_clock();
            if (lapack) /* every job asks for it, as it would if it were the only one */
                *lapack = (gm_lapack){0};
            for (int32_t i = 0; i < job->model.n1; i++)
                job->labels[i] = -1;
            job->status = check_feasible(&job->model);
            if (job->status == GM_OK && kernel == GM_KERNEL_RRWM)
                job->status = run_walk(job, stop);
            else if (job->status == GM_OK && !(job->run = begin(kernel, job)))
                job->status = GM_ENOMEM;
        }
        if (job->run) {
            if (!advance(kernel, job, lapack, &known, stop))
                return k;
            end(kernel, job);
        }
        if (job->status == GM_OK)
            judge(job);
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
