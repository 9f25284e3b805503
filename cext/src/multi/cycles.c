#include "multi/cycles.h"

#include "base/rounding.h"
#include "multi/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void multi_cycles_take(multi_cycles *cycles, gm_pool *pool, const multi_graphs *graphs,
                       uint64_t seed)
{
    cycles->graphs = graphs;
    cycles->seed = seed;
    cycles->step = MULTI_FIRST_STEP;
    cycles->best = cycles->risen_to = -INFINITY;
    GM_TAKE(pool, graphs->n_pairs, cycles->model);
    GM_TAKE(pool, graphs->n_pairs, cycles->cost);
    GM_TAKE(pool, graphs->n_pairs, cycles->error);
    multi_matchings_take(&cycles->matchings, pool, graphs);
    GM_TAKE(pool, graphs->n_pairs, cycles->bound);
    GM_TAKE(pool, graphs->n_pairs, cycles->open);
    for (int32_t p = 0; p < graphs->n_pairs && !pool->failed; p++) {
        const gm_model *model = graphs->pairs[p].model;
        GM_TAKE(pool, model->n_candidates, cycles->cost[p]);
        GM_TAKE(pool, model->n_candidates, cycles->error[p]);
        if (pool->failed)
            return;
        if (model->n_candidates > 0)
            memcpy(cycles->cost[p], model->cost, (size_t)model->n_candidates * sizeof(double));
        cycles->model[p] = *model;
        cycles->model[p].cost = cycles->cost[p];
    }
}

void multi_cycles_free(multi_cycles *cycles)
{
    gm_aj_free(cycles->run);
    free(cycles->cuts);
    free(cycles->slot);
}

void multi_cycles_set_pair(multi_cycles *cycles, int32_t pair, double bound, const int32_t *labels,
                           int proven)
{
    cycles->bound[pair] = bound;
    cycles->open[pair] = !proven;
    memcpy(cycles->matchings.forward[pair], labels,
           (size_t)cycles->model[pair].n1 * sizeof *labels);
}

/* ---- the set of inequalities */

/* The place of the cut with this key in the hash table, or the free place for it. */
static int64_t find_slot(const multi_cycles *cycles, uint64_t key)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15);
    at ^= at >> 29;
    for (at &= (uint64_t)cycles->n_slots - 1;; at = (at + 1) & ((uint64_t)cycles->n_slots - 1))
        if (cycles->slot[at] < 0 || cycles->cuts[cycles->slot[at]].key == key)
            return (int64_t)at;
}

static void rehash(multi_cycles *cycles)
{
    for (int64_t k = 0; k < cycles->n_slots; k++)
        cycles->slot[k] = -1;
    for (int64_t c = 0; c < cycles->n_cuts; c++)
        cycles->slot[find_slot(cycles, cycles->cuts[c].key)] = c;
}

/* Makes room for one more cut. GM_OK or GM_ENOMEM. */
static int make_room(multi_cycles *cycles)
{
    if (cycles->n_cuts < cycles->room)
        return GM_OK;
    const int64_t room = cycles->room ? 2 * cycles->room : MULTI_LEAST_ROOM;
    multi_cut *cuts = realloc(cycles->cuts, (size_t)room * sizeof *cuts);
    if (!cuts)
        return GM_ENOMEM;
    cycles->cuts = cuts;
    int64_t *slot = realloc(cycles->slot, 2 * (size_t)room * sizeof *slot);
    if (!slot)
        return GM_ENOMEM;
    cycles->slot = slot;
    cycles->room = room;
    cycles->n_slots = 2 * room;
    rehash(cycles);
    return GM_OK;
}

/* ---- the present matchings */

/* Whether a candidate is in the present matching of its pair. */
static int is_matched(const multi_cycles *cycles, int32_t p, int32_t k)
{
    const gm_model *model = cycles->model + p;
    return k >= 0 && cycles->matchings.forward[p][model->left[k]] == model->right[k];
}

/* ---- separation */

enum { MOST_CUTS = 4000000 }; /* 64 bytes each */

/* Adds the inequality of node c of h, matched to i of g and to t of k, which are not matched to
 * each other. GM_OK or GM_ENOMEM. */
static int add_cut(multi_cycles *cycles, int32_t h, int32_t c, int32_t g, int32_t i, int32_t k,
                   int32_t t)
{
    const multi_graphs *graphs = cycles->graphs;
    const uint64_t n = (uint64_t)graphs->n_nodes;
    const uint64_t key =
        ((uint64_t)(graphs->base[h] + c) * n + (uint64_t)(graphs->base[g] + i)) * n +
        (uint64_t)(graphs->base[k] + t);
    const int status = make_room(cycles);
    if (status != GM_OK || cycles->n_cuts >= MOST_CUTS)
        return status;
    const int64_t slot = find_slot(cycles, key);
    if (cycles->slot[slot] >= 0)
        return GM_OK;
    multi_cut *cut = cycles->cuts + cycles->n_cuts;
    *cut = (multi_cut){.key = key,
                       .pair = {multi_pair_number(graphs, h, g), multi_pair_number(graphs, h, k),
                                multi_pair_number(graphs, g, k)}};
    cut->candidate[0] = multi_candidate_of(graphs->pairs + cut->pair[0], h, c, i);
    cut->candidate[1] = multi_candidate_of(graphs->pairs + cut->pair[1], h, c, t);
    cut->candidate[2] = multi_candidate_of(graphs->pairs + cut->pair[2], g, i, t);
    cycles->slot[slot] = cycles->n_cuts++;
    return GM_OK;
}

/* Adds all inequalities that the present matchings violate. */
static int separate(multi_cycles *cycles)
{
    const multi_graphs *graphs = cycles->graphs;
    const multi_matchings *present = &cycles->matchings;
    int status = GM_OK;
    for (int32_t h = 0; h < graphs->d; h++)
        for (int32_t c = 0; c < graphs->n[h]; c++)
            for (int32_t g = 0; g < graphs->d && status == GM_OK; g++) {
                if (gm_watch_spend(graphs->watch, 16 * (int64_t)graphs->d))
                    status = GM_ECUT;
                const int32_t i = g == h ? -1 : multi_matched(present, graphs, h, g, c);
                for (int32_t k = g + 1; k < graphs->d && i >= 0 && status == GM_OK; k++) {
                    const int32_t t = k == h ? -1 : multi_matched(present, graphs, h, k, c);
                    if (t >= 0 && multi_matched(present, graphs, g, k, i) != t)
                        status = add_cut(cycles, h, c, g, i, k, t);
                }
            }
    return status;
}

/* ---- the step */

/* Looks now and then while all inequalities are visited, whose candidates lie far from each other:
 * 1 if the run is over. */
static int spend_cut(const multi_cycles *cycles)
{
    return gm_watch_spend(cycles->graphs->watch, 32);
}

/* The left side of the inequality at the present matchings, minus 1. */
static double violation(const multi_cycles *cycles, const multi_cut *cut)
{
    return is_matched(cycles, cut->pair[0], cut->candidate[0]) +
           is_matched(cycles, cut->pair[1], cut->candidate[1]) -
           is_matched(cycles, cut->pair[2], cut->candidate[2]) - 1;
}

/* lambda <- max(0, lambda + length * averaged violation); the costs of the three candidates follow.
 */
static void move_multipliers(multi_cycles *cycles, double length)
{
    for (int64_t c = 0; c < cycles->n_cuts && !spend_cut(cycles); c++) {
        multi_cut *cut = cycles->cuts + c;
        const double before = cut->lambda, slope = cut->slope;
        cut->lambda = fmax(0.0, before + length * slope);
        const double change = cut->lambda - before;
        cut->idle = cut->lambda > 0.0 || slope > 0.0 ? 0 : cut->idle + 1;
        if (change == 0.0)
            continue;
        for (int32_t part = 0; part < 3; part++)
            if (cut->candidate[part] >= 0) {
                cycles->cost[cut->pair[part]][cut->candidate[part]] += part < 2 ? change : -change;
                cycles->open[cut->pair[part]] = 1;
            }
    }
}

enum { IDLE = 40 }; /* rounds that an unused inequality stays */

/* Removes inequalities that have been without use for long. */
static void drop_idle(multi_cycles *cycles)
{
    int64_t kept = 0;
    for (int64_t c = 0; c < cycles->n_cuts; c++)
        if (cycles->cuts[c].idle < IDLE)
            cycles->cuts[kept++] = cycles->cuts[c];
    if (kept == cycles->n_cuts)
        return;
    cycles->n_cuts = kept;
    rehash(cycles);
}

static const double LEAST_RISE = 1e-3; /* of the gap, else a round counts as without gain */
static const double SHORTER = 0.7;     /* times the step: the next one, */
static const double LEAST_STEP = 0.02; /* but at least this */

/* Records a bound; after some rounds without gain the steps get shorter. */
static void note_bound(multi_cycles *cycles, double bound, double value)
{
    cycles->best = fmax(cycles->best, bound);
    cycles->n_vain++;
    if (!isfinite(cycles->risen_to) ||
        cycles->best - cycles->risen_to > LEAST_RISE * fmax(value - cycles->best, 0.0)) {
        cycles->risen_to = cycles->best;
        cycles->n_vain = 0;
    } else if (cycles->n_vain % MULTI_WINDOW == 0) {
        cycles->step = fmax(SHORTER * cycles->step, LEAST_STEP);
    }
}

/* Multipliers that are added to costs and taken away again leave rounding errors: computes the
 * costs again from the multipliers, and a bound on their errors. Each sum errs by at most half of
 * GM_ROUNDING times its result; the other half covers the roundings of the error itself. */
static void renew_costs(multi_cycles *cycles)
{
    for (int32_t p = 0; p < cycles->graphs->n_pairs; p++) {
        const size_t size = (size_t)cycles->model[p].n_candidates * sizeof(double);
        if (size == 0)
            continue;
        memcpy(cycles->cost[p], cycles->graphs->pairs[p].model->cost, size);
        memset(cycles->error[p], 0, size);
    }
    for (int64_t c = 0; c < cycles->n_cuts && !spend_cut(cycles); c++) {
        const multi_cut *cut = cycles->cuts + c;
        for (int32_t part = 0; part < 3 && cut->lambda > 0.0; part++) {
            const int32_t p = cut->pair[part], k = cut->candidate[part];
            if (k < 0)
                continue;
            cycles->cost[p][k] += part < 2 ? cut->lambda : -cut->lambda;
            cycles->error[p][k] += GM_ROUNDING * fabs(cycles->cost[p][k]);
        }
    }
}

/* By how much the changed costs of any matching of a pair can be off. */
static double pair_error(const multi_cycles *cycles, int32_t p)
{
    const gm_model *model = cycles->model + p;
    const int32_t most = model->n1 < model->n2 ? model->n1 : model->n2;
    double largest = 0.0;
    for (int32_t k = 0; k < model->n_candidates; k++)
        largest = fmax(largest, cycles->error[p][k]);
    return most * largest;
}

/* The bound: the sum of the pairs' bounds minus that of the multipliers, rounded down
 * (base/rounding.h). */
static double whole_bound(const multi_cycles *cycles)
{
    double lambda = 0.0, sum = 0.0, size = 0.0, error = 0.0;
    for (int64_t c = 0; c < cycles->n_cuts; c++)
        lambda += cycles->cuts[c].lambda;
    for (int32_t p = 0; p < cycles->graphs->n_pairs; p++) {
        sum += cycles->bound[p];
        size += fabs(cycles->bound[p]);
        error += pair_error(cycles, p);
    }
    const double n_sums = (double)cycles->n_cuts + 2.0 * cycles->graphs->n_pairs + 2.0;
    return sum - lambda - error - gm_rounding_error(n_sums, size + lambda + error);
}

/* One subgradient step of Polyak's length, after the violated inequalities were added. */
static int take_step(multi_cycles *cycles, double value)
{
    double norm = 0.0;
    const double bound = whole_bound(cycles);
    multi_matchings_invert(&cycles->matchings, cycles->graphs);
    const int status = separate(cycles);
    for (int64_t c = 0; c < cycles->n_cuts && !spend_cut(cycles); c++) {
        multi_cut *cut = cycles->cuts + c;
        const double now = violation(cycles, cut);
        cut->slope += MULTI_NEWEST * (now - cut->slope);
        norm += now > 0.0 || cut->lambda > 0.0 ? now * now : 0.0;
    }
    if (status != GM_OK || norm == 0.0 || !(value > bound))
        return status;
    move_multipliers(cycles, cycles->step * (value - bound) / norm);
    drop_idle(cycles);
    renew_costs(cycles);
    return GM_OK;
}

enum { LIFT_LIMIT = 200000 }; /* see gm_aj_options */

/* The exact method on one pair: its best bound and matching after a limited number of iterations.
 */
static int solve(multi_cycles *cycles, int32_t p, double seconds)
{
    if (!cycles->run) {
        const gm_aj_options options = {.seed = (int64_t)(cycles->seed + (uint64_t)p),
                                       .branch = 1,
                                       .fix = 1,
                                       .lift_limit = LIFT_LIMIT,
                                       .init = cycles->matchings.forward[p]};
        cycles->run = gm_aj_new(cycles->model + p, &options);
        if (!cycles->run)
            return GM_ENOMEM;
    }
    gm_run *run = cycles->run;
    gm_watch_follow(run->watch, cycles->graphs->watch);
    const int status = gm_aj_step(run, MULTI_ITERATIONS - run->iteration, seconds);
    gm_watch_join(cycles->graphs->watch, run->watch);
    run->n_events = 0;
    if (status != GM_OK || (!run->finished && run->iteration < MULTI_ITERATIONS))
        return status;
    cycles->bound[p] = run->bound;
    cycles->open[p] = !run->finished;
    memcpy(cycles->matchings.forward[p], run->labels, (size_t)run->n1 * sizeof *run->labels);
    gm_aj_free(run);
    cycles->run = NULL;
    return GM_OK;
}

int multi_cycles_advance(multi_cycles *cycles, double value, double seconds)
{
    const int32_t n = cycles->graphs->n_pairs;
    int status = GM_OK;
    if (cycles->next == 0 && !cycles->run && cycles->n_rounds > 0)
        status = take_step(cycles, value);
    while (cycles->next < n && !cycles->open[cycles->next])
        cycles->next++;
    if (status == GM_OK && cycles->next < n) {
        status = solve(cycles, cycles->next, seconds);
        cycles->next += status == GM_OK && !cycles->run;
    }
    if (status != GM_OK || cycles->run || cycles->next < n)
        return status;
    note_bound(cycles, whole_bound(cycles), value);
    cycles->n_rounds++;
    cycles->next = 0;
    return 1;
}

enum { STALLED = 60 }; /* rounds without gain that end the ascent */

int multi_cycles_stalled(const multi_cycles *cycles)
{
    return cycles->n_vain >= STALLED;
}
