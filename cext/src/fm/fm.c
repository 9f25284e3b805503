/* fm: fusion moves of randomised greedy matchings on the input costs (see primal.h). */
#include "base/watch.h"
#include "fm/primal.h"

#include <math.h>
#include <stdlib.h>

typedef struct fm_state {
    gm_run run;
    gm_index *index;
    gm_pool pool;
    gm_primal primal;
    int64_t patience;     /* iterations without a better value that end the run */
    int64_t last_success; /* iteration of the last better value */
} fm_state;

/* Every factor at its own minimum: the bound of the input costs alone, rounded down by the error of
 * the sum. */
static double sum_of_minima(const gm_index *index)
{
    double bound = 0.0, size = 0.0;
    for (int32_t i = 0; i < index->n1; i++) {
        double least = index->complete ? INFINITY : 0.0;
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            least = fmin(least, index->slot_cost[p]);
        bound += least;
        size += fabs(least);
    }
    for (int32_t e = 0; e < index->n_links; e++) {
        double least = 0.0;
        for (int64_t k = index->link_start[e]; k < index->link_start[e + 1]; k++)
            least = fmin(least, index->entry_cost[k]);
        bound += least;
        size += fabs(least);
    }
    return bound - gm_rounding_error((double)index->n1 + index->n_links, size);
}

gm_run *gm_fm_new(const gm_model *model, const gm_fm_options *options)
{
    fm_state *fm = calloc(1, sizeof *fm);
    if (!fm)
        return NULL;
    fm->patience = options->patience;
    fm->index = gm_index_new(model, &fm->run.own_watch);
    if (fm->index)
        gm_primal_take(&fm->primal, &fm->pool, fm->index, options->seed, options->improve);
    if (!fm->index || fm->pool.failed || gm_run_init(&fm->run, model) != GM_OK) {
        gm_fm_free(&fm->run);
        return NULL;
    }
    return &fm->run;
}

void gm_fm_free(gm_run *run)
{
    fm_state *fm = (fm_state *)run;
    if (!fm)
        return;
    gm_run_clear(run);
    gm_pool_free(&fm->pool);
    gm_index_free(fm->index);
    free(fm);
}

int gm_fm_step(gm_run *run, int64_t max_iterations, double seconds)
{
    fm_state *fm = (fm_state *)run;
    const double deadline = gm_clock() + seconds;
    const gm_reparametrisation costs = {.unary = fm->index->slot_cost};
    int status = GM_OK;
    if (run->iteration == 0)
        gm_run_raise(run, sum_of_minima(fm->index));
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        const double before = run->value;
        status = gm_primal_propose(&fm->primal, &costs, run);
        run->iteration++;
        if (run->value < before)
            fm->last_success = run->iteration;
        if (run->iteration - fm->last_success >= fm->patience)
            run->finished = 1;
        gm_run_stop_when_closed(run);
        if (gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, status);
}
