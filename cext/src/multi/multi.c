/* Many graphs at once: pair bounds, consensus, descents and kicks (see search.h, consensus.h).
 *
 * The first answer is built graph by graph. Then every pair is matched by itself, which gives a
 * bound, the sum of the bounds of all pairs, and by consensus another start. Then the best tracks
 * are kicked until the end.
 */
#include "multi/consensus.h"
#include "multi/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum stage { FIRST, PAIRS, SECOND, KICKS };

typedef struct multi_state {
    gm_run run;
    gm_multi_options options;
    gm_pool pool;
    multi_graphs graphs;
    multi_search search;
    multi_consensus consensus;
    enum stage stage;
    int32_t next_pair;
    gm_run *pair; /* the pair that is being solved */
    double pair_bound;
    int64_t n_vain; /* kicks since the last better tracks */
    double value_before;
} multi_state;

/* ---- setting up */

static void load_start(multi_state *multi)
{
    if (multi->options.init)
        multi_search_from(&multi->search, multi->options.init);
    else
        multi_search_from_nothing(&multi->search);
    multi_search_offer(&multi->search, &multi->run);
}

static double largest_cost(const multi_graphs *graphs)
{
    double largest = 0.0;
    for (int32_t p = 0; p < graphs->n_pairs; p++) {
        const gm_model *model = graphs->pairs[p].model;
        for (int32_t k = 0; k < model->n_candidates; k++)
            largest = fmax(largest, fabs(model->cost[k]));
        for (int64_t e = 0; e < model->n_edges; e++)
            largest = fmax(largest, fabs(model->edge_cost[e]));
    }
    return largest;
}

gm_run *gm_multi_new(const gm_multi_model *model, const gm_multi_options *options)
{
    multi_state *multi = calloc(1, sizeof *multi);
    if (!multi)
        return NULL;
    multi->options = *options;
    const int status = multi_graphs_take(&multi->graphs, &multi->pool, model);
    if (status == GM_OK && !multi->pool.failed) {
        multi_search_take(&multi->search, &multi->pool, &multi->graphs, options->seed);
        multi_consensus_take(&multi->consensus, &multi->pool, &multi->graphs);
    }
    if (status != GM_OK || multi->pool.failed ||
        gm_run_init(&multi->run, &(gm_model){.n1 = multi->graphs.n_nodes}) != GM_OK) {
        gm_multi_free(&multi->run);
        return NULL;
    }
    multi->run.scale = largest_cost(&multi->graphs);
    load_start(multi);
    return &multi->run;
}

void gm_multi_free(gm_run *run)
{
    multi_state *multi = (multi_state *)run;
    if (!multi)
        return;
    gm_run_clear(run);
    gm_fm_bca_free(multi->pair);
    multi_search_free(&multi->search);
    gm_pool_free(&multi->pool);
    free(multi);
}

/* ---- pairs */

/* Sweeps on the next pair, until its share of them is done or the time is over. */
static int solve_pair(multi_state *multi, double seconds)
{
    const int32_t p = multi->next_pair;
    const gm_model *model = multi->graphs.pairs[p].model;
    int32_t *matching = multi->consensus.forward[p];
    int status = GM_OK;
    if (model->n_candidates == 0) {
        for (int32_t i = 0; i < model->n1; i++)
            matching[i] = -1;
        multi->next_pair++;
        return GM_OK;
    }
    if (!multi->pair) {
        const gm_fm_bca_options options = {.seed = multi->options.seed + (uint64_t)p,
                                           .improve = 5,
                                           .primal_share = 1.8,
                                           .patience = multi->options.sweeps};
        multi->pair = gm_fm_bca_new(model, &options);
        if (!multi->pair)
            return GM_ENOMEM;
    }
    status = gm_fm_bca_step(multi->pair, multi->options.sweeps - multi->pair->iteration, seconds);
    multi->pair->n_events = 0;
    if (status != GM_OK ||
        (!multi->pair->finished && multi->pair->iteration < multi->options.sweeps))
        return status;
    memcpy(matching, multi->pair->labels, (size_t)model->n1 * sizeof *matching);
    multi->pair_bound += multi->pair->bound;
    gm_fm_bca_free(multi->pair);
    multi->pair = NULL;
    multi->next_pair++;
    return GM_OK;
}

/* ---- stages */

static void begin_kick(multi_state *multi)
{
    multi->stage = KICKS;
    multi->value_before = multi->run.value;
    multi_search_kick(&multi->search, multi->run.labels);
}

/* A descent has ended: what comes next. */
static void end_descent(multi_state *multi)
{
    if (multi->stage == KICKS) {
        multi->n_vain = multi->run.value < multi->value_before ? 0 : multi->n_vain + 1;
        if (multi->options.patience > 0 && multi->n_vain >= multi->options.patience)
            multi->run.finished = 1;
    }
    if (multi->stage == FIRST && multi->options.bound != GM_BOUND_NONE)
        multi->stage = PAIRS;
    else
        begin_kick(multi);
}

static int work(multi_state *multi, double seconds)
{
    int status = GM_OK;
    if (multi->stage == PAIRS) {
        if (multi->next_pair < multi->graphs.n_pairs)
            return solve_pair(multi, seconds);
        gm_run_raise(&multi->run, multi->pair_bound);
        multi_consensus_build(&multi->consensus, &multi->search.tracks);
        multi_search_descend(&multi->search);
        multi->stage = SECOND;
        multi_search_offer(&multi->search, &multi->run);
    } else {
        status = multi_search_step(&multi->search, &multi->run);
        if (status == GM_OK && multi->search.phase == MULTI_SETTLED)
            end_descent(multi);
    }
    return status;
}

int gm_multi_step(gm_run *run, int64_t max_iterations, double seconds)
{
    multi_state *multi = (multi_state *)run;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        status = work(multi, fmax(deadline - gm_clock(), 0.0));
        if (!multi->pair) /* a pair counts when it is done, however the clock cut it */
            run->iteration++;
        gm_run_stop_when_closed(run);
        if (gm_clock() >= deadline)
            break;
    }
    return status;
}
