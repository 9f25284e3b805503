/* Quadratic assignment by rounds of robust tabu search (Taillard 1991), whose starts come from two
 * sources that share the work by their success: perturbations of one matching, as strong as they
 * have to be (breakout local search, Benlic and Hao 2013), and crossings of two matchings of a
 * small population (memetic search, Benlic and Hao 2015). One iteration is one swap.
 *
 * Where a few large entries dominate, valleys are deep and a local optimum is found in few swaps:
 * rounds are hardly more than descents there, perturbations of one matching make a chain (iterated
 * local search, Stuetzle 2006), and a chain that is stuck joins the population and gives way to one
 * from a new start, at random or a crossing. The chain finds its own valley in a fraction of a
 * second, and it takes about ten of them to find the best one.
 */
#include "base/random.h"
#include "base/run.h"
#include "moves/policy.h"
#include "qap/policy.h"
#include "qap/swaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 2 }; /* of starts */
enum source { PERTURB, CROSS };

typedef struct member {
    double cost;
    int32_t *at;
} member;

typedef struct search {
    gm_run run;
    gm_pool pool;
    gm_random random;
    gm_swaps swaps;
    int32_t n, n_members;
    member members[QAP_POPULATION];
    /* the round: a tabu search */
    enum source source;
    int64_t *until;       /* n x n: the first step that may give label t to node i again */
    int64_t step, length; /* the round ends so many steps after its last improvement */
    int64_t improved;
    member best;            /* of the round */
    member chain;           /* what is perturbed */
    int32_t strength, vain; /* swaps of a perturbation; rounds since the chain improved */
    double success[SOURCES], effort[SOURCES];
    int64_t rounds, patience;
    int64_t last_success;   /* iteration of the last improvement of all */
    int32_t *order, *place; /* scratch */
    int in_round, improved_all;
    int dominated;    /* by a few large entries: chains */
    int32_t n_chains; /* that ended */
    int forbids;      /* some pair is forbidden: only swaps from a matching lead to matchings */
} search;

static void copy_member(member *to, double cost, const int32_t *at, int32_t n)
{
    to->cost = cost;
    memcpy(to->at, at, sizeof *at * (size_t)n);
}

static int less(double value, double than)
{
    return value < than - GM_GAIN_TOLERANCE * fabs(than);
}

/* ---- one round */

static void begin_round(search *self, enum source source)
{
    memset(self->until, 0, sizeof *self->until * (size_t)self->n * (size_t)self->n);
    self->source = source;
    if (self->dominated)
        self->length = 1 + self->n / QAP_DESCENT;
    else
        self->length =
            (int64_t)self->n * (source == PERTURB || self->n_members < 2 ? QAP_SHORT : QAP_LONG);
    self->step = self->improved = 0;
    self->improved_all = 0;
    copy_member(&self->best, self->swaps.cost, self->swaps.at, self->n);
    self->in_round = 1;
}

/* The cheapest swap that is allowed: one of its two labels was not given up lately, or it leads to
 * the best of the round. */
static double cheapest(const search *self, int32_t *r, int32_t *s)
{
    const gm_swaps *swaps = &self->swaps;
    const int32_t n = self->n, *at = swaps->at;
    const double new_best =
        self->best.cost - swaps->cost - GM_GAIN_TOLERANCE * fabs(self->best.cost);
    double least = INFINITY;
    for (int32_t u = 0; u < n; u++) {
        if (!(swaps->least[u] < least))
            continue;
        const double *row = swaps->change + (int64_t)u * n;
        const int64_t *until = self->until + (int64_t)u * n;
        for (int32_t v = u + 1; v < n; v++)
            if (row[v] < least &&
                (until[at[v]] <= self->step || self->until[(int64_t)v * n + at[u]] <= self->step ||
                 row[v] < new_best)) {
                least = row[v];
                *r = u;
                *s = v;
            }
    }
    return least;
}

static int64_t ban(search *self)
{
    const double unit = gm_random_unit(&self->random);
    const double part = self->dominated ? unit : unit * unit * unit;
    return self->step + 1 + (int64_t)(part * QAP_LONGEST_BAN * self->n);
}

static void tabu_step(search *self)
{
    gm_swaps *swaps = &self->swaps;
    int32_t r = -1, s = -1;
    const double change = cheapest(self, &r, &s);
    self->step++;
    if (change < INFINITY) {
        self->until[(int64_t)r * self->n + swaps->at[r]] = ban(self);
        self->until[(int64_t)s * self->n + swaps->at[s]] = ban(self);
        gm_swaps_make(swaps, r, s);
        if (less(swaps->cost, self->best.cost)) {
            copy_member(&self->best, swaps->cost, swaps->at, self->n);
            self->improved = self->step;
            if (gm_run_offer(&self->run, self->best.cost, self->best.at)) {
                self->improved_all = 1;
                self->last_success = self->run.iteration;
            }
        }
    }
}

/* ---- starts */

static void shuffle(gm_random *random, int32_t *items, int32_t n)
{
    for (int32_t k = n - 1; k > 0; k--) {
        const int32_t other = gm_random_below(random, k + 1), kept = items[k];
        items[k] = items[other];
        items[other] = kept;
    }
}

/* A cycle through `strength` random nodes: each takes the label of the next. */
static void perturb(search *self)
{
    const int32_t n = self->n;
    const int32_t count = self->strength < n ? self->strength : n;
    int32_t *at = self->place;
    for (int32_t i = 0; i < n; i++)
        self->order[i] = i;
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = k + gm_random_below(&self->random, n - k), kept = self->order[k];
        self->order[k] = self->order[other];
        self->order[other] = kept;
    }
    memcpy(at, self->chain.at, sizeof *at * (size_t)n);
    for (int32_t k = 0; k + 1 < count; k++) {
        const int32_t i = self->order[k], j = self->order[k + 1], kept = at[i];
        const double *C = self->swaps.C;
        if (C && !(isfinite(C[(int64_t)i * n + at[j]]) && isfinite(C[(int64_t)j * n + at[i]])))
            continue;
        at[i] = at[j];
        at[j] = kept;
    }
    gm_swaps_load(&self->swaps, at);
}

/* What two parents agree on stays; elsewhere one of both labels where it is free, and at last any
 * free one. */
static void cross(search *self)
{
    const int32_t n = self->n;
    const int32_t first = gm_random_below(&self->random, self->n_members);
    int32_t second = gm_random_below(&self->random, self->n_members - 1);
    second += second >= first;
    const int32_t *one = self->members[first].at, *other = self->members[second].at;
    int32_t *at = self->place, *owner = self->order;
    for (int32_t i = 0; i < n; i++) {
        owner[i] = -1;
        at[i] = -1;
    }
    for (int32_t i = 0; i < n; i++)
        if (one[i] == other[i]) {
            at[i] = one[i];
            owner[at[i]] = i;
        }
    for (int32_t i = 0; i < n; i++)
        if (at[i] < 0) {
            const int swap_parents = (int)(gm_random_bits(&self->random) >> 63);
            const int32_t wanted = swap_parents ? other[i] : one[i];
            if (owner[wanted] < 0) {
                at[i] = wanted;
                owner[wanted] = i;
            }
        }
    /* free labels in random order for the nodes without one */
    int32_t n_free = 0;
    for (int32_t t = 0; t < n; t++)
        if (owner[t] < 0)
            self->order[n_free++] = t; /* n_free <= t: nothing unread is overwritten */
    shuffle(&self->random, self->order, n_free);
    for (int32_t i = 0; i < n; i++)
        if (at[i] < 0)
            at[i] = self->order[--n_free];
    gm_swaps_load(&self->swaps, at);
}

static void start_anew(search *self)
{
    int32_t *at = self->place;
    for (int32_t i = 0; i < self->n; i++)
        at[i] = i;
    shuffle(&self->random, at, self->n);
    gm_swaps_load(&self->swaps, at);
}

/* ---- between rounds */

static int32_t distance(int32_t n, const int32_t *one, const int32_t *other)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        count += one[i] != other[i];
    return count;
}

/* The round's best joins the population: in the place of the member next to it where that is near
 * (else the population would fill with copies of one matching), or of the worst. Returns 1 if it
 * did.
 */
static int join(search *self)
{
    int32_t worst = 0, nearest = -1, least = self->n + 1;
    for (int32_t k = 0; k < self->n_members; k++) {
        const int32_t apart = distance(self->n, self->members[k].at, self->best.at);
        if (apart < least) {
            least = apart;
            nearest = k;
        }
        if (self->members[k].cost > self->members[worst].cost)
            worst = k;
    }
    int32_t place = worst;
    if (nearest >= 0 && least <= QAP_NEAR * self->n)
        place = nearest;
    else if (self->n_members < QAP_POPULATION) {
        copy_member(&self->members[self->n_members++], self->best.cost, self->best.at, self->n);
        return 1;
    }
    if (!less(self->best.cost, self->members[place].cost))
        return 0;
    copy_member(&self->members[place], self->best.cost, self->best.at, self->n);
    return 1;
}

static const member *best_member(const search *self)
{
    int32_t best = 0;
    for (int32_t k = 1; k < self->n_members; k++)
        if (self->members[k].cost < self->members[best].cost)
            best = k;
    return &self->members[best];
}

static void end_round(search *self)
{
    const int joined = !self->dominated && join(self); /* chains: what they end with */
    self->in_round = 0;
    self->rounds++;
    for (int k = 0; k < SOURCES; k++) {
        self->success[k] *= QAP_MEMORY;
        self->effort[k] *= QAP_MEMORY;
    }
    self->effort[self->source] += (double)self->step + self->n; /* loading costs about n swaps */
    if (self->improved_all)
        self->success[self->source] += 4.0;
    else if (joined)
        self->success[self->source] += 1.0;
    if (self->source != PERTURB)
        return;
    const int better = less(self->best.cost, self->chain.cost);
    if (self->best.cost <= self->chain.cost)
        copy_member(&self->chain, self->best.cost, self->best.at, self->n);
    self->vain = better ? 0 : self->vain + 1;
    self->strength = better ? QAP_WEAKEST : self->strength + 1;
    if (self->strength > self->n / 2 || self->strength > QAP_STRONGEST)
        self->strength = QAP_WEAKEST;
}

/* What is perturbed next: the best of all, or every other time any of the population. */
static void choose_chain(search *self)
{
    const int best = self->chain.cost == INFINITY || gm_random_below(&self->random, 2);
    const member *from =
        best ? best_member(self) : &self->members[gm_random_below(&self->random, self->n_members)];
    copy_member(&self->chain, from->cost, from->at, self->n);
    self->vain = 0;
    self->strength = QAP_WEAKEST;
}

/* Drawn by success per effort. */
static enum source choose_source(search *self)
{
    double rate[SOURCES];
    for (int k = 0; k < SOURCES; k++)
        rate[k] = (1.0 + self->success[k]) / (1000.0 + self->effort[k]);
    const double share = rate[PERTURB] / (rate[PERTURB] + rate[CROSS]);
    const double kept = fmin(fmax(share, QAP_MIN_SHARE), 1.0 - QAP_MIN_SHARE);
    if (self->n_members < 2 || self->forbids || gm_random_unit(&self->random) < kept)
        return PERTURB;
    return CROSS;
}

/* A stuck chain joins the population; the next one begins at random or at a crossing. Where a pair
 * may be forbidden a random matching would be no matching: all nodes are perturbed instead. */
static void begin_chain(search *self)
{
    copy_member(&self->best, self->chain.cost, self->chain.at, self->n);
    join(self);
    self->n_chains++;
    if (self->forbids) {
        self->strength = self->n;
        perturb(self);
    } else if (self->n_chains >= QAP_CHAINS && self->n_members >= 2 &&
               gm_random_below(&self->random, 2)) {
        cross(self);
    } else {
        start_anew(self);
    }
    self->chain.cost = INFINITY;
    self->vain = 0;
    self->strength = QAP_WEAKEST;
}

/* At first random matchings; the very first is the given one, loaded already. Where a pair may be
 * forbidden a random matching would be no matching, and perturbations make the population. */
static void next_round(search *self)
{
    if (self->rounds == 0) {
        begin_round(self, PERTURB);
    } else if (self->dominated) {
        if (self->vain > QAP_CHAIN_VAIN)
            begin_chain(self);
        else
            perturb(self);
        begin_round(self, PERTURB);
    } else if (self->rounds < QAP_POPULATION && !self->forbids) {
        start_anew(self);
        begin_round(self, CROSS);
    } else {
        if (self->chain.cost == INFINITY || self->vain > QAP_VAIN)
            choose_chain(self);
        const enum source source = self->rounds < QAP_POPULATION ? PERTURB : choose_source(self);
        if (source == PERTURB)
            perturb(self);
        else
            cross(self);
        begin_round(self, source);
    }
}

/* Deviation over mean of the entries off the diagonal, for either matrix. */
static int is_dominated(int32_t n, const double *M)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t k = 0; k < (int64_t)n * n; k++) {
        sum += fabs(M[k]);
        squares += M[k] * M[k];
    }
    const double count = (double)n * (n > 1 ? n - 1 : 1), mean = sum / count;
    return squares / count - mean * mean > QAP_DOMINANCE * QAP_DOMINANCE * mean * mean;
}

/* Patience counts in short rounds, and grows with the time that the last success took: a search
 * that still improves after a million swaps may do so again after some more. */
static int has_waited_long(const search *self)
{
    const int64_t waited = self->run.iteration - self->last_success;
    return waited / (QAP_SHORT * (int64_t)self->n) > self->patience &&
           waited / QAP_PERSISTENCE > self->last_success;
}

/* ---- the kernel */

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
    GM_TAKE(&self->pool, cells, self->until);
    GM_TAKE(&self->pool, n, self->best.at);
    GM_TAKE(&self->pool, n, self->chain.at);
    GM_TAKE(&self->pool, n, self->order);
    GM_TAKE(&self->pool, n, self->place);
    for (int k = 0; k < QAP_POPULATION; k++)
        GM_TAKE(&self->pool, n, self->members[k].at);
    if (self->pool.failed || gm_run_init(&self->run, &(gm_model){.n1 = n}) != GM_OK) {
        gm_pool_free(&self->pool);
        free(self);
        return NULL;
    }
    self->chain.cost = INFINITY;
    self->strength = QAP_WEAKEST;
    self->dominated = is_dominated(n, qap->A) || is_dominated(n, qap->B);
    self->run.bound = options->bound;
    self->run.scale = options->scale;
    for (int64_t k = 0; qap->C && k < cells; k++)
        self->forbids |= !(qap->C[k] < INFINITY);
    self->patience = options->patience;
    memcpy(self->place, options->init, sizeof *self->place * (size_t)n);
    return &self->run;
}

int gm_qap_step(gm_run *run, int64_t max_iterations, double seconds)
{
    search *self = (search *)run;
    const double end = gm_clock() + seconds;
    const int64_t look = 1 + QAP_CLOCK_CELLS / ((int64_t)self->n * self->n + 1);
    for (int64_t k = 0; k < max_iterations && !run->finished; k++) {
        if (self->rounds == 0 && !self->in_round) {
            gm_swaps_load(&self->swaps, self->place);
            gm_run_offer(run, self->swaps.cost, self->swaps.at);
        }
        if (!self->in_round)
            next_round(self);
        tabu_step(self);
        run->iteration++;
        if (self->step - self->improved >= self->length)
            end_round(self);
        if (has_waited_long(self))
            run->finished = 1;
        gm_run_stop_when_closed(run);
        if (k % look == look - 1 && gm_clock() >= end)
            break;
    }
    return GM_OK;
}

void gm_qap_free(gm_run *run)
{
    search *self = (search *)run;
    gm_run_clear(run);
    gm_pool_free(&self->pool);
    free(self);
}
