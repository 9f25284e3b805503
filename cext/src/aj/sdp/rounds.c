#include "aj/sdp/rounds.h"

#include "aj/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_task(aj_task *task)
{
    if (task) {
        aj_semidefinite_clear(&task->phase);
        aj_scratch_clear(&task->scratch);
        gm_pool_free(&task->pool);
    }
    free(task);
}

/* An empty task with the options of the root. NULL when out of memory. */
static aj_task *new_task(const aj_semidefinite *root, const gm_index *index)
{
    aj_task *task = calloc(1, sizeof *task);
    if (!task)
        return NULL;
    task->phase.mode = root->mode;
    task->phase.fix = root->fix;
    task->phase.branch = root->branch;
    task->phase.lapack = root->lapack;
    task->phase.deadline = root->deadline;
    task->phase.step_time = root->step_time;
    task->phase.probe = root->probe;
    task->scratch.n_nodes = index->n1;
    task->certified.index = index;
    task->best_cost = INFINITY;
    aj_semidefinite_take(&task->phase, &task->pool, index->n1);
    aj_proposals_take(&task->proposals, &task->pool, index);
    GM_TAKE(&task->pool, index->n1, task->best);
    GM_TAKE(&task->pool, index->n_slots, task->chosen);
    if (task->pool.failed) {
        free_task(task);
        return NULL;
    }
    return task;
}

static const double MATRICES = 13.0; /* of variables x variables: memory of ADMM */
static const double TABLES = 0.4;    /* numbers per n^5: memory of a dense tree of n nodes */

/* The memory of a subproblem of this size: matrices, the tree's tables, entries. */
static double task_bytes(const aj_sdp *sdp)
{
    const double n = sdp->problem->n_nodes, N = sdp->N;
    const double numbers = MATRICES * N * N + TABLES * pow(n, 5.0);
    return (double)sizeof(double) * numbers + AJ_BYTES_PER_ENTRY * (double)sdp->problem->m;
}

/* Keeps the better of the matchings that the task has met: a subproblem counts as solved once its
 * matching was seen. */
static void keep_best(aj_task *task)
{
    const gm_index *index = task->proposals.index;
    for (int32_t k = 0; k < task->proposals.n; k++) {
        const int32_t *slots = task->proposals.slots[k];
        const double cost = gm_index_cost(index, slots, task->chosen);
        if (cost < task->best_cost) {
            task->best_cost = cost;
            memcpy(task->best, slots, sizeof *slots * (size_t)index->n1);
        }
    }
    task->proposals.n = 0;
}

/* The next child for a new task: of the root, or else of the first task that can spare one. */
static int next_task(aj_rounds *R, aj_semidefinite *root, aj_scratch *scratch,
                     aj_proposals *proposals)
{
    aj_task *task = new_task(root, R->index);
    if (!task)
        return GM_ENOMEM;
    int given = aj_semidefinite_hand_over(root, scratch, proposals, &task->phase, &task->scratch,
                                          &task->watch, R->cutoff, 0);
    for (int32_t k = 0; k < R->n_tasks && given == 0; k++) {
        aj_task *donor = R->tasks[k];
        given = aj_semidefinite_hand_over(&donor->phase, &donor->scratch, &donor->proposals,
                                          &task->phase, &task->scratch, &task->watch, R->cutoff, 1);
        keep_best(donor);
    }
    if (given == 1)
        R->tasks[R->n_tasks++] = task;
    else
        free_task(task);
    return given;
}

enum { FEW_TASKS = 3 }; /* if the memory is not enough for AJ_TASKS */

enum { UNITS_SHARE = 2 }; /* a round takes at most one in this many of the remaining units */
static const double ROUND_WORK = 5e7;  /* estimated nanoseconds of each task in a round, */
static const double ROUND_STEPS = 6.0; /* but at least as many steps of ADMM without symmetries */

int aj_rounds_begin(aj_rounds *R, aj_semidefinite *root, aj_scratch *scratch,
                    aj_proposals *proposals, const gm_index *index, double memory, double cutoff,
                    int64_t units)
{
    if (R->most_tasks == 0) {
        const double fit = memory / task_bytes(root->nodes[0].sdp);
        R->most_tasks = fit >= AJ_TASKS ? AJ_TASKS : FEW_TASKS;
        R->index = index;
        R->lower = root->lower;
        R->grant = fmax(ROUND_WORK, ROUND_STEPS * AJ_SDP_STEP_WORK * pow(root->nodes[0].sdp->N, 3));
    }
    R->cutoff = cutoff;
    int given = 1;
    while (R->n_tasks < R->most_tasks && given == 1 && proposals->n == 0)
        given = next_task(R, root, scratch, proposals);
    if (given < 0)
        return given;
    const int64_t share = units / (UNITS_SHARE * (int64_t)AJ_TASKS);
    R->reserved = 0;
    for (int32_t k = 0; k < R->n_tasks; k++) {
        aj_task *task = R->tasks[k];
        task->granted = R->grant;
        task->units_remaining = share > 0 ? share : k < units;
        task->spent = 0.0;
        task->units = 0;
        R->reserved += task->units_remaining;
    }
    R->given_work = 0.0;
    R->given_units = 0;
    R->going_on = 1;
    return GM_OK;
}

int aj_rounds_is_open(const aj_rounds *R, int32_t k)
{
    const aj_task *task = R->tasks[k];
    return task->status == GM_OK && task->phase.n_nodes > 0 && task->granted > 0.0 &&
           task->units_remaining > 0;
}

int32_t aj_rounds_next(const aj_rounds *R)
{
    for (int32_t k = 0; k < R->n_tasks; k++)
        if (aj_rounds_is_open(R, k))
            return k;
    return -1;
}

void aj_rounds_unit(aj_rounds *R, int32_t k)
{
    aj_task *task = R->tasks[k];
    int event;
    gm_watch_follow(&task->watch, R->index->watch);
    do {
        event = aj_semidefinite_advance(&task->phase, &task->scratch, &task->proposals,
                                        &task->certified, R->cutoff);
        keep_best(task);
        task->granted -= task->phase.spent;
        task->spent += task->phase.spent;
    } while (event == AJ_SDP_NEEDS_CUTOFF && !task->watch.is_over);
    task->units++;
    task->units_remaining--;
    if (event < 0)
        task->status = event;
}

int aj_rounds_were_cut(const aj_rounds *R)
{
    int cut = 0;
    for (int32_t k = 0; k < R->n_tasks; k++)
        cut |= R->tasks[k]->watch.is_over;
    return cut;
}

int aj_rounds_end(aj_rounds *R, const aj_semidefinite *root, aj_proposals *proposals, double *spent,
                  int64_t *units)
{
    double least = aj_semidefinite_find_unopened(root), cost = INFINITY;
    int32_t kept = 0, best = -1;
    int status = GM_OK;
    *spent += R->given_work;
    *units += R->given_units;
    for (int32_t k = 0; k < R->n_tasks; k++) {
        aj_task *task = R->tasks[k];
        status = status == GM_OK ? task->status : status;
        *spent += task->spent;
        *units += task->units;
        if (task->best_cost < cost) {
            cost = task->best_cost;
            best = k;
        }
        if (task->phase.n_nodes > 0)
            least = fmin(least, task->phase.lower);
    }
    if (best >= 0) {
        proposals->lower[proposals->n] = -INFINITY;
        memcpy(proposals->slots[proposals->n++], R->tasks[best]->best,
               sizeof *R->tasks[best]->best * (size_t)R->index->n1);
    }
    for (int32_t k = 0; k < R->n_tasks; k++) {
        aj_task *task = R->tasks[k];
        task->best_cost = INFINITY;
        if (task->phase.n_nodes > 0)
            R->tasks[kept++] = task;
        else
            free_task(task);
    }
    R->n_tasks = kept;
    R->lower = fmax(R->lower, least);
    R->going_on = 0;
    return status;
}

int aj_rounds_are_over(const aj_rounds *R, const aj_semidefinite *root, double cutoff)
{
    return !R->going_on && R->n_tasks == 0 && aj_semidefinite_find_unopened(root) >= cutoff;
}

/* Whether a task is in its first tree, and has met no matching that others wait for. */
static int is_young(const aj_task *task)
{
    return task->status == GM_OK && task->phase.n_nodes == 1 &&
           task->phase.nodes[0].stage == AJ_SMALL_TREE && task->best_cost == INFINITY;
}

int32_t aj_rounds_drop(aj_rounds *R)
{
    const int32_t n_before = R->n_tasks;
    int32_t kept = 0, n_young = 0;
    for (int32_t k = 0; k < n_before; k++) {
        aj_task *task = R->tasks[k];
        if (!is_young(task) || n_young++ % 2 == 0) {
            R->tasks[kept++] = task;
            continue;
        }
        if (R->going_on) { /* else it counts already */
            R->given_work += task->spent;
            R->given_units += task->units;
        }
        free_task(task);
    }
    R->n_tasks = kept;
    return n_before - kept;
}

void aj_rounds_clear(aj_rounds *R)
{
    for (int32_t k = 0; k < R->n_tasks; k++)
        free_task(R->tasks[k]);
    R->n_tasks = 0;
}
