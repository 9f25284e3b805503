#include "ddls/ascent.h"

#include "base/watch.h"
#include "ddls/policy.h"

#include <math.h>
#include <string.h>

void ddls_ascent_take(ddls_ascent *ascent, gm_pool *pool, ddls_dual *dual)
{
    ascent->dual = dual;
    ascent->scale = 1.0;
    ascent->best = ascent->round_best = -INFINITY;
    GM_TAKE(pool, dual->n_copies, ascent->direction);
    GM_TAKE(pool, dual->n_variables, ascent->votes);
    GM_TAKE(pool, dual->n_variables, ascent->voted);
}

static double weight(const ddls_dual *dual, int64_t variable)
{
    return variable < dual->n_candidates ? 1.0 : DDLS_PAIR_WEIGHT;
}

double ddls_ascent_count(ddls_ascent *ascent)
{
    const ddls_dual *dual = ascent->dual;
    for (int64_t k = 0; k < dual->n_chosen; k++) {
        const int32_t v = dual->variable[dual->chosen[k]];
        if (ascent->votes[v]++ == 0)
            ascent->voted[ascent->n_voted++] = v;
    }
    double square = 0.0;
    for (int64_t k = 0; k < ascent->n_voted; k++) {
        const int32_t v = ascent->voted[k];
        square += weight(dual, v) * ascent->votes[v] *
                  (1.0 - (double)ascent->votes[v] / dual->n_active_copies[v]);
    }
    return square;
}

/* d <- beta d + W g. beta goes into the scale, so that only g, which is sparse, is written. */
static void deflect(ddls_ascent *ascent, double beta)
{
    const ddls_dual *dual = ascent->dual;
    ascent->scale *= beta;
    if (ascent->scale < DDLS_SMALLEST_SCALE) {
        for (int64_t c = 0; c < dual->n_copies && !gm_watch_step(dual->watch, c); c++)
            ascent->direction[c] *= ascent->scale;
        ascent->scale = 1.0;
    }
    for (int64_t k = 0; k < dual->n_chosen; k++) {
        const int64_t c = dual->chosen[k];
        ascent->direction[c] += weight(dual, dual->variable[c]) / ascent->scale;
    }
    for (int64_t k = 0; k < ascent->n_voted; k++) {
        const int32_t v = ascent->voted[k];
        const double mean =
            weight(dual, v) / ascent->scale * ascent->votes[v] / dual->n_active_copies[v];
        for (int64_t j = dual->copy_start[v]; j < dual->copy_start[v] + dual->n_active_copies[v];
             j++)
            ascent->direction[dual->copy_of[j]] -= mean;
        ascent->votes[v] = 0;
    }
    ascent->n_voted = 0;
}

static const double LEAST_GAIN = 1e-2; /* of the gap, for a round to be followed by another */

/* Makes the next local subproblems active; the patience of the first round is too little for them.
 * If none wait, every further round is more patient, until one gains next to nothing. */
static void end_round(ddls_ascent *ascent, double upper)
{
    if (ddls_activate(ascent->dual)) {
        ascent->patience = DDLS_PATIENCE_GROWTH * ascent->first_patience;
        ascent->round_best = -INFINITY;
    } else {
        ascent->converged =
            ascent->best <= ascent->round_best + LEAST_GAIN * (upper - ascent->best);
        ascent->patience *= DDLS_PATIENCE_GROWTH;
        ascent->round_best = ascent->best;
    }
    ascent->rho = DDLS_NEXT_RHO;
}

/* Too long without a rise shrinks rho; a small rho ends the round. */
static void adapt(ddls_ascent *ascent, double value, double upper)
{
    const int some_wait = ascent->dual->n_active < ascent->dual->n_locals;
    const double last_rho = some_wait ? fmax(DDLS_WAITING_RHO, ascent->tol) : ascent->tol;
    if (!isfinite(ascent->best) ||
        value > ascent->best + DDLS_LEAST_RISE * (upper - ascent->best)) {
        ascent->best = value;
        ascent->n_vain = 0;
    } else if (++ascent->n_vain >= ascent->patience) {
        ascent->rho *= ascent->rho > DDLS_LARGE_RHO ? DDLS_HALVE : DDLS_SHRINK;
        ascent->n_vain = 0;
        ascent->shrunk = 1;
    }
    if (ascent->rho < last_rho)
        end_round(ascent, upper);
}

/* cost += step * direction of the copies from .. end - 1. */
static void move_costs(ddls_ascent *ascent, double step, int64_t from, int64_t end)
{
    ddls_dual *dual = ascent->dual;
    for (int64_t part = from; part < end; part += GM_WORK_PER_LOOK) {
        if (gm_watch_spend(dual->watch, GM_WORK_PER_LOOK))
            return;
        const int64_t last = end - part < GM_WORK_PER_LOOK ? end : part + GM_WORK_PER_LOOK;
        for (int64_t c = part; c < last; c++)
            dual->cost[c] += step * ascent->direction[c];
    }
}

void ddls_ascent_step(ddls_ascent *ascent, double value, double upper, double square)
{
    const ddls_dual *dual = ascent->dual;
    /* <g, d>: the means in g add nothing, since d adds up to 0 over the copies of a variable */
    double along = 0.0;
    for (int64_t k = 0; k < dual->n_chosen; k++)
        along += ascent->direction[dual->chosen[k]];
    along *= ascent->scale;
    /* d <- W g + beta d, and its norm (ascent.h) */
    double beta = along < 0.0 ? -ascent->gamma * along / ascent->square : 0.0;
    if (ascent->shrunk)
        beta = DDLS_AVERAGING * sqrt(square / ascent->square);
    ascent->square = square + 2.0 * beta * along + beta * beta * ascent->square;
    deflect(ascent, beta);
    adapt(ascent, value, upper);
    /* cost <- cost + rho (upper - value) / |d|^2 d: Polyak's step */
    const double step = ascent->scale * ascent->rho * (upper - value) / ascent->square;
    move_costs(ascent, step, 0, dual->end_unary);
    move_costs(ascent, step, dual->first_entry, dual->end_entry);
}
