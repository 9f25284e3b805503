/* fm-bca: fusion moves guided by the reparametrised costs of block-coordinate ascent (see bca.h).
 *
 * One iteration is one sweep of the dual and some proposals, alternately on the input costs and on
 * the reparametrised ones; how many follows from the estimated work of both, never from a clock. A
 * dual that hardly rises any more starts again with another schedule: the best bound stays, and
 * greedy proposals see other reparametrised costs.
 */
#include "base/watch.h"
#include "fm/bca.h"
#include "fm/policy.h"
#include "fm/primal.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>

typedef struct fm_bca_state {
    gm_run run;
    gm_index *index;
    gm_pool pool;
    gm_primal primal;
    gm_bca *bca;
    gm_fm_bca_options options;
    int64_t last_success; /* iteration of the last better value or substantially better bound */
    double success_bound; /* and that bound */
    int64_t n_proposals;
    double credit;       /* work that proposals may still do */
    int64_t window_end;  /* iteration at which the dual must have risen */
    double window_bound; /* above this */
    int64_t n_ended;     /* ascents of the dual that have ended, */
    double ended_bound;  /* and the best of their last bounds */
} fm_bca_state;

gm_run *gm_fm_bca_new(const gm_model *model, const gm_fm_bca_options *options)
{
    fm_bca_state *fm = calloc(1, sizeof *fm);
    if (!fm)
        return NULL;
    fm->options = *options;
    fm->success_bound = fm->ended_bound = -INFINITY;
    fm->index = gm_index_new(model, &fm->run.own_watch);
    if (fm->index) {
        fm->bca = gm_bca_new(fm->index);
        gm_primal_take(&fm->primal, &fm->pool, fm->index, options->seed, options->improve);
        fm->window_end = FM_WINDOW;
        fm->window_bound = -INFINITY;
    }
    if (!fm->index || !fm->bca || fm->pool.failed || gm_run_init(&fm->run, model) != GM_OK) {
        gm_fm_bca_free(&fm->run);
        return NULL;
    }
    return &fm->run;
}

void gm_fm_bca_free(gm_run *run)
{
    fm_bca_state *fm = (fm_bca_state *)run;
    if (!fm)
        return;
    gm_run_clear(run);
    gm_bca_free(fm->bca);
    gm_pool_free(&fm->pool);
    gm_index_free(fm->index);
    free(fm);
}

/* Relative rise of the bound that counts as a success. */
static const double SUCCESSFUL_RISE = 1e-6;

/* Ends the run after `patience` iterations without a better value or bound. The bound must rise
 * by some part to count: ascent goes on in ever smaller steps for very long. */
static void note_success(fm_bca_state *fm, double value_before)
{
    gm_run *run = &fm->run;
    const int higher = run->bound > fm->success_bound + SUCCESSFUL_RISE * fabs(run->bound);
    if (higher)
        fm->success_bound = run->bound;
    if (higher || run->value < value_before)
        fm->last_success = run->iteration;
    if (run->iteration - fm->last_success >= fm->options.patience)
        run->finished = 1;
    gm_run_stop_when_closed(run);
}

/* Work of proposals per unit of work on the dual: most early on, when every other proposal improves
 * the matching; least if the gap is small and only the bound can still improve. */
static double proposal_ratio(const fm_bca_state *fm)
{
    const double gap = fm->run.value - fm->run.bound;
    double part = fm->run.iteration < FM_EARLY_SWEEPS ? 1.0 : FM_LATER_PART;
    if (gap <= FM_CLOSE_GAP * fabs(fm->run.value))
        part = FM_CLOSE_PART;
    return part * fm->options.primal_share;
}

/* Proposals for as much work as there is credit, every other one on the input costs. */
static int propose(fm_bca_state *fm)
{
    const gm_reparametrisation input = {.unary = fm->index->slot_cost};
    const gm_reparametrisation present = gm_bca_costs(fm->bca);
    const double work = gm_primal_work(&fm->primal);
    int status = GM_OK;
    for (; fm->credit > 0.0 && status == GM_OK; fm->credit -= work) {
        const int odd = fm->n_proposals++ & 1;
        status = gm_primal_propose(&fm->primal, odd ? &present : &input, &fm->run);
    }
    return status;
}

/* Restarts the dual when a window of iterations closed next to nothing of the gap. If the gap is
 * wide, even a small part of it can be most of the remaining gain of an ascent. So an ascent whose
 * bound is above those of all ascents before it goes on for less; the first one, which has none
 * before it, does not. */
static void watch_dual(fm_bca_state *fm, double bound)
{
    if (fm->run.iteration < fm->window_end)
        return;
    const double rise = bound - fm->window_bound;
    const double gap = fm->run.value - bound;
    const int leads = fm->n_ended > 0 && bound > fm->ended_bound;
    if (rise <= (leads ? FM_LEADING_RISE : FM_LEAST_RISE) * gap) {
        gm_bca_restart(fm->bca, &fm->primal.random);
        fm->ended_bound = fmax(fm->ended_bound, bound);
        fm->n_ended++;
        bound = -INFINITY;
    }
    fm->window_end = fm->run.iteration + FM_WINDOW;
    fm->window_bound = bound;
}

int gm_fm_bca_step(gm_run *run, int64_t max_iterations, double seconds)
{
    fm_bca_state *fm = (fm_bca_state *)run;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    if (run->iteration == 0) {
        fm->credit = FM_FIRST_PROPOSALS * gm_primal_work(&fm->primal);
        status = propose(fm);
    }
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        const double value_before = run->value;
        status = gm_bca_iterate(fm->bca);
        if (status != GM_OK)
            break;
        const double bound = gm_bca_bound(fm->bca);
        gm_run_raise(run, bound);
        gm_take_others(run, fm->index, gm_bca_bound_of_others(fm->bca, run->labels));
        fm->credit += proposal_ratio(fm) * gm_bca_work(fm->bca);
        status = propose(fm);
        run->iteration++;
        note_success(fm, value_before);
        watch_dual(fm, bound);
        if (gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, status);
}
