/* Many graphs at once: pair bounds, consensus, descents and kicks (see search.h, consensus.h).
 *
 * The first answer is built graph by graph. Then every pair is matched by itself, which gives a
 * bound, the sum of the bounds of all pairs, and by consensus another start. Then the best tracks
 * are kicked until the end.
 */
#include "base/rounding.h"
#include "multi/consensus.h"
#include "multi/cycles.h"
#include "multi/policy.h"
#include "multi/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum stage { FIRST, PAIRS, SECOND, THIRD, KICKS, ROUNDS };

typedef struct multi_state {
    gm_run run;
    gm_multi_options options;
    gm_pool pool;
    multi_graphs graphs;
    multi_search search;
    multi_consensus consensus;
    multi_cycles cycles;
    int with_cycles;
    int32_t rounds_left;
    enum stage stage;
    int32_t next_pair;
    gm_run *pair;                 /* the pair that is being solved */
    double pair_bound, pair_size; /* sum of the pairs' bounds, and of their magnitudes */
    int64_t n_vain;               /* kicks since the last better tracks */
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
        multi_cycles_take(&multi->cycles, &multi->pool, &multi->graphs, options->seed);
    }
    if (status != GM_OK || multi->pool.failed ||
        gm_run_init(&multi->run, &(gm_model){.n1 = multi->graphs.n_nodes}) != GM_OK) {
        gm_multi_free(&multi->run);
        return NULL;
    }
    multi->run.scale = largest_cost(&multi->graphs);
    multi->with_cycles = options->bound == GM_BOUND_AUTO || options->bound == GM_BOUND_CYCLES;
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
    multi_cycles_free(&multi->cycles);
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
    multi->consensus.priced[p].pair = p;
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
    multi->consensus.priced[p].cost = multi->pair->value;
    multi->pair_bound += multi->pair->bound;
    multi->pair_size += fabs(multi->pair->bound);
    multi_cycles_know(&multi->cycles, p, multi->pair->bound, matching,
                      gm_gap_closed(multi->pair->value, multi->pair->bound, multi->pair->scale));
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
    multi_search_kick(&multi->search, &multi->run);
}

/* Rounds of the cycle bound before the next kick. */
static int32_t rounds_now(const multi_state *multi)
{
    if (!multi->with_cycles || multi->stage == FIRST)
        return 0;
    if (multi->options.bound == GM_BOUND_CYCLES)
        return multi->n_vain < multi->graphs.d ? MULTI_SOME_ROUNDS : MULTI_MOST_ROUNDS;
    if (multi->stage == SECOND)
        return multi->run.value - multi->run.bound <= MULTI_CLOSE * fabs(multi->run.value);
    return multi->n_vain < multi->graphs.d ? 0 : MULTI_SOME_ROUNDS;
}

/* Nothing more to expect: the kicks were in vain, and so were the rounds where there are any. */
static int exhausted(const multi_state *multi)
{
    return multi->options.patience > 0 && multi->n_vain >= multi->options.patience &&
           (!multi->with_cycles || multi_cycles_stalled(&multi->cycles));
}

/* Another start from the pairs. */
static void begin_third(multi_state *multi)
{
    multi_consensus_build_by_cost(&multi->consensus, &multi->search.tracks);
    multi_search_descend(&multi->search);
    multi->stage = THIRD;
    multi_search_offer(&multi->search, &multi->run);
}

/* A descent has ended: what comes next. */
static void end_descent(multi_state *multi)
{
    if (multi->stage == KICKS)
        multi->n_vain = multi->run.value < multi->value_before ? 0 : multi->n_vain + 1;
    multi->rounds_left = rounds_now(multi);
    if (multi->stage == FIRST && multi->options.bound != GM_BOUND_NONE)
        multi->stage = PAIRS;
    else if (exhausted(multi))
        multi->run.finished = 1;
    else if (multi->rounds_left > 0)
        multi->stage = ROUNDS;
    else if (multi->stage == SECOND)
        begin_third(multi);
    else
        begin_kick(multi);
}

/* Every pair has its first bound and matching: another start. */
static void end_pairs(multi_state *multi)
{
    const double margin = gm_rounding_error(multi->graphs.n_pairs, multi->pair_size);
    gm_run_raise(&multi->run, multi->pair_bound - margin);
    multi_consensus_build(&multi->consensus, &multi->search.tracks);
    multi_search_descend(&multi->search);
    multi->stage = SECOND;
    multi_search_offer(&multi->search, &multi->run);
}

static int advance_bound(multi_state *multi, double seconds)
{
    const int status = multi_cycles_advance(&multi->cycles, multi->run.value, seconds);
    if (status <= 0)
        return status;
    gm_run_raise(&multi->run, multi->cycles.best);
    if (--multi->rounds_left <= 0)
        begin_kick(multi);
    return GM_OK;
}

/* Whether every graph is in and the pairs come next: a descent from their consensus soon passes
 * what one from the construction would find. */
static int constructed(const multi_state *multi)
{
    return multi->search.phase != MULTI_INSERT && !multi->options.init &&
           multi->options.bound != GM_BOUND_NONE;
}

static int advance(multi_state *multi, double seconds)
{
    if (multi->stage == PAIRS && multi->next_pair < multi->graphs.n_pairs)
        return solve_pair(multi, seconds);
    if (multi->stage == ROUNDS)
        return advance_bound(multi, seconds);
    if (multi->stage == PAIRS) {
        end_pairs(multi);
        return GM_OK;
    }
    const int status = multi_search_step(&multi->search, &multi->run);
    if (status == GM_OK && multi->stage == FIRST && constructed(multi))
        multi->stage = PAIRS;
    else if (status == GM_OK && multi->search.phase == MULTI_SETTLED)
        end_descent(multi);
    return status;
}

int gm_multi_step(gm_run *run, int64_t max_iterations, double seconds)
{
    multi_state *multi = (multi_state *)run;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        status = advance(multi, fmax(deadline - gm_clock(), 0.0));
        if (!multi->pair && !multi->cycles.run) /* a pair counts when it is done, however the
                                                      clock cut it */
            run->iteration++;
        gm_run_stop_when_closed(run);
        if (gm_clock() >= deadline)
            break;
    }
    return status;
}
