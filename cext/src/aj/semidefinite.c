#include "aj/semidefinite.h"

#include "aj/policy.h"
#include "aj/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a stage says: the node is done; stay in it; go on to the next stage; first tell the cutoff.
 * FAILED, DONE and STAY are also what aj_propagate returns. */
enum verdict { FAILED = GM_ENOMEM, DONE = 0, STAY = 1, NEXT = 2, WAIT = 3 };

/* What the stages of a unit of work are given. */
typedef struct given {
    aj_scratch *scratch;
    aj_proposals *proposals;
    aj_certified *certified;
    double cutoff;
} given;

void aj_semidefinite_take(aj_semidefinite *phase, gm_pool *pool, int32_t n_nodes)
{
    GM_TAKE(pool, n_nodes + 2, phase->nodes);
    GM_TAKE(pool, n_nodes, phase->picks);
}

int aj_semidefinite_fits(const aj_semidefinite *phase, const aj_problem *root)
{
    return phase->lapack && phase->mode != AJ_SDP_NEVER && !phase->tried &&
           root->n <= AJ_SDP_VARIABLES;
}

/* ---- the stack of nodes */

static aj_node *top(const aj_semidefinite *phase)
{
    return &phase->nodes[phase->n_nodes - 1];
}

static void pop(aj_semidefinite *phase)
{
    aj_node *node = top(phase);
    aj_sdp_free(node->sdp);
    aj_dense_free(node->dense);
    free(node->child);
    free(node->child_lower);
    memset(node, 0, sizeof *node);
    phase->n_nodes--;
}

void aj_semidefinite_clear(aj_semidefinite *phase)
{
    while (phase->n_nodes > 0)
        pop(phase);
    aj_symmetry_free(phase->symmetry);
    phase->symmetry = NULL;
}

static void push(aj_semidefinite *phase, aj_sdp *sdp, enum aj_node_stage stage, double lower)
{
    aj_node *node = &phase->nodes[phase->n_nodes++];
    node->sdp = sdp;
    node->stage = stage;
    node->lower = lower;
    node->due = sdp->steps + (stage == AJ_STEPS ? AJ_SDP_FIRST : AJ_SDP_EVERY);
    node->patience = sdp->steps + (stage == AJ_STEPS ? AJ_SDP_PATIENCE : AJ_SDP_CHILD_PATIENCE);
    node->last_values[0] = node->last_values[1] = -INFINITY;
}

/* The least bound of all nodes that are open. */
static void raise_lower(aj_semidefinite *phase)
{
    const aj_node *present = top(phase);
    const double own = present->stage == AJ_BRANCHING ? INFINITY : present->lower;
    const double least = fmin(own, aj_semidefinite_waiting(phase));
    if (isfinite(least))
        phase->lower = fmax(phase->lower, least);
}

double aj_semidefinite_step_work(int32_t n_variables)
{
    return AJ_SDP_WORK * pow(n_variables, 3.0);
}

int aj_semidefinite_begin(aj_semidefinite *phase, const aj_problem *root, double lower,
                          aj_scratch *scratch)
{
    if (!phase->lapack->dgemm && !phase->asked) {
        phase->lapack->wanted = phase->asked = 1; /* the caller looks for it, and steps again */
        return GM_OK;
    }
    phase->tried = 1;
    if (!phase->lapack->dgemm)
        return GM_OK;
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_lift(root, AJ_EVERY_PAIR, &entry_map);
    free(entry_map);
    const int status = problem ? aj_scratch_fit(scratch, problem) : GM_ENOMEM;
    if (status != GM_OK) {
        aj_problem_free(problem);
        return status;
    }
    aj_sdp *sdp = aj_sdp_new(problem, phase->lapack);
    if (!sdp)
        return GM_ENOMEM;
    push(phase, sdp, AJ_STEPS, lower);
    phase->lower = lower;
    phase->step_time = 1e-9 * aj_semidefinite_step_work(sdp->N);
    return GM_OK;
}

aj_problem *aj_semidefinite_release(aj_semidefinite *phase, double tolerance)
{
    aj_problem *problem = aj_sdp_release(top(phase)->sdp, tolerance);
    top(phase)->sdp = NULL;
    pop(phase);
    return problem;
}

/* ---- evaluation and deletion */

/* Whether there are fewer labels than nodes: then no matching is left. */
static int lacks_labels(const aj_problem *P)
{
    int32_t used = 0;
    for (int32_t l = 0; l < P->n_labels; l++)
        used += P->label_start[l + 1] > P->label_start[l];
    return used < P->n_nodes;
}

/* The matrices of what the masks, propagated, left, in *to. */
static enum verdict restricted(const given *g, const aj_sdp *from, int32_t chosen, aj_sdp **to)
{
    int32_t *candidate_map = NULL;
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_shrink(from->problem, g->scratch->candidates,
                                            g->scratch->entries, &candidate_map, &entry_map);
    enum verdict verdict = problem ? STAY : FAILED;
    if (verdict == STAY && problem->n_nodes == 0) {
        aj_propose(g->proposals, problem, NULL, -INFINITY);
        aj_problem_free(problem);
        verdict = DONE;
    }
    if (verdict == STAY && lacks_labels(problem)) {
        aj_problem_free(problem);
        verdict = DONE;
    }
    if (verdict == STAY) {
        *to = aj_sdp_restrict(from, problem, candidate_map, g->scratch->candidates, chosen);
        verdict = *to ? STAY : FAILED;
    }
    free(candidate_map);
    free(entry_map);
    return verdict;
}

/* Clears in the masks what the bound allows to delete; returns how many were cleared. */
static int64_t delete_by_bound(const aj_node *node, aj_scratch *scratch, const aj_problem *P,
                               double cutoff)
{
    const double gap = cutoff - scratch->bound->value;
    aj_bound_force(scratch->bound, P, gap);
    int64_t cleared = aj_fix(scratch->bound, P, cutoff, scratch->candidates, scratch->entries);
    cleared += aj_bound_look_ahead(scratch->bound, P, gap, scratch->candidates, scratch->entries,
                                   node->sdp->look_ahead);
    return cleared;
}

/* Deletes what the bound allows. */
static enum verdict fix(aj_semidefinite *phase, const given *g, aj_node *node)
{
    aj_scratch *scratch = g->scratch;
    const aj_problem *P = &node->sdp->changed;
    aj_scratch_keep_all(scratch, P);
    const int64_t cleared =
        g->certified->staged
            ? aj_stages_delete(g->certified, scratch, P, g->cutoff, node->sdp->look_ahead)
            : delete_by_bound(node, scratch, P, g->cutoff);
    if (cleared <= 0)
        return cleared < 0 ? FAILED : STAY;
    enum verdict verdict = aj_propagate(P, scratch->candidates, scratch->entries);
    if (verdict == STAY && aj_scratch_kept_part(scratch, P) >= AJ_SDP_SHRINK)
        return verdict;
    if (aj_stages_add(g->certified, g->cutoff, verdict == DONE) != GM_OK)
        return FAILED;
    if (verdict != STAY)
        return verdict;
    aj_sdp *smaller = NULL;
    g->certified->whole = 0;
    verdict = restricted(g, node->sdp, -1, &smaller);
    g->certified->complete |= g->certified->staged && verdict == DONE;
    if (verdict == STAY) {
        /* smaller matrices upset the iterates, and make steps cheap */
        if (smaller->N < AJ_SDP_RENEWAL * node->sdp->N)
            node->patience = smaller->steps + AJ_SDP_PATIENCE;
        phase->step_time *= pow((double)smaller->N / node->sdp->N, 3.0);
        aj_sdp_free(node->sdp);
        node->sdp = smaller;
    }
    return verdict;
}

/* The star bound of the node's Zt. */
static enum verdict evaluate(const aj_semidefinite *phase, const given *g, aj_node *node)
{
    aj_sdp *sdp = node->sdp;
    aj_bound *B = g->scratch->bound;
    node->before = node->lower;
    B->value = -INFINITY; /* not that of another evaluation */
    if (!aj_sdp_change_costs(sdp))
        return STAY;
    memcpy(B->half, sdp->half, sizeof *B->half * (size_t)(2 * sdp->problem->m));
    aj_bound_solve(B, &sdp->changed);
    if (B->value == INFINITY)
        return DONE;
    node->lower = fmax(node->lower, B->value);
    if (phase->n_nodes == 1 && aj_certified_sdp(g->certified, sdp, B) != GM_OK)
        return FAILED;
    if (node->lower < g->cutoff)
        aj_propose(g->proposals, &sdp->changed, B->match, -INFINITY);
    node->wait = AJ_EVALUATED;
    return WAIT;
}

static int is_dense(const aj_node *node)
{
    return node->sdp->problem->n_nodes <= AJ_DENSE_NODES && aj_dense_fits(node->sdp->problem);
}

/* Whether the gain of the last two evaluations, if it lasted, would reach the cutoff. */
static int is_promising(const aj_node *node, double value, double cutoff)
{
    /* a dense problem has its tree to go on with */
    const double ahead =
        is_dense(node) ? AJ_SDP_AHEAD : fmax(AJ_SDP_AHEAD, (double)node->sdp->steps);
    const double gain =
        (value - node->last_values[1]) / (double)(node->sdp->steps - node->last_steps[1]);
    return node->sdp->steps < node->patience || value + gain * ahead >= cutoff;
}

/* Whether steps go on after an evaluation. */
static enum verdict judge(const given *g, aj_node *node)
{
    const double value = fmax(g->scratch->bound->value, node->before);
    const enum verdict verdict = is_promising(node, value, g->cutoff) ? STAY : NEXT;
    node->last_values[1] = node->last_values[0];
    node->last_steps[1] = node->last_steps[0];
    node->last_values[0] = value;
    node->last_steps[0] = node->sdp->steps;
    return verdict;
}

/* What follows from an evaluation and the cutoff. */
static enum verdict conclude(aj_semidefinite *phase, const given *g, aj_node *node)
{
    if (node->lower >= g->cutoff) {
        const int proven = g->scratch->bound->value >= g->cutoff; /* by this evaluation */
        if (proven && aj_stages_add(g->certified, g->cutoff, 1) != GM_OK)
            return FAILED;
        return DONE;
    }
    enum verdict verdict = STAY;
    if (phase->fix && g->cutoff - g->scratch->bound->value < AJ_SDP_FIX_GAP * fabs(g->cutoff))
        verdict = fix(phase, g, node);
    return verdict == STAY && node->stage == AJ_STEPS ? judge(g, node) : verdict;
}

/* ---- the stages */

static enum verdict steps(aj_semidefinite *phase, const given *g, aj_node *node)
{
    phase->out_of_time = gm_clock() + phase->step_time > phase->deadline;
    if (phase->out_of_time)
        return STAY; /* the time limit ends the run; nothing that is kept depends on the clock */
    phase->spent = aj_semidefinite_step_work(node->sdp->N);
    if (!aj_sdp_step(node->sdp))
        return NEXT;
    const int64_t done = node->sdp->steps;
    if (done < node->due)
        return STAY;
    node->due = done + (done < AJ_SDP_SETTLED ? AJ_SDP_EVERY : AJ_SDP_LATER);
    const enum verdict verdict = evaluate(phase, g, node);
    return verdict == STAY ? judge(g, node) : verdict;
}

/* Whether a node's tree, which has come to this event, goes on. `part`: of the whole quota. */
static enum verdict go_on(const given *g, aj_node *node, enum aj_dense_event event)
{
    const double part = node->stage == AJ_SMALL_TREE ? AJ_DENSE_SMALL : 1.0;
    const double quota = part * AJ_DENSE_QUOTA * aj_semidefinite_step_work(node->sdp->N);
    node->lower = fmax(node->lower, fmin(aj_dense_bound(node->dense), g->cutoff));
    if (event == AJ_DENSE_ENDED)
        return DONE;
    const double spent = node->dense->work;
    /* an early estimate counts where it is the worse */
    const double excess = AJ_DENSE_EXCESS * fmax(1.0, AJ_DENSE_TRIAL * quota / spent);
    const int hopeless = spent > AJ_DENSE_FIRST_TRIAL * quota &&
                         spent > excess * quota * aj_dense_progress(node->dense, g->cutoff);
    return spent > quota || hopeless ? NEXT : STAY;
}

/* A tree of dual ascent on the node's costs, as far as its quota goes. */
static enum verdict tree(aj_semidefinite *phase, const given *g, aj_node *node)
{
    aj_sdp *sdp = node->sdp;
    if (!node->dense) {
        if (!aj_sdp_change_costs(sdp))
            aj_sdp_keep_costs(sdp);
        const gm_index *index = g->proposals->index;
        if (!phase->symmetry)
            phase->symmetry = aj_symmetry_new(index);
        if (!phase->symmetry)
            return FAILED;
        node->dense = aj_dense_new(sdp->problem, &sdp->changed, sdp->half, index, phase->symmetry);
        return node->dense ? STAY : FAILED;
    }
    aj_dense *dense = node->dense;
    const double before = dense->work;
    const enum aj_dense_event event = aj_dense_advance(dense, g->cutoff);
    phase->spent = dense->work - before;
    if (event != AJ_DENSE_MATCHING)
        return go_on(g, node, event);
    for (int32_t k = 0; k < dense->n; k++)
        phase->picks[sdp->problem->node[dense->chosen[k]]] = dense->chosen[k];
    aj_propose(g->proposals, sdp->problem, phase->picks, -INFINITY);
    node->wait = AJ_MATCHING_MET;
    return WAIT;
}

/* The children that the tree's root has chosen. */
static enum verdict branch(aj_node *node)
{
    const aj_dense_level *root = &node->dense->levels[0];
    const size_t n = (size_t)root->n_children;
    node->child = malloc(sizeof *node->child * (n + 1));
    node->child_lower = malloc(sizeof *node->child_lower * (n + 1));
    if (!node->child || !node->child_lower)
        return FAILED;
    for (size_t k = 0; k < n; k++) {
        node->child[k] = root->candidate[root->child[k]];
        node->child_lower[k] = fmax(node->lower, root->child_bound[k]);
    }
    node->n_children = root->n_children;
    /* the tree has finished the children before its present one */
    node->next_child = node->dense->depth > 1 ? root->next_child - 1 : root->next_child;
    return STAY;
}

static int has_child(const aj_node *node, double cutoff)
{
    return node->next_child < node->n_children && node->child_lower[node->next_child] < cutoff;
}

/* The matrices of the next child, in *child; its bound in *lower. */
static enum verdict make_child(const given *g, aj_node *node, aj_sdp **child, double *lower)
{
    const aj_problem *P = node->sdp->problem;
    *lower = node->child_lower[node->next_child];
    const int32_t p = node->child[node->next_child++];
    aj_scratch_keep_all(g->scratch, P);
    aj_scratch_decide(g->scratch, P, p);
    const enum verdict verdict = aj_propagate(P, g->scratch->candidates, g->scratch->entries);
    return verdict == STAY ? restricted(g, node->sdp, p, child) : verdict;
}

static enum verdict next_child(aj_semidefinite *phase, const given *g, aj_node *node)
{
    aj_sdp *child = NULL;
    double lower;
    if (!has_child(node, g->cutoff))
        return DONE;
    enum verdict verdict = make_child(g, node, &child, &lower);
    if (verdict != STAY)
        return verdict == DONE ? STAY : verdict;
    push(phase, child, AJ_SMALL_TREE, lower);
    verdict = evaluate(phase, g, top(phase));
    if (verdict == DONE) {
        pop(phase);
        verdict = STAY;
    }
    return verdict;
}

/* ---- children as phases of their own */

int aj_semidefinite_has_branched(const aj_semidefinite *phase)
{
    return phase->n_nodes == 1 && phase->nodes[0].stage == AJ_BRANCHING &&
           phase->nodes[0].wait == AJ_NO_WAIT;
}

double aj_semidefinite_waiting(const aj_semidefinite *phase)
{
    double least = INFINITY;
    for (int32_t d = 0; d < phase->n_nodes; d++) {
        const aj_node *node = &phase->nodes[d];
        if (node->stage == AJ_BRANCHING && node->next_child < node->n_children)
            least = fmin(least, node->child_lower[node->next_child]);
    }
    return least;
}

int aj_semidefinite_hand_over(aj_semidefinite *from, aj_scratch *scratch, aj_proposals *proposals,
                              aj_semidefinite *to, aj_scratch *to_scratch, double cutoff, int part)
{
    aj_certified none = {0};
    const given g = {scratch, proposals, &none, cutoff};
    for (int32_t d = 0; d < from->n_nodes; d++) {
        aj_node *node = &from->nodes[d];
        const int is_top = d == from->n_nodes - 1;
        if (node->stage != AJ_BRANCHING)
            continue;
        while (has_child(node, cutoff) &&
               !(part && is_top && node->next_child + 1 >= node->n_children)) {
            aj_sdp *child = NULL;
            double lower;
            const enum verdict verdict = make_child(&g, node, &child, &lower);
            if (verdict == FAILED)
                return GM_ENOMEM;
            if (verdict == DONE && proposals->n == 0)
                continue;
            if (verdict == DONE)
                return 0; /* first somebody takes the matching that was met */
            push(to, child, AJ_SMALL_TREE, lower);
            top(to)->wait = AJ_HANDED_OVER;
            to->lower = lower;
            return aj_scratch_fit(to_scratch, child->problem) == GM_OK ? 1 : GM_ENOMEM;
        }
    }
    return 0;
}

static enum verdict stage(aj_semidefinite *phase, const given *g, aj_node *node)
{
    switch (node->stage) {
    case AJ_STEPS: return steps(phase, g, node);
    case AJ_BRANCHING: return next_child(phase, g, node);
    default: return tree(phase, g, node);
    }
}

/* What a node does that waits: see enum aj_node_wait. */
static enum verdict resume(aj_semidefinite *phase, const given *g, aj_node *node)
{
    const enum aj_node_wait wait = node->wait;
    node->wait = AJ_NO_WAIT;
    switch (wait) {
    case AJ_HANDED_OVER: return evaluate(phase, g, node);
    case AJ_EVALUATED: return conclude(phase, g, node);
    default: return go_on(g, node, AJ_DENSE_MATCHING);
    }
}

/* Leads a node into its next stage. GM_OK or GM_ENOMEM. */
static int advance(aj_node *node)
{
    const enum verdict verdict = node->stage == AJ_LARGE_TREE ? branch(node) : STAY;
    aj_dense_free(node->dense);
    node->dense = NULL;
    node->stage++;
    return verdict == STAY ? GM_OK : GM_ENOMEM;
}

int aj_semidefinite_advance(aj_semidefinite *phase, aj_scratch *scratch, aj_proposals *proposals,
                            aj_certified *certified, double cutoff)
{
    const given g = {scratch, proposals, certified, cutoff};
    const double started = gm_clock();
    aj_node *node = top(phase);
    const int stepping = node->stage == AJ_STEPS, resumed = node->wait != AJ_NO_WAIT;
    phase->spent = 0.0;
    const enum verdict verdict = resumed ? resume(phase, &g, node) : stage(phase, &g, node);
    phase->elapsed = (resumed ? phase->elapsed : 0.0) + (gm_clock() - started);
    if (stepping)
        phase->step_time = fmax(phase->step_time, phase->elapsed);
    if (verdict == FAILED)
        return GM_ENOMEM;
    if (verdict == NEXT && !(phase->branch && is_dense(node)))
        return AJ_SDP_ENDS;
    if (verdict == NEXT && advance(node) != GM_OK)
        return GM_ENOMEM;
    if (verdict == DONE)
        pop(phase);
    if (phase->n_nodes == 0)
        return AJ_SDP_PROVEN;
    raise_lower(phase);
    return verdict == WAIT ? AJ_SDP_NEEDS_CUTOFF : AJ_SDP_GOES_ON;
}
