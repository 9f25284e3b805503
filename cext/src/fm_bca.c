/* fm-bca: fusion moves guided by the reparametrised costs of block-coordinate ascent (see bca.h).
 *
 * One iteration is one sweep of the dual. Every `batch` iterations `proposals` greedy matchings on
 * the reparametrised costs are fused; the first sweeps, which change the costs most, propose each.
 */
#include "bca.h"
#include "primal.h"

#include <math.h>
#include <stdlib.h>

typedef struct fm_bca_state {
    gm_run run;
    gm_index *index;
    gm_pool pool;
    gm_primal primal;
    gm_bca *bca;
    gm_fm_bca_options options;
    double offset;
    int64_t last_success; /* iteration of the last better value or substantially better bound */
    double success_bound;
} fm_bca_state;

gm_run *gm_fm_bca_new(const gm_model *model, const gm_fm_bca_options *options)
{
    fm_bca_state *fm = calloc(1, sizeof *fm);
    if (!fm)
        return NULL;
    fm->options = *options;
    fm->offset = model->offset;
    fm->success_bound = -INFINITY;
    fm->index = gm_index_new(model);
    if (fm->index) {
        fm->bca = gm_bca_new(fm->index);
        gm_primal_take(&fm->primal, &fm->pool, fm->index, options->seed, options->improve);
    }
    if (!fm->index || !fm->bca || fm->pool.failed || gm_run_init(&fm->run, model->n1) != GM_OK) {
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
        run->finished = GM_CONVERGED;
    gm_run_prove(run, fm->offset);
}

int gm_fm_bca_step(gm_run *run, int64_t max_iterations, double seconds)
{
    fm_bca_state *fm = (fm_bca_state *)run;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        const double value_before = run->value;
        status = gm_bca_iterate(fm->bca);
        if (status != GM_OK)
            break;
        gm_run_raise(run, gm_bca_bound(fm->bca));
        if (run->iteration < fm->options.batch || run->iteration % fm->options.batch == 0) {
            const gm_reparametrisation costs = gm_bca_costs(fm->bca);
            const int32_t n = run->iteration < fm->options.batch ? 1 : fm->options.proposals;
            for (int32_t proposal = 0; proposal < n && status == GM_OK; proposal++)
                status = gm_primal_propose(&fm->primal, &costs, run);
        }
        run->iteration++;
        note_success(fm, value_before);
        if (gm_clock() >= deadline)
            break;
    }
    return status;
}
