/* fm: fusion moves of randomised greedy matchings (see greedy.h and fusion.h).
 *
 * A restart begins when `patience` proposals in a row brought nothing: a second incumbent grows
 * from nothing and is fused with the best one when it stalls too.
 */
#include "fusion.h"
#include "greedy.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fm_state {
    gm_run run;
    gm_index *index;
    gm_pool pool;
    gm_greedy greedy;
    gm_fusion fusion;
    gm_random random;
    gm_fm_options options;
    int32_t *incumbent, *proposal, *labels; /* slots, slots, labels of each node */
    uint8_t *chosen;                        /* per slot: scratch */
    int64_t last_success;                   /* iteration */
} fm_state;

/* Every factor at its own minimum: what the input costs alone prove. */
static double sum_of_minima(const gm_index *index)
{
    double bound = 0.0;
    for (int32_t i = 0; i < index->n1; i++) {
        double least = index->complete ? INFINITY : 0.0;
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++)
            least = fmin(least, index->slot_cost[p]);
        bound += least;
    }
    for (int32_t e = 0; e < index->n_links; e++) {
        double least = 0.0;
        for (int64_t k = index->link_start[e]; k < index->link_start[e + 1]; k++)
            least = fmin(least, index->entry_cost[k]);
        bound += least;
    }
    return bound;
}

gm_run *gm_fm_new(const gm_model *model, const gm_fm_options *options)
{
    fm_state *fm = calloc(1, sizeof *fm);
    if (!fm)
        return NULL;
    fm->options = *options;
    fm->random.state = options->seed;
    fm->index = gm_index_new(model);
    if (fm->index) {
        const gm_index *index = fm->index;
        gm_greedy_take(&fm->greedy, &fm->pool, index);
        gm_fusion_take(&fm->fusion, &fm->pool, index);
        GM_TAKE(&fm->pool, index->n1, fm->incumbent);
        GM_TAKE(&fm->pool, index->n1, fm->proposal);
        GM_TAKE(&fm->pool, index->n1, fm->labels);
        GM_TAKE(&fm->pool, index->n_slots, fm->chosen);
    }
    if (!fm->index || fm->pool.failed || gm_run_init(&fm->run, model->n1) != GM_OK) {
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
    const gm_index *index = fm->index;
    const double deadline = gm_clock() + seconds;
    const gm_reparametrisation costs = {.unary = index->slot_cost};
    int status = GM_OK;
    if (run->iteration == 0)
        gm_run_raise(run, sum_of_minima(index));
    for (int64_t k = 0; k < max_iterations && !run->finished; k++) {
        status = gm_greedy_match(&fm->greedy, &costs, &fm->random, fm->proposal);
        if (status != GM_OK)
            break;
        double change = -1.0;
        if (run->iteration == 0)
            memcpy(fm->incumbent, fm->proposal, (size_t)index->n1 * sizeof *fm->incumbent);
        else
            change = gm_fusion_fuse(&fm->fusion, fm->incumbent, fm->proposal, &fm->random, fm->options.improve);
        run->iteration++;
        if (change < 0.0) {
            for (int32_t i = 0; i < index->n1; i++)
                fm->labels[i] = fm->incumbent[i] >= 0 ? index->slot_label[fm->incumbent[i]] : -1;
            if (gm_run_offer(run, gm_index_cost(index, fm->incumbent, fm->chosen), fm->labels))
                fm->last_success = run->iteration;
        }
        if (run->iteration - fm->last_success >= fm->options.patience)
            run->finished = GM_CONVERGED;
        if (gm_clock() >= deadline)
            break;
    }
    return status;
}
