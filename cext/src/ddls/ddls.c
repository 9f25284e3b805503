/* dd-ls: dual decomposition (Torresani, Kolmogorov and Rother, ECCV 2008, PAMI 2013).
 *
 * Each iteration minimises every subproblem at the present costs, which gives a bound, and moves
 * the costs towards agreement. Matchings come from the assignment subproblem and from the
 * assignment that most subproblems have voted for recently; now and then they are fused into the
 * best matching so far.
 */
#include "ddls/ddls.h"
#include "base/rounding.h"
#include "base/run.h"
#include "base/watch.h"
#include "ddls/ascent.h"
#include "ddls/policy.h"
#include "model/prices.h"
#include "model/slots.h"
#include "moves/fusion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy has changed by a product and a sum in every step since the copies were rebalanced, which
 * was a sum over the copies; dynamic programming and the assignment add it to one sum per node and
 * label of its subproblem. */
static const double ROUNDINGS_PER_STEP = 2.0;

typedef struct ddls_state {
    gm_run run;
    ddls_dual *dual;
    ddls_ascent ascent;
    double roundings; /* in a bound (see base/rounding.h), */
    double magnitude; /* and the cost that they are relative to */
    gm_lap *rounding_lap;
    double *u, *v; /* prices of the assignment subproblem, centred */
    double *votes; /* per candidate: minus the share of its copies that are 1, averaged over time */
    gm_fusion fusion;
    gm_random random;
    int32_t *incumbent, *proposal; /* slots of each left node */
    uint8_t *chosen;               /* per slot: scratch */
    gm_pool pool;
} ddls_state;

gm_run *gm_ddls_new(const gm_model *model, const gm_ddls_options *options)
{
    ddls_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->random.state = options->seed;
    state->dual = ddls_new(model, options->local, &state->run.own_watch);
    if (state->dual) {
        const gm_index *index = state->dual->side[0].index;
        ddls_ascent_take(&state->ascent, &state->pool, state->dual);
        state->ascent.gamma = options->deflection;
        state->ascent.rho = options->step;
        state->ascent.tol = options->tol;
        state->ascent.patience = state->ascent.first_patience = options->patience;
        gm_fusion_take(&state->fusion, &state->pool, index);
        GM_TAKE(&state->pool, index->n1, state->u);
        GM_TAKE(&state->pool, index->n2, state->v);
        GM_TAKE(&state->pool, index->n_slots, state->votes);
        GM_TAKE(&state->pool, index->n_slots, state->chosen);
        GM_TAKE(&state->pool, index->n1, state->incumbent);
        GM_TAKE(&state->pool, index->n1, state->proposal);
        state->rounding_lap = gm_index_lap(index);
    }
    if (!state->rounding_lap || state->pool.failed || gm_run_init(&state->run, model) != GM_OK) {
        gm_ddls_free(&state->run);
        return NULL;
    }
    state->roundings = ROUNDINGS_PER_STEP * DDLS_REBALANCE_INTERVAL +
                       ddls_most_copies(state->dual) + 2.0 * model->n1 + 2.0 * model->n2;
    return &state->run;
}

void gm_ddls_free(gm_run *run)
{
    ddls_state *state = (ddls_state *)run;
    if (!state)
        return;
    gm_run_clear(run);
    gm_lap_free(state->rounding_lap);
    gm_pool_free(&state->pool);
    ddls_free(state->dual);
    free(state);
}

/* ---- matchings */

static void offer(ddls_state *state, const int32_t *slots)
{
    const gm_index *index = state->dual->side[0].index;
    const double cost = gm_index_cost(index, slots, state->chosen);
    if (gm_offer_slots(&state->run, index, slots, cost) && slots != state->incumbent)
        memcpy(state->incumbent, slots, (size_t)index->n1 * sizeof *slots);
}

/* Offers the matching of a lap, and (fuse) the best mixture of it and the incumbent. */
static void propose(ddls_state *state, const gm_lap *lap, int fuse)
{
    gm_lap_to_slots(state->dual->side[0].index, lap, state->proposal);
    offer(state, state->proposal);
    if (fuse && gm_fusion_fuse(&state->fusion, state->incumbent, state->proposal, &state->random,
                               GM_QPBO_PATIENCE) < 0.0)
        offer(state, state->incumbent);
}

/* The matching with most votes, recent ones counting more. */
static int propose_majority(ddls_state *state)
{
    const int status = gm_lap_solve(state->rounding_lap, state->votes, state->dual->complete, 0);
    if (status == GM_OK)
        propose(state, state->rounding_lap, 1);
    return status;
}

static void remember_votes(ddls_state *state)
{
    const ddls_dual *dual = state->dual;
    for (int32_t p = 0; p < dual->n_candidates; p++)
        state->votes[p] *= DDLS_MEMORY;
    for (int64_t k = 0; k < state->ascent.n_voted; k++) {
        const int32_t v = state->ascent.voted[k];
        if (v < dual->n_candidates)
            state->votes[v] -=
                (1.0 - DDLS_MEMORY) * state->ascent.votes[v] / dual->n_active_copies[v];
    }
}

/* ---- the iteration */

static const double SMALL_GAP = 1e-3; /* of the value: then other matchings are looked at */

/* Raises the bound to the dual value less its margin, or as far above it as all other matchings
 * than the best one cost more in the assignment subproblem: that proves the best one to the last
 * digit. Only if the gap is small: otherwise other matchings cost less. */
static void raise_bound(ddls_state *state, double value, double margin)
{
    gm_run *run = &state->run;
    const ddls_dual *dual = state->dual;
    const gm_index *index = dual->side[0].index;
    gm_run_raise(run, value - margin);
    if (run->value - value > SMALL_GAP * fabs(run->value))
        return;
    gm_centred_prices(index, dual->lap, dual->cost, state->u, state->v);
    const double others = gm_least_other_price(index, dual->cost, state->u, state->v, run->labels);
    gm_take_others(run, index, value + others - margin);
}

static int iterate(ddls_state *state)
{
    gm_run *run = &state->run;
    const int is_rounding = run->iteration % DDLS_ROUNDING_INTERVAL == 0;
    double value;
    if (run->iteration % DDLS_REBALANCE_INTERVAL == 0)
        state->magnitude = GM_MOVED * ddls_rebalance(state->dual);
    int status = ddls_minimise(state->dual, &value);
    if (status != GM_OK)
        return status;
    propose(state, state->dual->lap, is_rounding);
    const double disagreement = ddls_ascent_count(&state->ascent);
    remember_votes(state);
    if (is_rounding)
        status = propose_majority(state);
    run->iteration++;

    /* the margin stays if all copies agree and the assignment's matching attains the bound,
     * since the value is rounded, too */
    const double margin = gm_rounding_error(state->roundings, state->magnitude);
    raise_bound(state, value, margin);
    gm_run_stop_when_closed(run);
    /* if all copies agree nothing moves, and if the bound meets the value up to the margin nothing
     * can be gained, even if the margin keeps the gap open */
    if (state->ascent.converged || disagreement == 0.0 || run->value - value <= margin)
        run->finished = 1;
    if (!run->finished)
        ddls_ascent_step(&state->ascent, value, run->value, disagreement);
    return status;
}

int gm_ddls_step(gm_run *run, int64_t max_iterations, double seconds)
{
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    for (int64_t k = 0; k < max_iterations && status == GM_OK && !run->finished; k++) {
        status = iterate((ddls_state *)run);
        if (gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, status);
}

ddls_dual *ddls_dual_of(gm_run *run)
{
    return ((ddls_state *)run)->dual;
}
