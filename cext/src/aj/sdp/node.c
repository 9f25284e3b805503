#include "aj/sdp/node.h"

#include "aj/sdp/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum aj_verdict aj_node_verdict(int rest)
{
    if (rest < 0)
        return AJ_NODE_FAILED;
    return rest == AJ_OPEN ? AJ_NODE_STAYS : AJ_NODE_DONE;
}

int aj_node_is_dense(const aj_node *node)
{
    return node->sdp->problem->n_nodes <= AJ_DENSE_NODES && aj_dense_fits(node->sdp->problem);
}

enum aj_verdict aj_node_restrict(const aj_given *given, const aj_sdp *from, int32_t chosen,
                                 aj_sdp **to)
{
    const aj_scratch *scratch = given->scratch;
    int32_t *candidate_map = NULL;
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_shrink(from->problem, scratch->candidates, scratch->entries,
                                            &candidate_map, &entry_map);
    enum aj_verdict verdict = problem ? AJ_NODE_STAYS : AJ_NODE_FAILED;
    if (problem && problem->n_nodes == 0) {
        aj_propose(given->proposals, problem, NULL, -INFINITY);
        verdict = AJ_NODE_DONE;
    } else if (problem && aj_problem_n_used_labels(problem) < problem->n_nodes) {
        verdict = AJ_NODE_DONE; /* fewer labels than nodes: no matching */
    }
    if (verdict == AJ_NODE_STAYS) {
        *to = aj_sdp_restrict(from, problem, candidate_map, scratch->candidates, chosen);
        verdict = *to ? AJ_NODE_STAYS : AJ_NODE_FAILED;
    } else {
        aj_problem_free(problem);
    }
    free(candidate_map);
    free(entry_map);
    return verdict;
}

/* ---- evaluation */

enum aj_verdict aj_node_evaluate(const aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    aj_sdp *sdp = node->sdp;
    aj_bound *B = given->scratch->bound;
    const int is_root = phase->n_nodes == 1;
    node->before = node->lower;
    B->value = -INFINITY; /* not that of another evaluation */
    if (!aj_sdp_change_costs(sdp))
        return AJ_NODE_STAYS;
    memcpy(B->half, sdp->half, sizeof *B->half * (size_t)(2 * sdp->problem->m));
    aj_bound_solve(B, &sdp->changed);
    if (gm_watch_is_over(B->watch))
        return AJ_NODE_STAYS;
    if (B->value == INFINITY)
        return AJ_NODE_DONE;
    node->lower = fmax(node->lower, B->value);
    if (is_root && aj_certified_sdp(given->certified, sdp, B) != GM_OK)
        return AJ_NODE_FAILED;
    if (node->lower < given->cutoff)
        aj_propose(given->proposals, &sdp->changed, B->match, -INFINITY);
    node->wait = AJ_EVALUATED;
    return AJ_NODE_NEEDS_CUTOFF;
}

/* Whether the gain of the last two evaluations, if it lasted, would reach the cutoff. */
static int is_promising(const aj_node *node, double value, double cutoff)
{
    const double steps = (double)node->sdp->steps;
    /* a dense problem has its tree to go on with */
    const double ahead = aj_node_is_dense(node) ? AJ_SDP_AHEAD : fmax(AJ_SDP_AHEAD, steps);
    const double gain =
        (value - node->last_values[1]) / (double)(node->sdp->steps - node->last_steps[1]);
    return value + gain * ahead >= cutoff;
}

static const double MARK_GROWTH = 1.5; /* of the steps, from one mark to the next */
static const double LITTLE = 1e-3;     /* of the gap: a smaller gain in between ends the phase */

/* Whether the steps since the last mark, a third of all, have gained next to nothing: with nothing
 * to follow, the phase ends only then. */
static int is_converged(aj_node *node, double value, double cutoff)
{
    const int64_t steps = node->sdp->steps;
    if ((double)steps < MARK_GROWTH * (double)node->mark_steps)
        return 0;
    const int converged = value - node->mark_value < LITTLE * (cutoff - value);
    node->mark_steps = steps;
    node->mark_value = value;
    return converged;
}

/* Whether steps go on after an evaluation. */
static enum aj_verdict judge_steps(const aj_semidefinite *phase, const aj_given *given,
                                   aj_node *node)
{
    const double value = fmax(given->scratch->bound->value, node->before);
    const int settled = node->sdp->steps >= node->patience;
    const int goes_on = !settled || (phase->branch ? is_promising(node, value, given->cutoff)
                                                   : !is_converged(node, value, given->cutoff));
    node->last_values[1] = node->last_values[0];
    node->last_steps[1] = node->last_steps[0];
    node->last_values[0] = value;
    node->last_steps[0] = node->sdp->steps;
    return goes_on ? AJ_NODE_STAYS : AJ_NODE_MOVES_ON;
}

/* ---- deletion */

/* Clears the masks of all candidates that the bound excludes; returns how many, or GM_ENOMEM. */
static int64_t clear_by_bound(const aj_given *given, const aj_node *node)
{
    aj_scratch *scratch = given->scratch;
    const aj_problem *P = &node->sdp->changed;
    double *ahead_cost = node->sdp->look_ahead;
    if (given->certified->staged)
        return aj_stages_delete(given->certified, scratch, P, given->cutoff, ahead_cost);
    const double gap = given->cutoff - scratch->bound->value;
    aj_bound_force(scratch->bound, P, gap);
    const int64_t cleared =
        aj_fix(scratch->bound, P, given->cutoff, scratch->candidates, scratch->entries);
    return cleared + aj_bound_look_ahead(scratch->bound, P, gap, scratch->candidates,
                                         scratch->entries, ahead_cost);
}

/* The node goes on with the smaller problem that the masks describe. */
static enum aj_verdict shrink(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    aj_sdp *smaller = NULL;
    const enum aj_verdict verdict = aj_node_restrict(given, node->sdp, -1, &smaller);
    given->certified->whole = 0;
    given->certified->complete |= given->certified->staged && verdict == AJ_NODE_DONE;
    if (verdict == AJ_NODE_STAYS) {
        /* smaller matrices upset the iterates, and make steps cheap */
        if (smaller->N < AJ_SDP_RENEWAL * node->sdp->N)
            node->patience = smaller->steps + AJ_SDP_PATIENCE;
        phase->step_time *= pow((double)smaller->N / node->sdp->N, 3.0);
        aj_sdp_free(node->sdp);
        node->sdp = smaller;
    }
    return verdict;
}

/* Deletes the candidates that the bound excludes; rebuilds the problem when enough are gone. */
static enum aj_verdict delete_by_bound(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    const aj_problem *P = &node->sdp->changed;
    aj_scratch_keep_all(given->scratch, P);
    const int64_t cleared = clear_by_bound(given, node);
    if (gm_watch_is_over(P->watch))
        return AJ_NODE_STAYS;
    if (cleared <= 0)
        return cleared < 0 ? AJ_NODE_FAILED : AJ_NODE_STAYS;
    const enum aj_verdict verdict = aj_node_verdict(aj_scratch_propagate(given->scratch, P));
    if (verdict == AJ_NODE_STAYS && aj_scratch_kept_part(given->scratch, P) >= AJ_SDP_SHRINK)
        return verdict;
    if (aj_stages_add(given->certified, given->cutoff, verdict == AJ_NODE_DONE) != GM_OK)
        return AJ_NODE_FAILED;
    return verdict == AJ_NODE_STAYS ? shrink(phase, given, node) : verdict;
}

/* Decides by an evaluation and the cutoff. */
static enum aj_verdict conclude(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    const double value = given->scratch->bound->value, cutoff = given->cutoff;
    if (node->lower >= cutoff) {
        const int by_this_evaluation = value >= cutoff;
        if (by_this_evaluation && aj_stages_add(given->certified, cutoff, 1) != GM_OK)
            return AJ_NODE_FAILED;
        return AJ_NODE_DONE;
    }
    enum aj_verdict verdict = AJ_NODE_STAYS;
    if (phase->fix && cutoff - value < AJ_SDP_FIX_GAP * fabs(cutoff))
        verdict = delete_by_bound(phase, given, node);
    return verdict == AJ_NODE_STAYS && node->stage == AJ_STEPS ? judge_steps(phase, given, node)
                                                               : verdict;
}

/* ---- the stages */

enum aj_verdict aj_node_step(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    phase->out_of_time = gm_clock() + phase->step_time > phase->deadline;
    if (phase->out_of_time)
        return AJ_NODE_STAYS; /* the time limit ends the run; nothing that is kept depends on it */
    phase->spent = aj_sdp_step_work(node->sdp);
    const int is_due = node->sdp->steps + 1 >= node->due;
    const int stepped = aj_sdp_step(node->sdp, is_due);
    if (gm_watch_is_over(node->sdp->problem->watch))
        return AJ_NODE_STAYS;
    if (!stepped)
        return AJ_NODE_MOVES_ON;
    const int64_t done = node->sdp->steps;
    if (done < node->due)
        return AJ_NODE_STAYS;
    node->due = done + (done < AJ_SDP_SETTLED ? AJ_SDP_EVERY : AJ_SDP_LATER);
    const enum aj_verdict verdict = aj_node_evaluate(phase, given, node);
    return verdict == AJ_NODE_STAYS ? judge_steps(phase, given, node) : verdict;
}

enum { QUOTA = 150 };                    /* steps of ADMM: as much work may the large tree take, */
static const double SMALL_PART = 0.3;    /* and the small one this part of it */
static const double TRIAL = 0.125;       /* of the quota: then a tree is given up */
static const double EXCESS = 4.0;        /* if it is expected to take this many times its quota; */
static const double FIRST_TRIAL = 0.016; /* sooner, from here on, if it is as many times more */

/* The work that the tree of a node's stage may take. */
static double quota_of(const aj_node *node)
{
    const double part = node->stage == AJ_SMALL_TREE ? SMALL_PART : 1.0;
    return part * QUOTA * aj_semidefinite_step_work(node->sdp->N);
}

int aj_node_has_long_tree(const aj_node *node, double cutoff)
{
    const double quota = quota_of(node), spent = node->dense ? node->dense->work : 0.0;
    return spent > FIRST_TRIAL * quota && spent > quota * aj_dense_progress(node->dense, cutoff);
}

/* Whether a node's tree, which has come to this event, goes on. */
static enum aj_verdict judge_tree(const aj_given *given, aj_node *node, enum aj_dense_event event)
{
    const double quota = quota_of(node);
    node->lower = fmax(node->lower, fmin(aj_dense_bound(node->dense), given->cutoff));
    if (event == AJ_DENSE_ENDED)
        return AJ_NODE_DONE;
    const double spent = node->dense->work;
    /* before TRIAL of the quota estimates are rough: only a larger excess counts */
    const double excess = EXCESS * fmax(1.0, TRIAL * quota / spent);
    const int hopeless = spent > FIRST_TRIAL * quota &&
                         spent > excess * quota * aj_dense_progress(node->dense, given->cutoff);
    return spent > quota || hopeless ? AJ_NODE_MOVES_ON : AJ_NODE_STAYS;
}

/* Makes the tree of the node's stage, on the costs L + Z, or L if Z is not proven. */
static enum aj_verdict begin_tree(aj_semidefinite *phase, const gm_index *index, aj_node *node)
{
    aj_sdp *sdp = node->sdp;
    if (!aj_sdp_change_costs(sdp))
        aj_sdp_keep_costs(sdp);
    if (!phase->symmetry)
        phase->symmetry = aj_symmetry_new(index, sdp->problem->watch);
    if (!phase->symmetry)
        return AJ_NODE_FAILED;
    node->dense = aj_dense_new(sdp->problem, &sdp->changed, sdp->half, index, phase->symmetry);
    return node->dense ? AJ_NODE_STAYS : AJ_NODE_FAILED;
}

enum aj_verdict aj_node_search(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    if (!node->dense)
        return begin_tree(phase, given->proposals->index, node);
    const aj_problem *P = node->sdp->problem;
    aj_dense *dense = node->dense;
    const double before = dense->work;
    const enum aj_dense_event event = aj_dense_advance(dense, given->cutoff);
    phase->spent = dense->work - before;
    if (gm_watch_is_over(P->watch))
        return AJ_NODE_STAYS;
    if (event != AJ_DENSE_MATCHING)
        return judge_tree(given, node, event);
    for (int32_t k = 0; k < dense->n; k++)
        phase->picks[P->node[dense->chosen[k]]] = dense->chosen[k];
    aj_propose(given->proposals, P, phase->picks, -INFINITY);
    node->wait = AJ_MATCHING_MET;
    return AJ_NODE_NEEDS_CUTOFF;
}

enum aj_verdict aj_node_resume(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    const enum aj_node_wait wait = node->wait;
    node->wait = AJ_NO_WAIT;
    switch (wait) {
    case AJ_HANDED_OVER: return aj_node_evaluate(phase, given, node);
    case AJ_EVALUATED: return conclude(phase, given, node);
    default: return judge_tree(given, node, AJ_DENSE_MATCHING);
    }
}
