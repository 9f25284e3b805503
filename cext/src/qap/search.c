/* Quadratic assignment by rounds of robust tabu search (Taillard 1991). One iteration is one swap.
 *
 * The starts of rounds come from two sources, which take turns by their success: perturbations of
 * one matching, stronger with every failure (breakout local search, Benlic and Hao 2013), and
 * crossings of two matchings of a small population (memetic search, Benlic and Hao 2015).
 *
 * If a few large entries dominate A or B, few swaps lead to a local optimum and the basins of
 * the good ones are far apart. There rounds are hardly more than descents, and perturbations of one
 * matching make a *chain* (iterated local search, Stuetzle 2006). A chain that is stuck joins the
 * population, and the next one begins at random or at a crossing. A chain finds the best of its
 * basin in a fraction of a second, and about ten of them find the best one.
 *
 * The same is true if nodes form blocks that are alike (blocks.h). There half of the perturbations
 * exchange whole blocks, and half of the crossings keep them together.
 *
 * If one matrix is thin, some rounds begin with the best of a beam (beam.h), each wider than the
 * one before: half of the work while the best matching came from one, else a tenth.
 */
#include "base/random.h"
#include "base/run.h"
#include "base/watch.h"
#include "moves/policy.h"
#include "qap/beam.h"
#include "qap/blocks.h"
#include "qap/measures.h"
#include "qap/policy.h"
#include "qap/population.h"
#include "qap/swaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum source { PERTURB, CROSS, N_SOURCES }; /* of starts */

typedef struct search {
    gm_run run;
    gm_pool pool;
    gm_random random;
    int32_t n;
    gm_swaps swaps; /* the present permutation */
    qap_population population;
    qap_beam beam; /* widest = 0: none */
    qap_blocks blocks;
    int dominated; /* by a few large entries, or by blocks: chains */
    int forbids;   /* some pair is forbidden: only swaps from a matching lead to matchings */

    /* the round: a tabu search */
    int in_round;
    enum source source;
    int64_t *until;      /* n x n: the first step that may give label t to node i again */
    int64_t step;        /* of the round */
    int64_t improved_at; /* the step that made its best */
    int64_t length;      /* it ends this many steps after that */
    int improved_run;    /* it found a new best of the whole run */
    qap_member best;     /* of the round */

    /* perturbations */
    qap_member chain;           /* the matching that is perturbed; cost infinite: none yet */
    gm_swaps_state chain_swaps; /* its swaps, */
    int is_saved;               /* if they are */
    int32_t strength;           /* nodes that the next one moves */
    int32_t n_vain;             /* rounds since the chain improved */
    int32_t n_chains;           /* that ended */

    /* beams */
    int in_beam;         /* one is being made */
    int from_beam;       /* the round began with one, */
    int chain_from_beam; /* or the chain */
    int beams_lead;      /* the best of the run came from one */

    double success[N_SOURCES], effort[N_SOURCES]; /* of the rounds so far, old ones count less */
    int64_t n_rounds;
    int64_t patience;       /* in short rounds */
    int64_t last_success;   /* iteration of the last new best of the run */
    int32_t *order, *place; /* scratch: n each */
} search;

/* Whether every pair of both nodes would be allowed after a swap of their labels. */
static int may_swap(const search *self, const int32_t *at, int32_t i, int32_t j)
{
    const double *C = self->swaps.C;
    const int64_t n = self->n;
    return !C || (isfinite(C[i * n + at[j]]) && isfinite(C[j * n + at[i]]));
}

static int is_less(const search *self, double cost, double than)
{
    return qap_is_less(cost, than, self->population.unit);
}

/* ---- one round */

/* Offers the present permutation to the run. */
static void offer_present(search *self)
{
    if (!is_less(self, self->swaps.cost, self->run.value))
        return;
    gm_run_offer(&self->run, self->swaps.cost, self->swaps.at);
    self->last_success = self->run.iteration;
    self->improved_run = 1;
}

/* Begins a round at the present permutation, which comes from `source`. */
static void begin_round(search *self, enum source source)
{
    const int is_short = source == PERTURB || self->population.n_members < 2;
    memset(self->until, 0, sizeof *self->until * (size_t)self->n * (size_t)self->n);
    self->source = source;
    if (self->dominated)
        self->length = 1 + self->n / QAP_DESCENT;
    else
        self->length = (int64_t)self->n * (is_short ? QAP_SHORT : QAP_LONG);
    self->step = self->improved_at = 0;
    self->improved_run = self->from_beam = 0;
    qap_member_set(&self->best, self->swaps.cost, self->swaps.at, self->n);
    self->in_round = 1;
}

/* The cheapest swap r, s that is not tabu: at least one of both nodes gets a label that it has not
 * given up recently, or the swap leads to a new best of the round. Returns its change of cost,
 * infinite for none. */
static double cheapest_swap(const search *self, int32_t *r, int32_t *s)
{
    const gm_swaps *swaps = &self->swaps;
    const int32_t n = self->n, *at = swaps->at;
    const double least_gain =
        GM_GAIN_TOLERANCE * fmax(fabs(self->best.cost), self->population.unit);
    const double new_best = self->best.cost - swaps->cost - least_gain;
    double least = INFINITY;
    for (int32_t u = 0; u < n; u++) {
        if (!(swaps->least[u] < least))
            continue;
        const double *row = swaps->change + (int64_t)u * n;
        const int64_t *until = self->until + (int64_t)u * n;
        for (int32_t v = u + 1; v < n; v++)
            if (row[v] < least && /* most swaps end here */
                (until[at[v]] <= self->step || self->until[(int64_t)v * n + at[u]] <= self->step ||
                 row[v] < new_best)) {
                least = row[v];
                *r = u;
                *s = v;
            }
    }
    return least;
}

/* The step until which a label that is given up now is tabu, at random. */
static int64_t draw_ban(search *self)
{
    const double unit = gm_random_unit(&self->random);
    const double part = self->dominated ? unit : unit * unit * unit;
    return self->step + 1 + (int64_t)(part * QAP_LONGEST_BAN * self->n);
}

static void tabu_step(search *self)
{
    gm_swaps *swaps = &self->swaps;
    int32_t r = -1, s = -1;
    const double change = cheapest_swap(self, &r, &s);
    self->step++;
    if (!(change < INFINITY))
        return;
    self->until[(int64_t)r * self->n + swaps->at[r]] = draw_ban(self);
    self->until[(int64_t)s * self->n + swaps->at[s]] = draw_ban(self);
    gm_swaps_make(swaps, r, s);
    if (!is_less(self, swaps->cost, self->best.cost))
        return;
    qap_member_set(&self->best, swaps->cost, swaps->at, self->n);
    self->improved_at = self->step;
    if (is_less(self, self->best.cost, self->run.value)) {
        gm_run_offer(&self->run, self->best.cost, self->best.at);
        self->improved_run = 1;
        self->last_success = self->run.iteration;
    }
}

/* ---- starts */

static int has_blocks(const search *self)
{
    return self->blocks.n_blocks > 1;
}

/* Whether a start keeps blocks together: half of the time if there are any. */
static int keeps_blocks(search *self)
{
    return has_blocks(self) && gm_random_below(&self->random, 2);
}

static void set_chain(search *self, const qap_member *from)
{
    self->is_saved &= !memcmp(self->chain.at, from->at, sizeof *from->at * (size_t)self->n);
    qap_member_set(&self->chain, from->cost, from->at, self->n);
}

/* Makes the chain the present permutation. */
static void return_to_chain(search *self)
{
    if (self->is_saved) {
        gm_swaps_restore(&self->swaps, &self->chain_swaps);
        return;
    }
    gm_swaps_load(&self->swaps, self->chain.at);
    if (gm_watch_is_over(self->swaps.watch))
        return;
    gm_swaps_save(&self->swaps, &self->chain_swaps);
    self->is_saved = 1;
}

/* Perturbs the chain: `strength` random nodes in a cycle, each takes the label of the next; or
 * whole blocks exchange their labels. */
static void perturb(search *self)
{
    const int32_t n = self->n;
    const int32_t count = self->strength < n ? self->strength : n;
    return_to_chain(self);
    if (keeps_blocks(self)) {
        qap_blocks_perturb(&self->blocks, &self->swaps, &self->random, QAP_EXCHANGES);
        return;
    }
    for (int32_t i = 0; i < n; i++)
        self->order[i] = i;
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = k + gm_random_below(&self->random, n - k);
        const int32_t kept = self->order[k];
        self->order[k] = self->order[other];
        self->order[other] = kept;
    }
    for (int32_t k = 0; k + 1 < count && !gm_watch_spend(self->swaps.watch, n * n); k++) {
        const int32_t i = self->order[k], j = self->order[k + 1];
        if (may_swap(self, self->swaps.at, i, j))
            gm_swaps_make(&self->swaps, i, j);
    }
}

static void cross(search *self)
{
    const int32_t *block = NULL;
    if (keeps_blocks(self)) {
        qap_blocks_divide(&self->blocks, &self->random);
        block = self->blocks.of;
    }
    qap_population_cross(&self->population, &self->random, block, self->place, self->order);
    gm_swaps_load(&self->swaps, self->place);
}

static void start_at_random(search *self)
{
    int32_t *at = self->place;
    for (int32_t i = 0; i < self->n; i++)
        at[i] = i;
    gm_random_shuffle(&self->random, self->n, at);
    gm_swaps_load(&self->swaps, at);
}

/* ---- between rounds */

/* Credits the gain of the round to its source of starts. */
static void count_success(search *self, int joined)
{
    for (int k = 0; k < N_SOURCES; k++) {
        self->success[k] *= QAP_MEMORY;
        self->effort[k] *= QAP_MEMORY;
    }
    self->effort[self->source] += (double)self->step + self->n; /* loading costs about n swaps */
    if (self->improved_run)
        self->success[self->source] += QAP_BEST_SUCCESS;
    else if (joined)
        self->success[self->source] += QAP_JOINED_SUCCESS;
}

static void end_round(search *self)
{
    /* if there are chains, only their last matchings join */
    const int joined = !self->dominated && qap_population_join(&self->population, &self->best);
    self->in_round = 0;
    self->n_rounds++;
    if (!self->from_beam)
        count_success(self, joined);
    if (self->improved_run)
        self->beams_lead = self->from_beam || (self->source == PERTURB && self->chain_from_beam);
    if (self->source != PERTURB)
        return;
    const int better = is_less(self, self->best.cost, self->chain.cost);
    if (self->from_beam) { /* the chain goes on, unless this is better */
        if (!better)
            return;
        if (self->chain.cost < INFINITY)
            qap_population_join(&self->population, &self->chain);
        self->chain_from_beam = 1;
    }
    if (self->best.cost <= self->chain.cost)
        set_chain(self, &self->best);
    self->n_vain = better ? 0 : self->n_vain + 1;
    self->strength = better ? QAP_WEAKEST : self->strength + 1;
    if (self->strength > self->n / 2 || self->strength > QAP_STRONGEST)
        self->strength = QAP_WEAKEST;
}

/* Chooses the matching that is perturbed next: the best member, or (every other time) any. */
static void choose_chain(search *self)
{
    const qap_population *population = &self->population;
    const qap_member *from;
    if (self->chain.cost == INFINITY || gm_random_below(&self->random, 2))
        from = qap_population_best(population);
    else
        from = &population->member[gm_random_below(&self->random, population->n_members)];
    set_chain(self, from);
    self->n_vain = 0;
    self->strength = QAP_WEAKEST;
}

/* The source of the next start, drawn by success per effort. */
static enum source choose_source(search *self)
{
    double rate[N_SOURCES];
    for (int k = 0; k < N_SOURCES; k++)
        rate[k] = (QAP_FIRST_SUCCESS + self->success[k]) / (QAP_FIRST_EFFORT + self->effort[k]);
    const double share = rate[PERTURB] / (rate[PERTURB] + rate[CROSS]);
    const double limited = fmin(fmax(share, QAP_MIN_SHARE), 1.0 - QAP_MIN_SHARE);
    if (self->population.n_members < 2 || self->forbids || gm_random_unit(&self->random) < limited)
        return PERTURB;
    return CROSS;
}

/* A stuck chain joins the population; the next one begins at random or at a crossing. If pairs are
 * forbidden a random permutation may not be a matching: all nodes of the chain are perturbed
 * instead. */
static void begin_chain(search *self)
{
    qap_population_join(&self->population, &self->chain);
    self->n_chains++;
    self->chain_from_beam = 0;
    if (self->forbids) {
        self->strength = self->n;
        perturb(self);
    } else if (self->n_chains >= (has_blocks(self) ? QAP_BLOCK_CHAINS : QAP_CHAINS) &&
               self->population.n_members >= 2 && gm_random_below(&self->random, 2)) {
        cross(self);
    } else {
        start_at_random(self);
    }
    self->chain.cost = INFINITY;
    self->n_vain = 0;
    self->strength = QAP_WEAKEST;
}

/* Whether beams have had less than their share of the work. A swap touches 1.5 n^2 cells. */
static int is_beam_due(const search *self)
{
    const double n = self->n, share = self->beams_lead ? QAP_BEAM_SHARE : QAP_LEAST_BEAM_SHARE;
    const double all = 1.5 * n * n * (double)self->run.iteration + self->beam.work;
    return self->beam.widest > 0 && self->beam.work <= share * all;
}

/* Places one more node of the beam, whose best permutation is the start of a round. */
static void grow_beam(search *self)
{
    if (!qap_beam_step(&self->beam, &self->random) || gm_watch_is_over(self->swaps.watch))
        return;
    self->in_beam = 0;
    qap_beam_best(&self->beam, self->place);
    gm_swaps_load(&self->swaps, self->place);
    begin_round(self, self->dominated ? PERTURB : CROSS);
    self->from_beam = 1;
    offer_present(self);
}

enum { VAIN = 100 }; /* perturbations without improvement: another matching is perturbed */

/* Begins a round. The first start is the given matching, loaded already; the next ones are random,
 * until the population could be full. If pairs are forbidden, perturbations of the best fill it
 * instead. */
static void next_round(search *self)
{
    if (self->n_rounds == 0) {
        begin_round(self, PERTURB);
    } else if (is_beam_due(self)) {
        qap_beam_begin(&self->beam, &self->random);
        self->in_beam = 1;
    } else if (self->dominated) {
        if (self->n_vain > (has_blocks(self) ? QAP_BLOCK_VAIN : QAP_CHAIN_VAIN))
            begin_chain(self);
        else
            perturb(self);
        begin_round(self, PERTURB);
    } else if (self->n_rounds < QAP_POPULATION && !self->forbids) {
        start_at_random(self);
        begin_round(self, CROSS);
    } else {
        if (self->chain.cost == INFINITY || self->n_vain > VAIN)
            choose_chain(self);
        const enum source source = self->n_rounds < QAP_POPULATION ? PERTURB : choose_source(self);
        if (source == PERTURB)
            perturb(self);
        else
            cross(self);
        begin_round(self, source);
    }
}

enum { PERSISTENCE = 20 }; /* times as long as the last success took */

/* Whether to give up: after `patience` short rounds without a new best, and some times as many
 * swaps as the last one took: one that improves after a million swaps may do so again. */
static int has_waited_long(const search *self)
{
    const int64_t waited = self->run.iteration - self->last_success;
    return waited / (QAP_SHORT * (int64_t)self->n) > self->patience &&
           waited / PERSISTENCE > self->last_success;
}

/* ---- the kernel */

static const double CANCELLED = 1e-3; /* of the sum of sizes: a smaller cost is mostly rounding */
enum { BEAM_SIDE = 12 };              /* nodes: fewer need no beams */

gm_run *gm_qap_new(const gm_qap *qap, const gm_qap_options *options)
{
    search *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    const int32_t n = qap->n;
    const int64_t cells = (int64_t)n * n;
    self->n = n;
    self->random.state = options->seed;
    gm_swaps_take(&self->swaps, &self->pool, qap);
    qap_beam_take(&self->beam, &self->pool, &self->swaps);
    qap_blocks_take(&self->blocks, &self->pool, n);
    GM_TAKE(&self->pool, cells, self->until);
    GM_TAKE(&self->pool, n, self->best.at);
    GM_TAKE(&self->pool, n, self->chain.at);
    gm_swaps_state_take(&self->chain_swaps, &self->pool, n);
    GM_TAKE(&self->pool, n, self->order);
    GM_TAKE(&self->pool, n, self->place);
    qap_population_take(&self->population, &self->pool, n, CANCELLED * qap_magnitude(qap));
    if (self->pool.failed || gm_run_init(&self->run, &(gm_model){.n1 = n}) != GM_OK) {
        gm_pool_free(&self->pool);
        free(self);
        return NULL;
    }
    self->swaps.watch = self->run.watch;
    self->beam.watch = self->run.watch;
    self->beams_lead = 1;
    self->chain.cost = INFINITY;
    self->strength = QAP_WEAKEST;
    self->dominated = qap_is_dominated(qap);
    self->run.bound = options->bound;
    self->run.tolerance = options->tolerance;
    for (int64_t k = 0; qap->C && k < cells; k++)
        self->forbids |= !(qap->C[k] < INFINITY);
    self->patience = options->patience;
    if (self->forbids || n < BEAM_SIDE)
        self->beam.widest = 0;
    memcpy(self->place, options->init, sizeof *self->place * (size_t)n);
    return &self->run;
}

enum { CLOCK_CELLS = 200000 }; /* touched between two looks at the clock */

int gm_qap_step(gm_run *run, int64_t max_iterations, double seconds)
{
    search *self = (search *)run;
    const double deadline = gm_clock() + seconds;
    const int64_t look = 1 + CLOCK_CELLS / ((int64_t)self->n * self->n + 1);
    for (int64_t k = 0; k < max_iterations && !run->finished; k++) {
        if (self->n_rounds == 0 && !self->in_round) {
            if (!self->forbids && !self->dominated)
                qap_blocks_find(&self->blocks, &self->swaps);
            self->dominated |= has_blocks(self);
            gm_swaps_load(&self->swaps, self->place);
            gm_run_offer(run, self->swaps.cost, self->swaps.at);
        }
        if (!self->in_round && !self->in_beam)
            next_round(self);
        if (self->in_beam)
            grow_beam(self);
        else
            tabu_step(self);
        run->iteration++;
        if (self->in_round && self->step - self->improved_at >= self->length)
            end_round(self);
        if (has_waited_long(self))
            run->finished = 1;
        gm_run_stop_when_closed(run);
        if (run->watch->is_over || (k % look == look - 1 && gm_is_late(deadline)))
            break;
    }
    return gm_run_leave(run, GM_OK);
}

void gm_qap_free(gm_run *run)
{
    search *self = (search *)run;
    gm_run_clear(run);
    gm_pool_free(&self->pool);
    free(self);
}
