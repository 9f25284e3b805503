/* The exact method: ascent, bound, fixing and branching, one small unit of work after the other.
 *
 * A stack of frames holds the path from the root to the current subproblem (depth first). Every
 * deletion and every pruned subproblem is justified against the cutoff, a little below the best
 * known value: whatever is thrown away costs at least the cutoff. The bound is therefore the
 * smaller of the cutoff and the least bound of what is still open. Decisions depend on iteration
 * counts only, never on the clock. Unlike the other kernels this one allocates in step: each
 * rebuilt problem is smaller than the one it replaces, except when it is lifted to full tables.
 */
#include "aj.h"
#include "bca.h"
#include "moves.h"
#include "primal.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GAP = 0.5e-6;        /* relative; half of what counts as proven */
static const double GRAIN_SLACK = 5e-3;  /* of the grain; far above the rounding of 2^40 grains */
static const double SHRINK = 0.9;        /* rebuild when a tenth is gone */
static const double CASCADE = 0.7;       /* and evaluate at once when much is gone */
static const int CHECK_EVERY = 10;       /* steps between two looks at the restart rules */
static const double FIRST_INTERVAL = 30.0, INTERVAL_GROWTH = 1.3, LAST_INTERVAL = 400.0; /* steps between evaluations */

/* An evaluation stalls when it gains less than this part of the gap; so many in a row: lift or branch. */
static const double PROGRESS = 0.15, ROOT_PROGRESS = 0.03, CHILD_PROGRESS = 0.2; /* liftable, root, below */
static const int ROOT_STALLED = 3, CHILD_STALLED = 2, CONVERGED = 20;            /* converged: without branching */
static const int64_t SETTLED = 30; /* steps before the first may count */

static const int64_t LIFT_AT_ONCE = 20000;   /* entries: a stalled problem is lifted before branching */
static const int64_t LIFT_AFTER = 500000000; /* entries of all steps: branching without full tables gives up */
static const double SHARE = 0.4;             /* how far a fractional node's share of the bound counts in branching */
static const int FIRST_PROPOSALS = 10;       /* fusion moves before anything else */
static const double PRIMAL_SHARE = 0.2;      /* work on fusion moves per unit of work on the ascent */
static const double ENTRY_WORK = 5.0;        /* nanoseconds per entry and step, on the scale of gm_primal_work */
static const int32_t QPBO_PATIENCE = 5;
static const int MOST_SWEEPS = 60, SWEEP_WINDOW = 5; /* block-coordinate start: stops when a window of sweeps */
static const double SWEEP_PROGRESS = 0.1;            /* gains less than this part of the gap */

enum phase { EVALUATE, ASCEND, BRANCH };

typedef struct frame {
    aj_problem *problem;
    aj_pdhg *pdhg;
    double lower; /* bound on what this frame still holds */
    double last;  /* value of the previous evaluation */
    enum phase phase;
    int stalled, lifted;
    double interval;
    int64_t due; /* step count of the next evaluation */
    int32_t n_children, next_child;
    int32_t *child; /* candidates of the branching node, most promising first */
    double *child_lower;
} frame;

typedef struct aj_search {
    gm_run run;
    gm_index *index;
    gm_moves moves;
    gm_primal fusion;
    gm_bca *bca; /* only at the start, where all links are full tables */
    int sweeps;
    double window_bound;
    int64_t n_proposals;
    double credit; /* work that fusion moves may still do */
    aj_bound *bound;
    uint8_t *candidates, *entries; /* masks */
    int32_t room_n, room_mu, room_nu;
    int64_t room_m;
    int32_t *slots, *labels, *picks; /* n1 each */
    frame *frames;
    int32_t depth;
    double scale, offset;
    double grain; /* all costs are multiples of it; 0 = unknown */
    double cutoff; /* scaled */
    double cutoff_value; /* the value that it belongs to */
    int branch, fix, certify;
    int whole; /* the root is still the whole problem */
    aj_certificate *certificate;
    int64_t lift_limit;
    int64_t entries_done; /* by all steps so far: the work, whatever the clock says */
    gm_pool pool;
} aj_search;

/* ---- incumbent and bound */

/* Bound on the rounding error in the cost of a matching. */
static double cost_error(const gm_index *index, const int32_t *slots)
{
    double magnitude = 0.0, terms = 0.0;
    for (int32_t i = 0; i < index->n1; i++) {
        if (slots[i] < 0)
            continue;
        magnitude += fabs(index->slot_cost[slots[i]]);
        terms += 1.0;
        for (int64_t k = index->adjacent_start[slots[i]]; k < index->adjacent_start[slots[i] + 1]; k++) {
            const int32_t q = index->adjacent_slot[k];
            if (slots[index->slot_node[q]] == q) {
                magnitude += fabs(index->adjacent_cost[k]);
                terms += 1.0;
            }
        }
    }
    return AJ_EPS * terms * magnitude;
}

/* The cutoff of the best matching: integers leave nothing between value - grain and value; else the
 * gap counts, and never less than the value's own error. */
static void update_cutoff(aj_search *S)
{
    if (S->run.value == S->cutoff_value)
        return;
    S->cutoff_value = S->run.value;
    for (int32_t i = 0; i < S->run.n1; i++)
        S->picks[i] = gm_index_slot(S->index, i, S->run.labels[i]);
    const double below = S->grain > 0.0 ? S->grain * (1.0 - 2.0 * GRAIN_SLACK)
                                        : fmax(GAP * fabs(S->run.value + S->offset), cost_error(S->index, S->picks));
    S->cutoff = (S->run.value - below) * S->scale;
}

/* Takes a matching over if it is better. */
static void offer(aj_search *S, const int32_t *slots)
{
    for (int32_t i = 0; i < S->run.n1; i++)
        S->labels[i] = slots[i] >= 0 ? S->index->slot_label[slots[i]] : -1;
    gm_run_offer(&S->run, gm_index_cost(S->index, slots, S->fusion.chosen), S->labels);
}

/* Improves the matching in S->slots and fuses it into the incumbent. Each stage is offered by itself: a
 * subproblem counts as solved once its matching was seen, whatever local search and fusion make of it. */
static void polish(aj_search *S)
{
    offer(S, S->slots);
    gm_moves_descend(&S->moves, S->slots, S->fusion.proposal);
    offer(S, S->fusion.proposal);
    gm_primal_fuse(&S->fusion, &S->run);
    update_cutoff(S);
}

/* One fusion move, on the costs of the block-coordinate start by turns while that lasts. */
static int propose(aj_search *S)
{
    gm_reparametrisation costs = {.unary = S->index->slot_cost};
    if (S->bca && S->sweeps > 0 && S->n_proposals & 1)
        costs = gm_bca_costs(S->bca);
    const int status = gm_primal_propose(&S->fusion, &costs, &S->run);
    S->run.iteration++;
    update_cutoff(S);
    return status;
}

static void raise_bound(aj_search *S)
{
    double lower = S->cutoff;
    for (int32_t d = 0; d < S->depth; d++) {
        const frame *F = &S->frames[d];
        if (F->phase != BRANCH)
            lower = fmin(lower, F->lower);
        else if (F->next_child < F->n_children)
            lower = fmin(lower, F->child_lower[F->next_child]);
    }
    double bound = lower / S->scale;
    if (S->grain > 0.0)
        bound = fmin(ceil(bound / S->grain - GRAIN_SLACK) * S->grain, S->run.value);
    if (isfinite(bound))
        gm_run_raise(&S->run, bound);
}

/* Slots of the matching that takes pick[i] in every undecided node i. */
static void collect(aj_search *S, const aj_problem *P, const int32_t *pick)
{
    for (int32_t i = 0; i < S->index->n1; i++)
        S->slots[i] = -1;
    for (int32_t k = 0; k < P->n_chosen; k++)
        S->slots[S->index->slot_node[P->chosen[k]]] = P->chosen[k];
    for (int32_t i = 0; i < P->n_nodes; i++) {
        const int32_t slot = P->origin[pick[i]];
        if (slot >= 0)
            S->slots[S->index->slot_node[slot]] = slot;
    }
}

/* The master LAP's matching; at the root also x, rounded. */
static void try_matchings(aj_search *S, const frame *F)
{
    const aj_problem *P = F->problem;
    const int root = S->depth == 1;
    collect(S, P, S->bound->match);
    /* below the root only what is not far off: local search costs as much as a few steps */
    if (root || gm_index_cost(S->index, S->slots, S->fusion.chosen) <= 2.0 * S->run.value - F->lower / S->scale)
        polish(S);
    if (!root || F->pdhg->total == 0)
        return;
    for (int32_t p = 0; p < P->n; p++) /* forced is free until aj_bound_force */
        S->bound->forced[p] = -F->pdhg->xt[p];
    if (gm_lap_solve(P->lap, S->bound->forced, 1, 0) != GM_OK)
        return;
    for (int32_t i = 0; i < P->n_nodes; i++)
        S->picks[i] = (int32_t)gm_lap_entry(P->lap)[i];
    collect(S, P, S->picks);
    polish(S);
}

/* ---- frames */

static void close_frame(aj_search *S)
{
    frame *F = &S->frames[--S->depth];
    aj_problem_free(F->problem);
    aj_pdhg_free(F->pdhg);
    free(F->child);
    free(F->child_lower);
    memset(F, 0, sizeof *F);
}

/* Scratch for this problem and all that it had room for before: the frames below still need it. */
static int grow_scratch(aj_search *S, const aj_problem *P)
{
    S->room_n = P->n > S->room_n ? P->n : S->room_n;
    S->room_m = P->m > S->room_m ? P->m : S->room_m;
    S->room_mu = P->n_mu > S->room_mu ? P->n_mu : S->room_mu;
    S->room_nu = P->n_nu > S->room_nu ? P->n_nu : S->room_nu;
    aj_bound_free(S->bound);
    free(S->candidates);
    free(S->entries);
    S->bound = aj_bound_new(S->index->n1, P->n_labels, S->room_n, S->room_m, S->room_mu, S->room_nu);
    S->candidates = malloc((size_t)S->room_n + 1);
    S->entries = malloc((size_t)S->room_m + 1);
    return S->bound && S->candidates && S->entries ? GM_OK : GM_ENOMEM;
}

static void fill_masks(aj_search *S, const aj_problem *P)
{
    memset(S->candidates, 1, (size_t)P->n);
    memset(S->entries, 1, (size_t)P->m);
}

/* Puts what the masks left of `from` into frame F (which may be from's own). Returns 1, 0 when
 * nothing is left to search, or a negative status. */
static int reduce_into(aj_search *S, frame *F, const aj_problem *from, const aj_pdhg *warm)
{
    int32_t *candidate_map = NULL;
    int64_t *entry_map = NULL;
    int status = aj_propagate(from, S->candidates, S->entries);
    if (status != 1)
        return status;
    aj_problem *problem = aj_problem_shrink(from, S->candidates, S->entries, &candidate_map, &entry_map);
    aj_pdhg *pdhg = problem ? aj_pdhg_new(problem) : NULL;
    status = pdhg ? 1 : GM_ENOMEM;
    if (status == 1 && problem->n_nodes == 0) { /* everything is decided */
        collect(S, problem, NULL);
        polish(S);
        status = 0;
    }
    if (status == 1) {
        if (warm)
            aj_pdhg_transfer(pdhg, warm, candidate_map, entry_map);
        aj_problem_free(F->problem);
        aj_pdhg_free(F->pdhg);
        F->problem = problem;
        F->pdhg = pdhg;
    } else {
        aj_problem_free(problem);
        aj_pdhg_free(pdhg);
    }
    free(candidate_map);
    free(entry_map);
    return status;
}

/* All links of the frame become full tables. */
static int lift(aj_search *S, frame *F)
{
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_lift(F->problem, 1, &entry_map);
    aj_pdhg *pdhg = problem ? aj_pdhg_new(problem) : NULL;
    int status = pdhg ? GM_OK : GM_ENOMEM;
    F->lifted = 1;
    F->stalled = 0;
    if (status == GM_OK) {
        aj_pdhg_transfer(pdhg, F->pdhg, NULL, entry_map);
        pdhg->total = F->pdhg->total;
        aj_problem_free(F->problem);
        aj_pdhg_free(F->pdhg);
        F->problem = problem;
        F->pdhg = pdhg;
        status = grow_scratch(S, problem);
    } else {
        aj_problem_free(problem);
    }
    free(entry_map);
    return status;
}

/* Branching has taken long: throw the tree away and start again from a tighter root. */
static int lift_root(aj_search *S)
{
    frame *root = &S->frames[0];
    if (aj_problem_lifted_entries(root->problem, 1) > S->lift_limit) {
        root->lifted = 1;
        return GM_OK;
    }
    while (S->depth > 1)
        close_frame(S);
    free(root->child);
    free(root->child_lower);
    root->child = NULL;
    root->child_lower = NULL;
    root->phase = EVALUATE;
    return lift(S, root);
}

/* ---- branching */

typedef struct ranked {
    double lower;
    int32_t candidate;
} ranked;

static int by_lower(const void *x, const void *y)
{
    const ranked *p = x, *q = y;
    return p->lower != q->lower ? (p->lower > q->lower) - (p->lower < q->lower) : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

/* Opens the children of the node whose candidates promise the smallest trees: exp(-3 increase / gap)
 * each, where the increase is what forcing proves plus a guess: a candidate far from x_p = 1 will
 * cost some of what its node contributes. */
static int choose_branch(aj_search *S, frame *F)
{
    const aj_problem *P = F->problem;
    const aj_bound *B = S->bound;
    const double gap = S->cutoff - B->value;
    double least = INFINITY;
    int32_t node = 0;
    for (int32_t i = 0; i < P->n_nodes; i++) {
        double weight = 0.0;
        const double share = SHARE * fabs(B->master[B->match[i]]);
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            if (B->forced[p] < gap)
                weight += exp(-3.0 * (B->forced[p] + share * (1.0 - F->pdhg->xt[p])) / gap);
        if (weight < least) {
            least = weight;
            node = i;
        }
    }
    const int32_t first = P->node_start[node], n = P->node_start[node + 1] - first;
    ranked *order = malloc(sizeof *order * (size_t)n);
    F->child = malloc(sizeof *F->child * (size_t)n);
    F->child_lower = malloc(sizeof *F->child_lower * (size_t)n);
    const int status = order && F->child && F->child_lower ? GM_OK : GM_ENOMEM;
    if (status == GM_OK) {
        for (int32_t k = 0; k < n; k++) {
            order[k].candidate = first + k;
            order[k].lower = fmax(F->lower, B->value + B->forced[first + k]);
        }
        qsort(order, (size_t)n, sizeof *order, by_lower);
        for (int32_t k = 0; k < n; k++) {
            F->child[k] = order[k].candidate;
            F->child_lower[k] = order[k].lower;
        }
        F->n_children = n;
        F->next_child = 0;
        F->phase = BRANCH;
    }
    free(order);
    return status;
}

static int next_child(aj_search *S, frame *F)
{
    if (F->next_child >= F->n_children || F->child_lower[F->next_child] >= S->cutoff) { /* sorted: the rest is no better */
        close_frame(S);
        raise_bound(S);
        return GM_OK;
    }
    const aj_problem *P = F->problem;
    const double lower = F->child_lower[F->next_child];
    const int32_t p = F->child[F->next_child++];
    S->run.iteration++;
    fill_masks(S, P);
    memset(S->candidates + P->node_start[P->node[p]], 0, (size_t)(P->node_start[P->node[p] + 1] - P->node_start[P->node[p]]));
    S->candidates[p] = 1;
    frame *child = &S->frames[S->depth];
    const int status = reduce_into(S, child, P, F->pdhg);
    if (status == 1) {
        child->lower = lower;
        child->lifted = F->lifted;
        child->phase = EVALUATE;
        child->interval = FIRST_INTERVAL;
        S->depth++;
    }
    raise_bound(S);
    return status < 0 ? status : GM_OK;
}

/* ---- one unit of work */

static int evaluate(aj_search *S, frame *F)
{
    aj_bound *B = S->bound;
    const aj_problem *P = F->problem;
    S->run.iteration++;
    aj_bound_evaluate(B, P, F->pdhg->wt);
    if (B->value == INFINITY) {
        close_frame(S);
        raise_bound(S);
        return GM_OK;
    }
    if (S->certify && S->whole && S->depth == 1 && (!S->certificate || B->value > S->certificate->value)) {
        aj_certificate_free(S->certificate);
        S->certificate = aj_certificate_new(S->index, P, B, F->pdhg->wt, S->scale);
        if (!S->certificate)
            return GM_ENOMEM;
    }
    const double before = F->lower;
    const int stalled = S->depth == 1 ? ROOT_STALLED : CHILD_STALLED;
    F->lower = fmax(F->lower, B->value);
    if (F->lower < S->cutoff) {
        try_matchings(S, F);
    }
    raise_bound(S);
    if (F->lower >= S->cutoff) {
        close_frame(S);
        raise_bound(S);
        return GM_OK;
    }
    const double gap = S->cutoff - B->value, value = B->value;
    aj_bound_force(B, P, gap);
    fill_masks(S, P);
    int status = 1, fresh = 1; /* fresh: the reduced costs belong to the present problem */
    if (S->fix && aj_fix(B, P, S->cutoff, S->candidates, S->entries) > 0) {
        status = aj_propagate(P, S->candidates, S->entries);
        int64_t n = 0, m = 0;
        for (int32_t p = 0; p < P->n; p++)
            n += S->candidates[p];
        for (int64_t e = 0; e < P->m; e++)
            m += S->entries[e];
        const double share = fmin((double)n / (double)P->n, P->m > 0 ? (double)m / (double)P->m : 1.0);
        if (status == 1 && share < (F->stalled >= stalled ? 1.0 : SHRINK)) {
            const int64_t total = F->pdhg->total;
            status = reduce_into(S, F, P, F->pdhg);
            fresh = S->whole = 0;
            if (status == 1) {
                F->pdhg->total = total;
                if (share < CASCADE || F->stalled >= stalled)
                    return GM_OK; /* evaluate again at once: reduced costs of before the shrinking are stale */
            }
        }
    }
    if (status < 0)
        return status;
    if (status == 0) {
        close_frame(S);
        raise_bound(S);
        return GM_OK;
    }
    const double gain = fmax(F->lower - before, value - F->last); /* a fixed node upsets the duals: climbing back is progress, too */
    F->last = value;
    const double progress = !F->lifted ? PROGRESS : S->depth == 1 ? ROOT_PROGRESS : CHILD_PROGRESS;
    if (F->pdhg->total >= SETTLED && gain < progress * (S->cutoff - before))
        F->stalled++;
    else if (F->stalled < stalled)
        F->stalled = 0;
    if (F->stalled >= stalled && !F->lifted) {
        const int64_t entries = aj_problem_lifted_entries(F->problem, 1);
        if (entries <= LIFT_AT_ONCE && entries <= S->lift_limit)
            return lift(S, F);
    }
    if (F->stalled >= stalled && S->branch && fresh)
        return choose_branch(S, F);
    if (F->stalled >= CONVERGED) {
        S->run.finished = GM_CONVERGED;
        return GM_OK;
    }
    F->phase = ASCEND;
    F->due = F->pdhg->total + (int64_t)F->interval;
    F->interval = fmin(F->interval * INTERVAL_GROWTH, LAST_INTERVAL);
    return GM_OK;
}

/* One sweep of block-coordinate ascent; its messages are where the root's ascent starts. */
static int sweep(aj_search *S)
{
    frame *root = &S->frames[0];
    const int status = gm_bca_iterate(S->bca);
    if (status != GM_OK)
        return status;
    const double bound = gm_bca_bound(S->bca) * S->scale;
    S->run.iteration++;
    S->sweeps++;
    S->credit += PRIMAL_SHARE * gm_bca_work(S->bca);
    root->lower = fmax(root->lower, bound);
    raise_bound(S);
    int done = root->lower >= S->cutoff || S->sweeps == MOST_SWEEPS;
    if (S->sweeps % SWEEP_WINDOW == 0) {
        done |= bound - S->window_bound < SWEEP_PROGRESS * (S->cutoff - bound);
        S->window_bound = bound;
    }
    if (done) {
        const gm_reparametrisation costs = gm_bca_costs(S->bca);
        aj_pdhg_set_messages(root->pdhg, S->index, &costs, S->scale);
        gm_bca_free(S->bca);
        S->bca = NULL;
    }
    return GM_OK;
}

static int work(aj_search *S)
{
    if (S->depth > 0 && (S->n_proposals < FIRST_PROPOSALS || S->credit > 0.0)) {
        S->credit -= S->n_proposals < FIRST_PROPOSALS ? 0.0 : gm_primal_work(&S->fusion);
        S->n_proposals++;
        return propose(S);
    }
    if (S->depth > 0 && S->bca)
        return sweep(S);
    if (S->depth == 0) {
        if (S->run.value == INFINITY)
            return GM_EINFEASIBLE;
        raise_bound(S);
        S->run.finished = GM_OPTIMAL;
        return GM_OK;
    }
    if (S->entries_done > LIFT_AFTER && !S->frames[0].lifted && S->depth > 1)
        return lift_root(S);
    frame *F = &S->frames[S->depth - 1];
    if (F->phase == EVALUATE)
        return evaluate(S, F);
    if (F->phase == BRANCH)
        return next_child(S, F);
    const int last = F->pdhg->total + 1 >= F->due;
    aj_pdhg_step(F->pdhg, last || (F->pdhg->k + 1) % CHECK_EVERY == 0);
    S->run.iteration++;
    S->entries_done += F->problem->m;
    S->credit += PRIMAL_SHARE * ENTRY_WORK * (double)F->problem->m;
    if (last)
        F->phase = EVALUATE;
    return GM_OK;
}

/* ---- the kernel */

/* The greatest number that divides all costs, or 0 where they are no integers (or sums might not be exact). */
static double common_grain(const gm_index *index)
{
    int64_t grain = 0;
    double total = 0.0;
    for (int64_t k = 0; k < index->n_slots + index->n_entries; k++) {
        const double cost = k < index->n_slots ? index->slot_cost[k] : index->entry_cost[k - index->n_slots];
        total += fabs(cost);
        if (cost != floor(cost) || total > 0x1p40)
            return 0.0;
        int64_t x = (int64_t)fabs(cost), y = grain;
        while (y) {
            const int64_t rest = x % y;
            x = y;
            y = rest;
        }
        grain = x;
    }
    return (double)grain;
}

/* A power of two that brings the largest pair cost (or cost) to about 1. */
static double scale_of(const gm_index *index)
{
    double largest = 0.0;
    for (int64_t k = 0; k < index->n_entries; k++)
        largest = fmax(largest, fabs(index->entry_cost[k]));
    for (int32_t p = 0; p < index->n_slots && index->n_entries == 0; p++)
        largest = fmax(largest, fabs(index->slot_cost[p]));
    int exponent = 0;
    if (largest > 0.0)
        frexp(largest, &exponent);
    return ldexp(1.0, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
}

gm_run *gm_aj_new(const gm_model *model, const gm_aj_options *options)
{
    aj_search *S = calloc(1, sizeof *S);
    if (!S)
        return NULL;
    int status = gm_run_init(&S->run, model->n1);
    S->branch = options->branch;
    S->fix = options->fix;
    S->certify = options->certify;
    S->whole = 1;
    S->lift_limit = options->lift_limit;
    S->offset = options->offset;
    S->cutoff = S->cutoff_value = INFINITY;
    S->index = gm_index_new(model);
    GM_TAKE(&S->pool, model->n1, S->slots);
    GM_TAKE(&S->pool, model->n1, S->labels);
    GM_TAKE(&S->pool, model->n1, S->picks);
    GM_TAKE(&S->pool, model->n1 + 1, S->frames);
    if (status == GM_OK && S->index && !S->pool.failed) {
        S->scale = scale_of(S->index);
        S->grain = common_grain(S->index);
        gm_moves_take(&S->moves, &S->pool, S->index);
        gm_primal_take(&S->fusion, &S->pool, S->index, (uint64_t)options->seed, QPBO_PATIENCE);
        aj_problem *problem = aj_problem_new(S->index, S->scale);
        status = problem && !S->pool.failed ? grow_scratch(S, problem) : GM_ENOMEM;
        if (status == GM_OK && options->init) {
            for (int32_t i = 0; i < model->n1; i++)
                S->slots[i] = gm_index_slot(S->index, i, options->init[i]);
            polish(S);
        }
        if (status == GM_OK) {
            fill_masks(S, problem);
            status = reduce_into(S, &S->frames[0], problem, NULL);
            S->depth = status == 1;
            S->frames[0].lower = -INFINITY;
            S->frames[0].interval = FIRST_INTERVAL;
            S->frames[0].lifted = aj_problem_lifted_entries(problem, 1) == problem->m;
            S->window_bound = -INFINITY;
            if (S->depth == 1 && S->frames[0].lifted && problem->m > 0) {
                S->bca = gm_bca_new(S->index);
                status = S->bca ? GM_OK : GM_ENOMEM;
            }
        }
        aj_problem_free(problem);
    } else {
        status = GM_ENOMEM;
    }
    if (status < 0) {
        gm_aj_free(&S->run);
        return NULL;
    }
    return &S->run;
}

int gm_aj_step(gm_run *run, int64_t max_iterations, double seconds)
{
    aj_search *S = (aj_search *)run;
    const int64_t last = run->iteration > INT64_MAX - max_iterations ? INT64_MAX : run->iteration + max_iterations;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    do
        status = work(S);
    while (status == GM_OK && !run->finished && run->iteration < last && gm_clock() < deadline);
    return status;
}

void gm_aj_free(gm_run *run)
{
    aj_search *S = (aj_search *)run;
    if (!S)
        return;
    while (S->depth > 0)
        close_frame(S);
    aj_bound_free(S->bound);
    free(S->candidates);
    free(S->entries);
    aj_certificate_free(S->certificate);
    gm_bca_free(S->bca);
    gm_index_free(S->index);
    gm_pool_free(&S->pool);
    gm_run_clear(run);
    free(S);
}

void gm_aj_certificate(const gm_run *run, gm_aj_proof *proof)
{
    const aj_search *S = (const aj_search *)run;
    const aj_certificate *C = S->certificate;
    memset(proof, 0, sizeof *proof);
    if (!C)
        return;
    proof->n_pairs = C->n_pairs;
    proof->a = C->a;
    proof->b = C->b;
    proof->split = C->split;
    proof->n_stars = C->n_stars;
    proof->star = C->star;
    proof->star_label = C->star_label;
    proof->star_dual = C->star_dual;
    proof->n_labels = S->index->n2;
    proof->label_dual = C->label_dual;
}
