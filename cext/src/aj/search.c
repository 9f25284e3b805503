/* The proof: ascent, bound, fixing and branching, one small unit of work after the other. */
#include "aj/search.h"
#include "aj/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHRINK = 0.9;  /* rebuild when a tenth is gone */
static const double CASCADE = 0.7; /* and evaluate at once when much is gone */
static const int CHECK_EVERY = 10; /* steps between two looks at the restart rules */
static const double INTERVAL_GROWTH = 1.3, LAST_INTERVAL = 400.0; /* steps between evaluations */

/* An evaluation stalls when it gains less than this part of the gap; so many in a row: lift or
 * branch. */
static const double PROGRESS = 0.15, ROOT_PROGRESS = 0.03,
                    CHILD_PROGRESS = 0.2; /* liftable, root, below */
static const int ROOT_STALLED = 3, CHILD_STALLED = 2,
                 CONVERGED = 20;   /* converged: without branching */
static const int64_t SETTLED = 30; /* steps before the first may count */

static const int64_t LIFT_AT_ONCE =
    20000; /* entries: a stalled problem is lifted before branching */
static const int64_t LIFT_AFTER =
    500000000; /* entries of all steps: branching without full tables gives up */
static const double ROOT_WORK = 300.0, STEP_WORK = 12.0,
                    EVALUATION_WORK = 100.0; /* nanoseconds per entry */
static const double SHARE =
    0.4; /* how far a fractional node's share of the bound counts in branching */
static const int MOST_SWEEPS = 60,
                 SWEEP_WINDOW = 5; /* block-coordinate start: stops when a window of sweeps */
static const double SWEEP_PROGRESS = 0.2; /* gains less than this part of the gap; */
static const int MOST_EARLY =
    150; /* later where the root is still to come, which may take longer than there is time */
static const double EARLY_PROGRESS = 0.02;

/* Tells a bound that was proven, given as scaled: integers lift it to the next one. */
static void raise_to(aj_search *S, double lower)
{
    double bound = lower / S->scale;
    if (S->grain > 0.0)
        bound = ceil(bound / S->grain - AJ_GRAIN_SLACK) * S->grain - S->grain_error;
    bound = fmin(bound, S->run.value);
    if (isfinite(bound))
        gm_run_raise(&S->run, bound);
}

void aj_search_raise(aj_search *S)
{
    double lower = S->cutoff;
    for (int32_t d = 0; d < S->depth; d++) {
        const aj_frame *F = &S->frames[d];
        if (F->phase != BRANCH)
            lower = fmin(lower, F->lower);
        else if (F->next_child < F->n_children)
            lower = fmin(lower, F->child_lower[F->next_child]);
    }
    raise_to(S, lower);
}

/* Branching has taken long: throw the tree away and start again from a tighter root. */
static int lift_root(aj_search *S)
{
    aj_frame *root = &S->frames[0];
    if (aj_problem_lifted_entries(root->problem, AJ_LINKED) > S->lift_limit) {
        root->lifted = 1;
        return GM_OK;
    }
    while (S->depth > 1)
        aj_search_close_frame(S);
    free(root->child);
    free(root->child_lower);
    root->child = NULL;
    root->child_lower = NULL;
    root->phase = EVALUATE;
    return aj_frame_lift(S, root);
}

/* ---- branching */

typedef struct ranked {
    double lower;
    int32_t candidate;
} ranked;

static int by_lower(const void *x, const void *y)
{
    const ranked *p = x, *q = y;
    return p->lower != q->lower ? (p->lower > q->lower) - (p->lower < q->lower)
                                : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

static int know_twins(aj_search *S)
{
    if (S->twins)
        return GM_OK;
    S->twins = aj_twins_new(S->index);
    if (S->twins)
        GM_TAKE(&S->pool, S->twins->n_label_classes + 1, S->class_seen);
    return S->twins && !S->pool.failed ? GM_OK : GM_ENOMEM;
}

/* The class of a candidate's label, see twins.h. */
static int32_t class_of(const aj_search *S, const aj_problem *P, int32_t p)
{
    return P->origin[p] < 0 ? S->twins->n_label_classes : S->twins->label_class[P->label[p]];
}

/* The node of the model that a node of a subproblem is. */
static int32_t model_node(const aj_search *S, const aj_problem *P, int32_t node)
{
    const int32_t p = P->node_start[node];
    return P->origin[p] < 0 ? P->label[p] - S->index->n2 : S->index->slot_node[P->origin[p]];
}

/* Whether an earlier candidate of the round has a twin of this one's label; rounds are counted from
 * 1. */
static int has_twin(aj_search *S, const aj_problem *P, int32_t p, int32_t round)
{
    const int32_t class = class_of(S, P, p);
    const int seen = S->class_seen[class] == round;
    S->class_seen[class] = round;
    return seen;
}

/* Deletes what a decision excludes from the twins of its node: (C) in twins.h. */
static void sort_twins(aj_search *S, const aj_problem *P, int32_t decided)
{
    const int32_t i = model_node(S, P, P->node[decided]), class = class_of(S, P, decided);
    for (int32_t node = 0; node < P->n_nodes; node++) {
        const int32_t j = model_node(S, P, node);
        if (j == i || S->twins->node_class[j] != S->twins->node_class[i])
            continue;
        for (int32_t q = P->node_start[node]; q < P->node_start[node + 1]; q++) {
            const int32_t other = class_of(S, P, q);
            if (i < j ? other < class : other > class)
                S->candidates[q] = 0;
        }
    }
}

/* Opens the children of the node whose candidates promise the smallest trees: exp(-3 increase /
 * gap) each, where the increase is what forcing proves plus a guess: a candidate far from x_p = 1
 * will cost some of what its node contributes. */
static int choose_branch(aj_search *S, aj_frame *F)
{
    const aj_problem *P = F->problem;
    const aj_bound *B = S->bound;
    const double gap = S->cutoff - B->value;
    double least = INFINITY;
    int32_t node = 0;
    if (know_twins(S) != GM_OK)
        return GM_ENOMEM;
    memset(S->class_seen, 0, sizeof *S->class_seen * ((size_t)S->twins->n_label_classes + 1));
    for (int32_t i = 0; i < P->n_nodes; i++) {
        double weight = 0.0;
        const double share = SHARE * fabs(B->master[B->match[i]]);
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            if (B->forced[p] < gap && !has_twin(S, P, p, i + 1))
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
        F->n_children = 0;
        for (int32_t k = 0; k < n; k++)
            if (!has_twin(S, P, order[k].candidate, P->n_nodes + 1)) {
                F->child[F->n_children] = aj_frame_key(S, P, order[k].candidate);
                F->child_lower[F->n_children++] = order[k].lower;
            }
        F->next_child = 0;
        F->phase = BRANCH;
    }
    free(order);
    return status;
}

static int next_child(aj_search *S, aj_frame *F)
{
    if (F->next_child >= F->n_children ||
        F->child_lower[F->next_child] >= S->cutoff) { /* sorted: the rest is no better */
        aj_search_close_frame(S);
        aj_search_raise(S);
        return GM_OK;
    }
    const int restored = F->problem ? 1 : aj_frame_restore(S, S->depth - 1);
    if (restored != 1) {
        if (restored == 0)
            aj_search_close_frame(S);
        return restored < 0 ? restored : GM_OK;
    }
    const aj_problem *P = F->problem;
    const double lower = F->child_lower[F->next_child];
    const int32_t p = aj_frame_find(S, P, F->child[F->next_child++]);
    S->run.iteration++;
    if (p < 0) { /* only a restored problem may have lost it: no matching is left that takes it */
        aj_search_raise(S);
        return GM_OK;
    }
    aj_search_fill_masks(S, P);
    memset(S->candidates + P->node_start[P->node[p]], 0,
           (size_t)(P->node_start[P->node[p] + 1] - P->node_start[P->node[p]]));
    S->candidates[p] = 1;
    sort_twins(S, P, p);
    aj_frame *child = &S->frames[S->depth];
    const int status = aj_frame_reduce(S, child, P, F->pdhg);
    if (status == 1) {
        child->lower = lower;
        child->lifted = F->lifted;
        child->phase = EVALUATE;
        child->interval = AJ_FIRST_INTERVAL;
        S->depth++;
        aj_frames_put_aside(S);
    }
    aj_search_raise(S);
    return status < 0 ? status : GM_OK;
}

/* ---- one unit of work */

static int evaluate(aj_search *S, aj_frame *F)
{
    aj_bound *B = S->bound;
    const aj_problem *P = F->problem;
    S->run.iteration++;
    S->work += EVALUATION_WORK * (double)P->m;
    aj_bound_evaluate(B, P, F->pdhg->wt);
    if (B->value == INFINITY) {
        aj_search_close_frame(S);
        aj_search_raise(S);
        return GM_OK;
    }
    if (S->certify && S->whole && S->depth == 1 &&
        (!S->certificate || B->value > S->certificate->value)) {
        aj_certificate_free(S->certificate);
        S->certificate = aj_certificate_new(S->index, P, B, F->pdhg->wt, S->scale);
        if (!S->certificate)
            return GM_ENOMEM;
    }
    const double before = F->lower;
    const int stalled = S->depth == 1 ? ROOT_STALLED : CHILD_STALLED;
    F->lower = fmax(F->lower, B->value);
    if (F->lower < S->cutoff) {
        aj_try_matchings(S, F);
    }
    aj_search_raise(S);
    if (F->lower >= S->cutoff) {
        aj_search_close_frame(S);
        aj_search_raise(S);
        return GM_OK;
    }
    const double gap = S->cutoff - B->value, value = B->value;
    aj_bound_force(B, P, gap);
    aj_search_fill_masks(S, P);
    int status = 1, fresh = 1; /* fresh: the reduced costs belong to the present problem */
    if (S->fix && aj_fix(B, P, S->cutoff, S->candidates, S->entries) > 0) {
        status = aj_propagate(P, S->candidates, S->entries);
        int64_t n = 0, m = 0;
        for (int32_t p = 0; p < P->n; p++)
            n += S->candidates[p];
        for (int64_t e = 0; e < P->m; e++)
            m += S->entries[e];
        const double share =
            fmin((double)n / (double)P->n, P->m > 0 ? (double)m / (double)P->m : 1.0);
        if (status == 1 && share < (F->stalled >= stalled ? 1.0 : SHRINK)) {
            const int64_t total = F->pdhg->total;
            status = aj_frame_reduce(S, F, P, F->pdhg);
            fresh = S->whole = 0;
            if (status == 1) {
                F->pdhg->total = total;
                if (share < CASCADE || F->stalled >= stalled)
                    return GM_OK; /* evaluate again at once: reduced costs of before the shrinking
                                     are stale */
            }
        }
    }
    if (status < 0)
        return status;
    if (status == 0) {
        aj_search_close_frame(S);
        aj_search_raise(S);
        return GM_OK;
    }
    const double gain =
        fmax(F->lower - before,
             value - F->last); /* a fixed node upsets the duals: climbing back is progress, too */
    F->last = value;
    const double progress = !F->lifted ? PROGRESS : S->depth == 1 ? ROOT_PROGRESS : CHILD_PROGRESS;
    if (F->pdhg->total >= SETTLED && gain < progress * (S->cutoff - before))
        F->stalled++;
    else if (F->stalled < stalled)
        F->stalled = 0;
    if (F->stalled >= stalled && !F->lifted) {
        const int64_t entries = aj_problem_lifted_entries(F->problem, AJ_LINKED);
        if (entries <= LIFT_AT_ONCE && entries <= S->lift_limit)
            return aj_frame_lift(S, F);
    }
    if (F->stalled >= stalled && fresh && aj_semidefinite_wanted(S, F))
        return aj_semidefinite_begin(S, F);
    if (F->stalled >= stalled && S->branch && fresh)
        return choose_branch(S, F);
    if (F->stalled >= CONVERGED) {
        S->run.finished = 1;
        return GM_OK;
    }
    F->phase = ASCEND;
    F->due = F->pdhg->total + (int64_t)F->interval;
    F->interval = fmin(F->interval * INTERVAL_GROWTH, LAST_INTERVAL);
    return GM_OK;
}

/* One sweep of block-coordinate ascent: a bound before there is a root, costs that guide the
 * matchings, and messages from which the root's ascent can start where it has full tables. */
static int sweep(aj_search *S)
{
    const int status = gm_bca_iterate(S->bca);
    if (status != GM_OK)
        return status;
    const double bound = gm_bca_bound(S->bca) * S->scale;
    S->run.iteration++;
    S->sweeps++;
    S->work += gm_bca_work(S->bca);
    S->swept = fmax(S->swept, bound);
    if (S->opened) {
        S->frames[0].lower = fmax(S->frames[0].lower, S->swept);
        aj_search_raise(S);
    } else {
        raise_to(S, S->swept);
    }
    const int early = !S->opened && S->index->n1 > AJ_REGION;
    S->sweeping = S->swept < S->cutoff && S->sweeps < (early ? MOST_EARLY : MOST_SWEEPS);
    if (S->sweeps % SWEEP_WINDOW == 0) {
        S->sweeping &= bound - S->window_bound >=
                       (early ? EARLY_PROGRESS : SWEEP_PROGRESS) * (S->cutoff - bound);
        S->window_bound = bound;
    }
    return GM_OK;
}

/* The root takes over what the sweeps have reached; they are not needed any more. */
static void end_sweeps(aj_search *S)
{
    if (S->frames[0].lifted) {
        const gm_reparametrisation costs = gm_bca_costs(S->bca);
        aj_pdhg_set_messages(S->frames[0].pdhg, S->index, &costs, S->scale);
    }
    gm_bca_free(S->bca);
    S->bca = NULL;
}

static int open_root(aj_search *S)
{
    if (S->swept >= S->cutoff &&
        !S->certify) { /* the sweeps have proven it: there is no root to search */
        S->opened = 1;
        return GM_OK;
    }
    aj_problem *problem = aj_problem_new(S->index, S->scale);
    int status = problem ? aj_search_room(S, problem) : GM_ENOMEM;
    S->opened = 1;
    if (status == GM_OK) {
        aj_frame *root = &S->frames[0];
        aj_search_fill_masks(S, problem);
        status = aj_frame_reduce(S, root, problem, NULL);
        S->depth = status == 1;
        root->lower = S->swept;
        root->interval = AJ_FIRST_INTERVAL;
        root->lifted = aj_problem_lifted_entries(problem, AJ_LINKED) == problem->m;
        if (S->depth == 1 && root->lifted && problem->m > 0 && !S->bca && S->sdp_mode != 2) {
            S->bca = gm_bca_new(S->index);
            S->sweeping = 1;
            status = S->bca ? GM_OK : GM_ENOMEM;
        }
    }
    aj_problem_free(problem);
    return status < 0 ? status : GM_OK;
}

int aj_search_work(aj_search *S)
{
    if (S->sweeping)
        return sweep(S);
    if (!S->opened)
        return open_root(S);
    if (S->bca)
        end_sweeps(S);
    if (S->entries_done > LIFT_AFTER && !S->frames[0].lifted && S->depth > 1)
        return lift_root(S);
    aj_frame *F = &S->frames[S->depth - 1];
    if (S->sdp_mode == 2 && aj_semidefinite_wanted(S, F))
        return aj_semidefinite_begin(S, F);
    if (F->phase == EVALUATE)
        return evaluate(S, F);
    if (F->phase == BRANCH)
        return next_child(S, F);
    if (F->phase == SEMIDEFINITE)
        return aj_semidefinite_work(S, F);
    const int last = F->pdhg->total + 1 >= F->due;
    aj_pdhg_step(F->pdhg, last || (F->pdhg->k + 1) % CHECK_EVERY == 0);
    S->run.iteration++;
    S->entries_done += F->problem->m;
    S->work += STEP_WORK * (double)F->problem->m;
    if (last)
        F->phase = EVALUATE;
    return GM_OK;
}

int aj_search_new(aj_search *S)
{
    S->whole = 1;
    S->window_bound = -INFINITY;
    S->work = S->root_work =
        ROOT_WORK *
        (double)S->index->n_entries; /* counts at once: matchings may take their share beforehand */
    S->swept = -INFINITY;
    GM_TAKE(&S->pool, S->index->n1 + 1, S->frames);
    GM_TAKE(&S->pool, S->index->n1 + 2, S->nodes);
    /* a certificate comes from the root only: nothing may prove the bound before */
    if (S->index->n_entries > 0 && S->sdp_mode != 2 && (S->index->n1 > AJ_REGION || !S->certify)) {
        S->bca = gm_bca_new(S->index);
        S->sweeping = 1;
        S->pool.failed |= !S->bca;
    }
    return S->pool.failed ? GM_ENOMEM : GM_OK;
}

void aj_search_clear(aj_search *S)
{
    while (S->depth > 0)
        aj_search_close_frame(S);
    aj_semidefinite_clear(S);
    aj_bound_free(S->bound);
    free(S->candidates);
    free(S->entries);
    aj_certificate_free(S->certificate);
    aj_twins_free(S->twins);
    gm_bca_free(S->bca);
}
