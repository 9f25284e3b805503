/* mp, mp-mcf, mp-fw: the phases of one run over the dual of dual.h.
 *
 * Sweep: forward and backward sweeps, each followed by the exact assignment, until the bound hardly
 * rises.
 *
 * Smooth: sweeps on the smoothed dual (smooth.h) while the temperature falls; a round ends at the
 * lowest one.
 *
 * Tighten (optional): after a round triplets are added (triplet.h). They are updated after each
 * plain iteration, and whenever the bound of smoothed ones is evaluated.
 *
 * The phases repeat, cooling more slowly if nothing was added, until they gain nothing.
 * Matchings come from linear assignments on the way (round.h).
 */
#include "mp/mp.h"
#include "base/watch.h"

#include "mp/dual.h"
#include "mp/policy.h"
#include "mp/round.h"
#include "mp/smooth.h"
#include "mp/triplet.h"

#include <math.h>
#include <stdlib.h>

enum phase { SWEEP, SMOOTH };

typedef struct mp_state {
    gm_run run; /* first: Python sees only this */
    gm_mp_options options;
    gm_index *own_index; /* NULL: the index is borrowed */
    const gm_index *index;
    mp_dual dual;
    mp_smooth smooth;
    mp_tightening tightening;
    mp_rounding rounding;
    enum phase phase;
    int64_t phase_iteration;
    int64_t n_rounds, n_vain; /* rounds of smoothing, and those that gained and added nothing */
    int has_converged;
    double temperature;  /* epsilon, relative to the bound per node */
    double cooling;      /* gain, per node and epsilon, below which the temperature falls */
    double bound_before; /* at the last check */
    double round_bound;  /* at the end of the last round */
} mp_state;

enum { DESCENT_LIMIT = 400 }; /* Frank-Wolfe steps from one matching, if they are asked for */

gm_run *mp_new_on(const gm_model *model, gm_index *index, const gm_mp_options *options)
{
    mp_state *mp = calloc(1, sizeof *mp);
    if (!mp)
        return NULL;
    mp->options = *options;
    mp->bound_before = mp->round_bound = -INFINITY;
    mp->cooling = MP_FIRST_COOLING;
    mp->index = index;
    if (gm_run_init(&mp->run, model) != GM_OK) {
        gm_mp_free(&mp->run);
        return NULL;
    }
    if (index->watch)
        mp->run.watch = index->watch;
    else
        index->watch = mp->run.watch;
    if (mp_dual_init(&mp->dual, mp->index, options->kept) != GM_OK ||
        mp_smooth_init(&mp->smooth, &mp->dual) != GM_OK ||
        mp_rounding_init(&mp->rounding, mp->index, options->frank_wolfe ? DESCENT_LIMIT : 1) !=
            GM_OK ||
        (options->tighten && mp_tightening_init(&mp->tightening, &mp->dual) != GM_OK)) {
        gm_mp_free(&mp->run);
        return NULL;
    }
    return &mp->run;
}

gm_run *gm_mp_new(const gm_model *model, const gm_mp_options *options)
{
    gm_index *index = gm_index_new(model, NULL);
    gm_run *run = index ? mp_new_on(model, index, options) : NULL;
    if (run)
        ((mp_state *)run)->own_index = index;
    else
        gm_index_free(index);
    return run;
}

void gm_mp_free(gm_run *run)
{
    mp_state *mp = (mp_state *)run;
    if (!mp)
        return;
    mp_rounding_clear(&mp->rounding);
    mp_tightening_clear(&mp->tightening);
    mp_smooth_clear(&mp->smooth);
    mp_dual_clear(&mp->dual);
    gm_index_free(mp->own_index);
    gm_run_clear(&mp->run);
    free(mp);
}

/* Takes a bound, less the possible rounding error; the value itself if all other matchings cost
 * more. */
static void raise_bound(mp_state *mp, double bound)
{
    gm_run *run = &mp->run;
    gm_run_raise(run, bound - mp->dual.margin);
    if (!run->proven)
        gm_take_others(run, mp->index,
                       bound + mp_dual_least_other(&mp->dual, run->labels) - mp->dual.margin);
}

/* ---- phases */

static void enter(mp_state *mp, enum phase phase)
{
    mp->phase = phase;
    mp->phase_iteration = 0;
    mp->bound_before = -INFINITY;
}

/* The present temperature in units of cost. */
static double epsilon_of(const mp_state *mp)
{
    const double per_node = fabs(mp->run.bound) / (double)mp->dual.n_nodes;
    return mp->temperature * (per_node > 0.0 ? per_node : 1.0);
}

static void start_round(mp_state *mp)
{
    enter(mp, SMOOTH);
    mp->temperature = mp->n_rounds == 0 ? MP_HOTTEST : MP_REHEATED * MP_HOTTEST;
    const double gap = (mp->run.value - mp->run.bound) / fabs(mp->run.bound);
    if (gap < mp->temperature) /* a hotter start would only fall far below the bound */
        mp->temperature = gap > MP_COLDEST ? gap : MP_COLDEST;
    mp_smooth_begin(&mp->smooth, epsilon_of(mp));
}

void mp_begin_smoothing(gm_run *run)
{
    mp_state *mp = (mp_state *)run;
    if (mp->phase == SWEEP && mp->rounding.steps_remaining == 0)
        start_round(mp);
}

static const double LEAST_GAIN = 1e-5;         /* relative, of a successful round */
static const double LEAST_TRIPLET_GAIN = 1e-6; /* of the bound per node, of a triplet or cycle */
enum { VAIN_ROUNDS = 3 }; /* without gain and triplets that end a run that tightens */

/* A round has reached the coldest temperature: tightens, and goes on with sweeps, or ends the run.
 */
static void end_round(mp_state *mp)
{
    const double gain = mp->run.bound - mp->round_bound;
    const double least = LEAST_TRIPLET_GAIN * fabs(mp->run.bound) / (double)mp->dual.n_nodes;
    const int gained = gain > LEAST_GAIN * fabs(mp->run.bound);
    const int tightened = mp->options.tighten && mp_tightening_extend(&mp->tightening, least);
    mp->n_rounds++;
    mp->round_bound = mp->run.bound;
    if (!tightened)
        mp->cooling *= MP_SLOWER;
    if (!gained && !tightened)
        mp->n_vain++;
    if (mp->n_vain == (mp->options.tighten ? VAIN_ROUNDS : 1))
        mp->has_converged = 1;
    mp_dual_refresh(&mp->dual);
    enter(mp, SWEEP);
}

/* One iteration of plain sweeps, forward and backward. */
static int sweep(mp_state *mp)
{
    int status = GM_OK;
    double bound;
    for (int forward = 1; forward >= 0 && status == GM_OK; forward--) {
        mp_dual_sweep(&mp->dual, forward);
        status = mp_dual_assign(&mp->dual, &bound);
        if (status != GM_OK)
            return status;
        mp_round_assignment(&mp->rounding, mp->dual.lap, &mp->run);
        raise_bound(mp, bound);
        if (mp->phase_iteration % MP_EVALUATE_INTERVAL ==
            (forward ? 0 : MP_EVALUATE_INTERVAL / 2)) /* once per iteration at most */
            status = mp_round_marginals(&mp->rounding, &mp->dual, &mp->run);
    }
    if (mp->options.tighten)
        mp_tightening_update(&mp->tightening);
    if (++mp->phase_iteration % MP_CHECK_INTERVAL == 0) {
        const double least = mp->n_rounds ? MP_LEAST_RISE_LATER : MP_LEAST_RISE;
        if (mp->run.bound - mp->bound_before < least * fabs(mp->run.bound))
            start_round(mp);
        else
            mp->bound_before = mp->run.bound;
    }
    return status;
}

/* One iteration of smoothed sweeps, forward and backward. */
static int smooth(mp_state *mp)
{
    mp_smooth_sweep(&mp->smooth, 1);
    mp_smooth_sweep(&mp->smooth, 0);
    if (++mp->phase_iteration % MP_EVALUATE_INTERVAL != 0)
        return GM_OK;
    double bound;
    int status = mp_round_marginals(&mp->rounding, &mp->dual, &mp->run);
    if (status == GM_OK)
        status = mp_dual_evaluate(&mp->dual, &bound);
    if (status != GM_OK)
        return status;
    mp_round_assignment(&mp->rounding, mp->dual.lap, &mp->run);
    raise_bound(mp, bound);
    if (mp->tightening.n_triplets) {
        /* without this, smoothing converges for the triplets as they are, and the bound stays */
        mp_tightening_update(&mp->tightening);
        mp_smooth_cool(&mp->smooth, mp->smooth.epsilon);
    }
    if (bound - mp->bound_before < mp->cooling * mp->smooth.epsilon * (double)mp->dual.n_nodes) {
        mp->temperature *= MP_COOLED;
        if (mp->temperature < MP_COLDEST)
            end_round(mp);
        else
            mp_smooth_cool(&mp->smooth, epsilon_of(mp));
    }
    mp->bound_before = bound;
    return status;
}

/* An iteration ends when the descent that it began has ended, in a later call if need be. */
int gm_mp_step(gm_run *run, int64_t max_iterations, double seconds)
{
    mp_state *mp = (mp_state *)run;
    const double deadline = gm_clock() + seconds;
    for (int64_t k = 0; k < max_iterations && !run->finished; k++) {
        int status = GM_OK;
        if (mp->rounding.steps_remaining == 0)
            status = mp->phase == SWEEP ? sweep(mp) : smooth(mp);
        if (status == GM_OK)
            status = mp_round_descend(&mp->rounding, run, deadline);
        if (status != GM_OK || mp->rounding.steps_remaining > 0)
            return gm_run_leave(run, status);
        run->iteration++;
        if (mp->has_converged)
            run->finished = 1;
        gm_run_stop_when_closed(run);
        if (gm_is_late(deadline))
            break;
    }
    return gm_run_leave(run, GM_OK);
}
