/* mgm, many graphs at once: tracks by descents and kicks (search.h), starts by consensus
 * (consensus.h), bounds by pairs and by cycles (cycles.h).
 *
 * The first tracks are built graph by graph. Then every pair is matched by itself. That gives a
 * bound, the sum of the bounds of all pairs, and by consensus two more starts. From then on the
 * best tracks are kicked, with rounds of the cycle bound in between, until the end.
 */
#include "base/rounding.h"
#include "base/watch.h"
#include "moves/fusion.h"
#include "multi/consensus.h"
#include "multi/cycles.h"
#include "multi/policy.h"
#include "multi/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum stage {
    FIRST_DESCENT,     /* from the given tracks, or graph by graph */
    PAIRS,             /* every pair by itself */
    CONSENSUS_DESCENT, /* from the most confirmed matches */
    BY_COST_DESCENT,   /* from the matches of the cheapest pairs */
    KICKS,             /* a descent after a kick */
    ROUNDS             /* of the cycle bound */
};

typedef struct multi_state {
    gm_run run;
    gm_multi_options options;
    gm_pool pool;
    multi_graphs graphs;
    multi_search search;
    multi_consensus consensus;
    multi_cycles cycles;
    int with_cycles;          /* the options ask for the cycle bound */
    int32_t rounds_remaining; /* before the next kick */
    enum stage stage;
    int32_t next_pair;
    gm_run *pair;                 /* the pair that is being solved */
    double pair_bound, pair_size; /* sum of the pairs' bounds, and of their magnitudes */
    int64_t n_vain;               /* kicks since the last better tracks */
    double value_before;          /* the last kick */
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

gm_run *gm_multi_new(const gm_multi_model *model, const gm_multi_options *options)
{
    multi_state *multi = calloc(1, sizeof *multi);
    if (!multi)
        return NULL;
    multi->options = *options;
    const int status = multi_graphs_take(&multi->graphs, &multi->pool, model);
    multi->graphs.watch = &multi->run.own_watch;
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
    multi->run.tolerance = model->tolerance;
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

/* Keeps the matching, cost and bound of the pair that has been solved. */
static void end_pair(multi_state *multi)
{
    const int32_t p = multi->next_pair;
    const gm_run *pair = multi->pair;
    int32_t *matching = multi->consensus.matchings.forward[p];
    memcpy(matching, pair->labels, (size_t)pair->n1 * sizeof *matching);
    multi->consensus.priced[p].cost = pair->value;
    multi->pair_bound += pair->bound;
    multi->pair_size += fabs(pair->bound);
    multi_cycles_set_pair(&multi->cycles, p, pair->bound, matching,
                          gm_gap_closed(pair->value, pair->bound, pair->tolerance));
    gm_fm_bca_free(multi->pair);
    multi->pair = NULL;
    multi->next_pair++;
}

/* Sweeps on the next pair, up to the number in the options or until the time is over. */
static int solve_pair(multi_state *multi, double seconds)
{
    const int32_t p = multi->next_pair;
    const gm_model *model = multi->graphs.pairs[p].model;
    multi->consensus.priced[p].pair = p;
    if (model->n_candidates == 0) { /* its matching is empty from the start */
        multi->next_pair++;
        return GM_OK;
    }
    if (!multi->pair) {
        const gm_fm_bca_options options = {.seed = multi->options.seed + (uint64_t)p,
                                           .improve = GM_QPBO_PATIENCE,
                                           .primal_share = MULTI_PAIR_PRIMAL_SHARE,
                                           .patience = multi->options.sweeps};
        multi->pair = gm_fm_bca_new(model, &options);
        if (!multi->pair)
            return GM_ENOMEM;
    }
    gm_run *pair = multi->pair;
    gm_watch_follow(pair->watch, multi->run.watch);
    const int status = gm_fm_bca_step(pair, multi->options.sweeps - pair->iteration, seconds);
    gm_watch_join(multi->run.watch, pair->watch);
    pair->n_events = 0;
    if (status == GM_OK && (pair->finished || pair->iteration >= multi->options.sweeps))
        end_pair(multi);
    return status;
}

/* ---- stages */

static void begin_kick(multi_state *multi)
{
    multi->stage = KICKS;
    multi->value_before = multi->run.value;
    multi_search_kick(&multi->search, &multi->run);
}

static const double CLOSE = 0.02; /* relative gap after two descents that a round often closes */

/* How many rounds of the cycle bound follow the descent that has ended. */
static int32_t n_rounds_next(const multi_state *multi)
{
    if (!multi->with_cycles || multi->stage == FIRST_DESCENT)
        return 0;
    if (multi->options.bound == GM_BOUND_CYCLES)
        return multi->n_vain < multi->graphs.d ? MULTI_SOME_ROUNDS : MULTI_MOST_ROUNDS;
    const double gap = multi->run.value - multi->run.bound;
    if (multi->stage == CONSENSUS_DESCENT)
        return gap <= CLOSE * fabs(multi->run.value) ? MULTI_SOME_ROUNDS : 0;
    return multi->n_vain < multi->graphs.d ? 0 : MULTI_SOME_ROUNDS;
}

/* Whether the run ends: the kicks gained nothing, nor did the rounds if there are any. */
static int is_exhausted(const multi_state *multi)
{
    return multi->options.patience > 0 && multi->n_vain >= multi->options.patience &&
           (!multi->with_cycles || multi_cycles_stalled(&multi->cycles));
}

static void begin_by_cost(multi_state *multi)
{
    multi_consensus_build_by_cost(&multi->consensus, &multi->search.tracks);
    multi_search_descend(&multi->search);
    multi->stage = BY_COST_DESCENT;
    multi_search_offer(&multi->search, &multi->run);
}

/* A descent has ended: decides the next step. */
static void end_descent(multi_state *multi)
{
    if (multi->stage == KICKS)
        multi->n_vain = multi->run.value < multi->value_before ? 0 : multi->n_vain + 1;
    multi->rounds_remaining = n_rounds_next(multi);
    if (multi->stage == FIRST_DESCENT && multi->options.bound != GM_BOUND_NONE)
        multi->stage = PAIRS;
    else if (is_exhausted(multi))
        multi->run.finished = 1;
    else if (multi->rounds_remaining > 0)
        multi->stage = ROUNDS;
    else if (multi->stage == CONSENSUS_DESCENT)
        begin_by_cost(multi);
    else
        begin_kick(multi);
}

/* Every pair has its bound and matching: their sum, and the descent from their consensus. */
static void end_pairs(multi_state *multi)
{
    const double margin = gm_rounding_error(multi->graphs.n_pairs, multi->pair_size);
    gm_run_raise(&multi->run, multi->pair_bound - margin);
    multi_consensus_build(&multi->consensus, &multi->search.tracks);
    multi_search_descend(&multi->search);
    multi->stage = CONSENSUS_DESCENT;
    multi_search_offer(&multi->search, &multi->run);
}

/* A part of a round of the cycle bound. */
static int advance_bound(multi_state *multi, double seconds)
{
    const int status = multi_cycles_advance(&multi->cycles, multi->run.value, seconds);
    if (status <= 0)
        return status;
    gm_run_raise(&multi->run, multi->cycles.best);
    if (--multi->rounds_remaining <= 0)
        begin_kick(multi);
    return GM_OK;
}

/* Whether every graph is in and the pairs come at once: a descent from their consensus soon is
 * better than one from these tracks would be. */
static int is_constructed(const multi_state *multi)
{
    return multi->search.phase != MULTI_INSERT && !multi->options.init &&
           multi->options.bound != GM_BOUND_NONE;
}

/* One step of the present stage. */
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
    if (status == GM_OK && multi->stage == FIRST_DESCENT && is_constructed(multi))
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
        if (!multi->pair && !multi->cycles.run) /* a pair counts once, however often it paused */
            run->iteration++;
        gm_run_stop_when_closed(run);
        if (run->watch->is_over || gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, status);
}
