/* fm-bca: fusion moves guided by the reparametrised costs of block-coordinate ascent (see bca.h).
 *
 * One iteration is one sweep of the dual and some proposals, by turns on the input costs and on the
 * reparametrised ones; how many follows from the estimated work of both, never from a clock. A dual
 * that hardly rises any more starts again on another schedule: the best bound stays, and the
 * proposals get other costs to go by.
 */
#include "fm/bca.h"
#include "fm/policy.h"
#include "fm/primal.h"

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
    int64_t n_ascents;   /* that have ended, */
    double ended_bound;  /* and the best of their last bounds */
} fm_bca_state;

gm_run *gm_fm_bca_new(const gm_model *model, const gm_fm_bca_options *options)
{
    fm_bca_state *fm = calloc(1, sizeof *fm);
    if (!fm)
        return NULL;
    fm->options = *options;
    fm->success_bound = fm->ended_bound = -INFINITY;
    fm->index = gm_index_new(model);
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

/* The bound counts as better when it rises by a millionth: ascent creeps on for very long. */
static void note_success(fm_bca_state *fm, double value_before)
{
    gm_run *run = &fm->run;
    const int higher = run->bound > fm->success_bound + 1e-6 * fabs(run->bound);
    if (higher)
        fm->success_bound = run->bound;
    if (higher || run->value < value_before)
        fm->last_success = run->iteration;
    if (run->iteration - fm->last_success >= fm->options.patience)
        run->finished = 1;
    gm_run_stop_when_closed(run);
}

/* Work of proposals per unit of work on the dual: most early on, when every other one brings
 * something; least within a hundredth of the bound, where there is more to prove than to find. */
static double proposal_ratio(const fm_bca_state *fm)
{
    const double gap = fm->run.value - fm->run.bound;
    double part = fm->run.iteration < FM_EARLY ? 1.0 : FM_LATER_PART;
    if (gap <= FM_CLOSE_GAP * fabs(fm->run.value))
        part = FM_CLOSE_PART;
    return part * fm->options.primal_share;
}

/* Proposals for as much work as there is credit, every other one on the input costs. */
static int propose(fm_bca_state *fm)
{
    const gm_reparametrisation given = {.unary = fm->index->slot_cost},
                               current = gm_bca_costs(fm->bca);
    const double work = gm_primal_work(&fm->primal);
    int status = GM_OK;
    for (; fm->credit > 0.0 && status == GM_OK; fm->credit -= work)
        status =
            gm_primal_propose(&fm->primal, fm->n_proposals++ & 1 ? &current : &given, &fm->run);
    return status;
}

/* Restarts the dual when a window of iterations closed next to nothing of the gap. Where the gap is
 * wide that can be much of what an ascent has still to gain, so one that is better than those
 * before it goes on for less; the first one would always be. */
static void watch_dual(fm_bca_state *fm, double bound)
{
    const double rise = bound - fm->window_bound, gap = fm->run.value - bound;
    if (fm->run.iteration < fm->window_end)
        return;
    const int leads = fm->n_ascents > 0 && bound > fm->ended_bound;
    if (rise <= (leads ? FM_LEADING_RISE : FM_LEAST_RISE) * gap) {
        gm_bca_restart(fm->bca, &fm->primal.random);
        fm->ended_bound = fmax(fm->ended_bound, bound);
        fm->n_ascents++;
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
        fm->credit += proposal_ratio(fm) * gm_bca_work(fm->bca);
        status = propose(fm);
        run->iteration++;
        note_success(fm, value_before);
        watch_dual(fm, bound);
        if (gm_clock() >= deadline)
            break;
    }
    return status;
}
