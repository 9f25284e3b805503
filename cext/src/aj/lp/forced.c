/* A lower bound on the cost of taking each candidate: the ascent of the root without any deletion,
 * and at every evaluation the increase of the bound when a candidate is forced.
 *
 * A bound that holds at one dual vector holds for good, so for each candidate the best of all
 * evaluations is kept. A node's match can only be given up for another candidate of that node, so
 * the least of these bounds is a bound on every matching without it. */
#include "aj/lp/certificate.h"
#include "aj/lp/sweeps.h"
#include "aj/model/cost_grid.h"
#include "aj/tree/lookahead.h"
#include "aj/tree/node_stack.h"
#include "base/watch.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>

typedef struct aj_forced {
    gm_run run;
    gm_index *index;
    aj_grain grain;
    aj_sweeps sweeps;
    aj_frame root; /* problem, ascent and the rhythm of its evaluations */
    aj_scratch scratch;
    int64_t lift_limit;
    int32_t *slots;  /* n1: the matching that might be changed */
    double *taken;   /* scaled, per candidate of the root, whose lifting changes no candidate */
    double *without; /* n1, scaled: the least of `taken` over the other candidates of a node */
    double cost;     /* scaled, of that matching */
    aj_ahead ahead;
    gm_pool pool;
} aj_forced;

/* ---- one evaluation */

/* Raises the bounds to those that the present duals prove. Returns by how much those of the matched
 * nodes have risen, and in *width how far they are from the matching's cost, together. */
static double raise_bounds(aj_forced *S, double *width)
{
    const aj_problem *P = S->root.problem;
    const aj_bound *B = S->scratch.bound;
    for (int32_t p = 0; p < P->n; p++) {
        const double increase = fmax(B->forced[p], S->ahead.increase[p]);
        const double sum = B->value + increase;
        const double lower = isfinite(sum) ? sum - AJ_EPS * (fabs(B->value) + increase) : increase;
        S->taken[p] = fmax(S->taken[p], lower);
    }
    double gain = 0.0;
    *width = 0.0;
    for (int32_t i = 0; i < P->n_nodes; i++) {
        if (S->slots[i] < 0)
            continue;
        double least = INFINITY;
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            if (P->origin[p] != S->slots[i])
                least = fmin(least, S->taken[p]);
        if (isfinite(least)) {
            gain += isfinite(S->without[i]) ? least - S->without[i] : fabs(least - S->cost);
            *width += fabs(least - S->cost);
        }
        S->without[i] = least;
    }
    return gain;
}

/* Full tables if they are small; otherwise the ascent ends here. */
static int lift_or_finish(aj_forced *S)
{
    const int64_t entries =
        S->root.lifted ? INT64_MAX : aj_problem_lifted_entries(S->root.problem, AJ_LINKED);
    if (entries < 0)
        return GM_ENOMEM;
    if (entries > S->lift_limit) {
        S->run.finished = 1;
        return GM_OK;
    }
    aj_frame_begin(&S->root, S->root.lower, 1.0, 1);
    const int status = aj_frame_lift(&S->root, &S->scratch);
    return status == GM_OK ? aj_ahead_fit(&S->ahead, S->root.problem) : status;
}

/* Stalled: gained less than this part of all gaps; chosen on house, hotel, car, motor and caltech
 * (benchmarks/bench_confidence.py). */
static const double PROGRESS = 0.02;

/* The bound at the duals of the ascent, in total and for every candidate. GM_OK or GM_ENOMEM. */
static int evaluate(aj_forced *S)
{
    aj_frame *F = &S->root;
    aj_bound *B = S->scratch.bound;
    aj_bound_evaluate(B, F->problem, F->pdhg->wt);
    if (gm_watch_is_over(B->watch))
        return GM_OK;
    if (!isfinite(B->value)) { /* no matching: cannot happen, since the caller has one */
        S->run.finished = 1;
        return GM_OK;
    }
    gm_run_raise(&S->run, aj_grain_round_up(&S->grain, B->value));
    aj_bound_force(B, F->problem, INFINITY);
    aj_ahead_look(&S->ahead, F->problem, B);
    if (gm_watch_is_over(B->watch))
        return GM_OK; /* the bounds of the candidates must not be mixed with this */
    double width;
    const double gain = raise_bounds(S, &width);
    const int settled = F->pdhg->total >= AJ_SETTLED;
    F->stalled = settled && gain <= PROGRESS * width ? F->stalled + 1 : 0;
    if (F->stalled >= AJ_ROOT_STALLED)
        return lift_or_finish(S);
    aj_frame_schedule(F);
    return GM_OK;
}

/* ---- the root */

/* Builds the root and the arrays of its size. GM_OK or GM_ENOMEM. */
static int open_root(aj_forced *S)
{
    aj_frame *F = &S->root;
    aj_problem *problem = aj_problem_new(S->index, S->grain.scale);
    if (!problem)
        return GM_ENOMEM;
    const int32_t n = problem->n;
    if (aj_frame_take(F, problem) != GM_OK || aj_scratch_fit(&S->scratch, F->problem) != GM_OK)
        return GM_ENOMEM;
    GM_TAKE(&S->pool, n, S->taken);
    if (S->pool.failed)
        return GM_ENOMEM;
    for (int32_t p = 0; p < n; p++)
        S->taken[p] = -INFINITY;
    if (aj_ahead_fit(&S->ahead, F->problem) != GM_OK)
        return GM_ENOMEM;
    const int lifted = aj_problem_lifted_entries(F->problem, AJ_LINKED) == F->problem->m;
    aj_frame_begin(F, -INFINITY, 1.0, lifted);
    /* the messages of sweeps are a start only if every link is a table */
    return F->lifted && F->problem->m > 0 ? aj_sweeps_begin(&S->sweeps, S->index) : GM_OK;
}

/* One sweep; the ascent starts from the state of the last one. GM_OK or an error. */
static int sweep(aj_forced *S)
{
    const int status = aj_sweeps_step(&S->sweeps, S->grain.scale, S->cost, 0);
    if (status == GM_OK && !S->sweeps.going_on) {
        const gm_reparametrisation costs = gm_bca_costs(S->sweeps.bca);
        aj_pdhg_set_messages(S->root.pdhg, S->index, &costs, S->grain.scale);
        aj_sweeps_end(&S->sweeps);
    }
    return status;
}

/* One unit of work. GM_OK or an error. */
static int advance(aj_forced *S)
{
    aj_frame *F = &S->root;
    if (!F->problem)
        return open_root(S);
    if (S->sweeps.going_on)
        return sweep(S);
    if (F->phase == AJ_EVALUATE)
        return evaluate(S);
    aj_frame_ascend(F);
    return GM_OK;
}

/* ---- the kernel */

static int set_up(aj_forced *S, const gm_model *model, const gm_forced_options *options)
{
    S->index = gm_index_new(model, &S->run.own_watch);
    if (!S->index || gm_run_init(&S->run, model) != GM_OK)
        return GM_ENOMEM;
    S->grain = aj_grain_of(S->index, model->tolerance);
    S->lift_limit = options->lift_limit;
    S->scratch.n_nodes = model->n1;
    aj_sweeps_init(&S->sweeps);
    uint8_t *chosen;
    GM_TAKE(&S->pool, S->index->n_slots, chosen);
    GM_TAKE(&S->pool, model->n1, S->slots);
    GM_TAKE(&S->pool, model->n1, S->without);
    if (S->pool.failed)
        return GM_ENOMEM;
    gm_labels_to_slots(S->index, options->labels, S->slots);
    const double cost = gm_index_cost(S->index, S->slots, chosen);
    gm_offer_slots(&S->run, S->index, S->slots, cost);
    S->cost = cost * S->grain.scale;
    for (int32_t i = 0; i < model->n1; i++)
        S->without[i] = -INFINITY;
    return GM_OK;
}

gm_run *gm_forced_new(const gm_model *model, const gm_forced_options *options)
{
    aj_forced *S = calloc(1, sizeof *S);
    if (S && set_up(S, model, options) != GM_OK) {
        gm_forced_free(&S->run);
        S = NULL;
    }
    return S ? &S->run : NULL;
}

int gm_forced_step(gm_run *run, int64_t max_iterations, double seconds)
{
    aj_forced *S = (aj_forced *)run;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        status = advance(S);
        run->iteration++;
        if (gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, status);
}

void gm_forced_bounds(const gm_run *run, double *bounds)
{
    const aj_forced *S = (const aj_forced *)run;
    const gm_index *index = S->index;
    for (int32_t k = 0; k < index->n_slots + index->n1; k++)
        bounds[k] = -INFINITY;
    if (!S->taken)
        return;
    int32_t *candidate = aj_certified_candidates(index, S->root.problem);
    for (int32_t p = 0; candidate && p < S->root.problem->n; p++)
        bounds[candidate[p]] =
            isfinite(S->taken[p]) ? aj_grain_round_up(&S->grain, S->taken[p]) : S->taken[p];
    free(candidate);
}

void gm_forced_free(gm_run *run)
{
    aj_forced *S = (aj_forced *)run;
    if (!S)
        return;
    aj_sweeps_end(&S->sweeps);
    aj_problem_free(S->root.problem);
    aj_pdhg_free(S->root.pdhg);
    aj_ahead_clear(&S->ahead);
    aj_scratch_clear(&S->scratch);
    gm_index_free(S->index);
    gm_pool_free(&S->pool);
    gm_run_clear(run);
    free(S);
}
