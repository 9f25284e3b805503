/* Iterated local search for a quadratic assignment with sparse matrices.
 *
 * A trial forces one node to another label, lets the node that had it make its best swap, and so on
 * for a few links (an ejection chain, as Lin and Kernighan), then descends: every node near a
 * change makes its best swap as long as that gains. A trial that ends worse than it began is
 * undone. All of it is local, so a trial costs the same in a graph of any size. One iteration is
 * one trial.
 */
#include "base/random.h"
#include "base/run.h"
#include "base/watch.h"
#include "moves/policy.h"
#include "qap/align.h"
#include "qap/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    gm_run run;
    gm_pool pool;
    gm_random random;
    gm_aligned aligned;
    gm_align model;
    int32_t n, n_nodes;                 /* nodes with and without dummies */
    int32_t moves[ALIGN_MOST_MOVES][2]; /* swaps of this trial */
    int32_t n_moves;
    int32_t *queue;  /* a ring: nodes whose best swap may have changed */
    uint8_t *queued; /* per node */
    int32_t head, n_queued;
    int32_t *locked;     /* per node: the last trial whose chain moved it */
    int32_t trial;       /* number of the present one */
    int32_t descending;  /* the given matching, before the first trial */
    double *lowest;      /* per node: less than this it cannot pay */
    int64_t n_vain;      /* trials since the last better matching, */
    int64_t patience;    /* and how many end the run */
    double scale, slack; /* the unit of gains; by how much a trial may end worse */
} search;

static int is_fixed(const search *self, int32_t i)
{
    return self->model.fixed && i < self->n_nodes && self->model.fixed[i];
}

static void push(search *self, int32_t i)
{
    if (i >= self->n_nodes || self->queued[i] || is_fixed(self, i))
        return;
    self->queued[i] = 1;
    self->queue[(self->head + self->n_queued++) % self->n] = i;
}

static int32_t pop(search *self)
{
    const int32_t i = self->queue[self->head];
    self->head = (self->head + 1) % self->n;
    self->n_queued--;
    self->queued[i] = 0;
    return i;
}

/* Queues a node and all nodes whose payments depend on it. */
static void push_around(search *self, int32_t i)
{
    const gm_links *A = &self->model.A, *B = &self->model.B;
    push(self, i);
    if (i < A->n)
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
            push(self, A->other[e]);
    const int32_t t = self->aligned.at[i];
    if (t < B->n)
        for (int64_t f = B->start[t]; f < B->start[t + 1]; f++)
            push(self, self->aligned.of[B->other[f]]);
}

/* Swaps i and j, remembers that, and queues the nodes around them, as it was and as it is. */
static void make_swap(search *self, int32_t i, int32_t j)
{
    push_around(self, i);
    push_around(self, j);
    gm_aligned_swap(&self->aligned, i, j);
    self->moves[self->n_moves][0] = i;
    self->moves[self->n_moves++][1] = j;
    push_around(self, i);
    push_around(self, j);
}

/* The node whose swap with i is cheapest, among those neither fixed nor locked in this trial; -1 =
 * none. */
static int32_t best_swap(search *self, int32_t i, double *change)
{
    gm_aligned *aligned = &self->aligned;
    const int32_t n_touched = gm_aligned_price(aligned, i);
    int32_t best = -1;
    *change = INFINITY;
    for (int32_t k = 0; k < n_touched; k++) {
        const int32_t j = aligned->touched[k];
        if (aligned->at_node[j] < *change && self->locked[j] != self->trial && !is_fixed(self, j)) {
            *change = aligned->at_node[j];
            best = j;
        }
    }
    gm_aligned_forget(aligned, n_touched);
    return best;
}

static int gains(const search *self, double change)
{
    return change < -GM_GAIN_TOLERANCE * self->scale;
}

/* One step of the descent: the best swap of the next queued node, if it gains. */
static void descend_one(search *self)
{
    double change;
    const int32_t i = pop(self), j = best_swap(self, i, &change);
    if (j >= 0 && gains(self, change))
        make_swap(self, i, j);
}

static int could_pay_less(const search *self, int32_t i)
{
    return !is_fixed(self, i) &&
           self->aligned.own[i] > self->lowest[i] + GM_GAIN_TOLERANCE * self->scale;
}

enum { NODE_DRAWS = 30 };

/* A random node that is not fixed and could pay less, if a few draws find one; else any. */
static int32_t draw_node(search *self)
{
    int32_t i = gm_random_below(&self->random, self->n_nodes);
    for (int k = 0; k < NODE_DRAWS && !could_pay_less(self, i); k++)
        i = gm_random_below(&self->random, self->n_nodes);
    return i;
}

/* The other node of a random priced swap of i, the best of a few draws; -1 if all are infinite. */
static int32_t forced_swap(search *self, int32_t i, int32_t draws)
{
    gm_aligned *aligned = &self->aligned;
    const int32_t n_touched = gm_aligned_price(aligned, i);
    int32_t best = -1;
    double least = INFINITY;
    for (int32_t k = 0; k < draws; k++) {
        const int32_t j = aligned->touched[gm_random_below(&self->random, n_touched)];
        if (aligned->at_node[j] < least && !is_fixed(self, j)) {
            least = aligned->at_node[j];
            best = j;
        }
    }
    gm_aligned_forget(aligned, n_touched);
    return best;
}

static void undo(search *self)
{
    while (self->n_moves > 0) {
        self->n_moves--;
        gm_aligned_swap(&self->aligned, self->moves[self->n_moves][0],
                        self->moves[self->n_moves][1]);
    }
}

/* Forces a random node to another label, and lets the displaced one make its best swap, and so on
 * for a few links. Returns 0 if no swap is possible. */
static int eject(search *self, double before)
{
    int32_t i = draw_node(self);
    if (is_fixed(self, i))
        return 0;
    int32_t j = forced_swap(self, i, 1 + gm_random_below(&self->random, ALIGN_MOST_DRAWS));
    if (j < 0)
        return 0;
    int32_t n_links = gm_random_below(&self->random, ALIGN_MOST_LINKS);
    for (;;) {
        make_swap(self, i, j);
        self->locked[i] = self->trial;
        if (n_links-- <= 0 || j >= self->n_nodes || gains(self, self->aligned.cost - before))
            return 1;
        double change;
        i = j;
        j = best_swap(self, i, &change);
        if (j < 0 || change == INFINITY)
            return 1;
    }
}

/* One trial: an ejection chain, a descent, and back if the end is worse. */
static void attempt(search *self)
{
    gm_aligned *aligned = &self->aligned;
    const double before = aligned->cost;
    self->trial++;
    self->n_moves = 0;
    if (!eject(self, before))
        return;
    while (self->n_queued > 0) {
        if (self->n_moves < ALIGN_MOST_MOVES / 2)
            descend_one(self);
        else
            pop(self);
    }
    if (aligned->cost > before + GM_GAIN_TOLERANCE * self->scale &&
        aligned->cost > self->run.value + self->slack)
        undo(self);
}

/* The cost of an average edge of A on an average edge of B, both directions. */
static double edge_price(const gm_align *model)
{
    double mean[2];
    const gm_links *sides[2] = {&model->A, &model->B};
    for (int side = 0; side < 2; side++) {
        const int64_t count = sides[side]->start[sides[side]->n];
        double sum = 0.0;
        for (int64_t e = 0; e < count; e++)
            sum += fabs(sides[side]->out[e]);
        mean[side] = count > 0 ? sum / (double)count : 0.0;
    }
    if (model->overlap != 0.0)
        return 2.0 * fabs(model->overlap) * fmin(mean[0], mean[1]);
    return 2.0 * mean[0] * mean[1];
}

/* The least cost of every node, with all its links on the largest entry of B; scale: the most of
 * these. */
static void find_lowest(search *self)
{
    const gm_links *A = &self->model.A, *B = &self->model.B;
    double largest = 0.0;
    for (int64_t f = 0; f < B->start[B->n]; f++)
        largest = fmax(largest, fabs(B->out[f]));
    if (self->model.overlap != 0.0)
        largest = fabs(self->model.overlap); /* an arc costs its own weight at most */
    for (int32_t i = 0; i < A->n; i++) {
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
            self->lowest[i] -= (fabs(A->out[e]) + fabs(A->in[e])) * largest;
        self->scale = fmax(self->scale, -self->lowest[i]);
    }
}

gm_run *gm_align_new(const gm_align *model, const gm_align_options *options)
{
    search *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    const int32_t n = model->n;
    self->n = n;
    self->model = *model;
    self->n_nodes = model->A.n;
    self->random.state = options->seed;
    gm_aligned_take(&self->aligned, &self->pool, &self->model);
    GM_TAKE(&self->pool, n, self->queue);
    GM_TAKE(&self->pool, n, self->queued);
    GM_TAKE(&self->pool, n, self->locked);
    GM_TAKE(&self->pool, n, self->lowest);
    if (self->pool.failed || gm_run_init(&self->run, &(gm_model){.n1 = n}) != GM_OK) {
        gm_pool_free(&self->pool);
        free(self);
        return NULL;
    }
    self->run.bound = options->bound;
    self->run.tolerance = options->tolerance;
    self->patience = options->patience;
    find_lowest(self);
    self->slack = ALIGN_SLACK * edge_price(model);
    gm_aligned_load(&self->aligned, options->init);
    gm_run_offer(&self->run, self->aligned.cost, self->aligned.at);
    for (int32_t i = 0; i < self->n_nodes; i++)
        push(self, i);
    self->descending = 1;
    return &self->run;
}

/* Whether the present matching is better than the best. Before rounding errors could be as large as
 * a gain, the cost is summed again: accumulated errors would count as success again and again. */
static int is_new_best(search *self)
{
    gm_aligned *aligned = &self->aligned;
    if (!gains(self, aligned->cost - self->run.value))
        return 0;
    if (aligned->n_swaps > self->n)
        gm_aligned_load(aligned, aligned->at);
    return gains(self, aligned->cost - self->run.value);
}

enum { CLOCK_LINKS = 20000 }; /* touched between two looks at the clock */

int gm_align_step(gm_run *run, int64_t max_iterations, double seconds)
{
    search *self = (search *)run;
    const double deadline = gm_clock() + seconds;
    int64_t next_look = self->aligned.n_looked + CLOCK_LINKS;
    for (int64_t k = 0; k < max_iterations && !run->finished;) {
        if (self->descending) {
            self->n_moves = 0; /* the first descent is never undone */
            if (self->n_queued > 0)
                descend_one(self);
            self->descending = self->n_queued > 0;
        } else {
            attempt(self);
            k++;
            run->iteration++;
            self->n_vain++;
        }
        if (is_new_best(self)) {
            gm_run_offer(run, self->aligned.cost, self->aligned.at);
            self->n_vain = 0;
        }
        if (self->n_vain > self->patience)
            run->finished = 1;
        gm_run_stop_when_closed(run);
        if (self->aligned.n_looked >= next_look) {
            if (gm_is_late(deadline))
                break;
            next_look = self->aligned.n_looked + CLOCK_LINKS;
        }
    }
    return GM_OK;
}

void gm_align_free(gm_run *run)
{
    search *self = (search *)run;
    gm_run_clear(run);
    gm_pool_free(&self->pool);
    free(self);
}
