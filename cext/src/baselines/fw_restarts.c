/* fw: Frank-Wolfe descents (moves/frank_wolfe.h), the first from the start of the reference, the
 * next from other points; the best matching is kept. */
#include "base/watch.h"
#include "moves/frank_wolfe.h"

#include <math.h>
#include <stdlib.h>

typedef struct fw_state {
    gm_run run; /* first: Python sees only this */
    gm_index *index;
    gm_descent descent;
    gm_random random;
    double tol;
    int64_t restarts;  /* fruitless descents in a row after which to end; 0: after the first one */
    int64_t n_starts;  /* descents begun */
    int64_t fruitless; /* descents in a row that found nothing better */
    double value_before; /* best value at the start of the present descent */
    int descending;      /* a descent is under way */
} fw_state;

/* Starts from labels, and offers them if they are a matching that the problem accepts. */
static void warm_start(fw_state *fw, const int32_t *labels)
{
    gm_descent *descent = &fw->descent;
    int acceptable = 1;
    for (int32_t i = 0; i < fw->run.n1; i++) {
        descent->vertex[i] = gm_index_slot(fw->index, i, labels[i]);
        acceptable = acceptable && (descent->vertex[i] >= 0 || !fw->index->complete);
    }
    if (acceptable)
        gm_run_offer(&fw->run, gm_index_cost(fw->index, descent->vertex, descent->mark), labels);
    gm_descent_place(descent, labels);
}

gm_run *gm_fw_new(const gm_model *model, const gm_fw_options *options)
{
    fw_state *fw = calloc(1, sizeof *fw);
    if (!fw)
        return NULL;
    fw->tol = options->tol;
    fw->restarts = options->restarts;
    fw->random.state = (uint64_t)options->seed;
    fw->index = gm_index_new(model, &fw->run.own_watch);
    if (!fw->index || gm_run_init(&fw->run, model) != GM_OK ||
        gm_descent_init(&fw->descent, fw->index) != GM_OK) {
        gm_fw_free(&fw->run);
        return NULL;
    }
    if (options->init)
        warm_start(fw, options->init);
    return &fw->run;
}

void gm_fw_free(gm_run *run)
{
    fw_state *fw = (fw_state *)run;
    if (!fw)
        return;
    gm_descent_clear(&fw->descent);
    gm_index_free(fw->index);
    gm_run_clear(&fw->run);
    free(fw);
}

int gm_fw_step(gm_run *run, int64_t max_iterations, double seconds)
{
    fw_state *fw = (fw_state *)run;
    const double end = gm_clock() + seconds;
    for (int64_t k = 0; k < max_iterations && !run->finished; k++) {
        int converged = 0, status = GM_OK;
        if (!fw->descending) {
            status = gm_descent_begin(&fw->descent, &fw->random, fw->n_starts++, run->labels);
            fw->value_before = run->value;
            fw->descending = 1;
        }
        if (status == GM_OK)
            status = gm_descent_step(&fw->descent, run, fw->tol, &converged);
        if (status != GM_OK)
            return gm_run_leave(run, status);
        run->iteration++;
        if (converged) {
            fw->descending = 0;
            fw->fruitless = run->value < fw->value_before ? 0 : fw->fruitless + 1;
            if (fw->fruitless > fw->restarts || fw->restarts == 0)
                run->finished = 1;
        }
        if (gm_is_late(end))
            break;
    }
    return GM_OK;
}
