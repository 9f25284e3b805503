#include "aj/sdp/phase.h"

#include "aj/sdp/kept_root.h"
#include "aj/sdp/node.h"
#include "aj/tree/node_stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void aj_semidefinite_take(aj_semidefinite *phase, gm_pool *pool, int32_t n_nodes)
{
    GM_TAKE(pool, n_nodes + 2, phase->nodes);
    GM_TAKE(pool, n_nodes, phase->picks);
}

enum { MOST_VARIABLES = 1200 };    /* candidates: 13 matrices of 11 MB, */
enum { MOST_IF_ASKED_FOR = 2600 }; /* and of 54 MB if the phase is asked for */

int aj_semidefinite_fits(const aj_semidefinite *phase, const aj_problem *root)
{
    const int32_t most = phase->mode == AJ_SDP_AT_ONCE ? MOST_IF_ASKED_FOR : MOST_VARIABLES;
    return phase->lapack && phase->mode != AJ_SDP_NEVER && !phase->tried && root->n <= most;
}

double aj_semidefinite_step_work(int32_t n_variables)
{
    return AJ_SDP_WORK * pow(n_variables, 3.0);
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
    aj_children_forget(&node->children);
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

enum { CHILD_PATIENCE = 30 }; /* steps before a node below the root may end as hopeless */

/* A new present node, which begins with this stage: the root with steps, a child with a tree. */
static void push(aj_semidefinite *phase, aj_sdp *sdp, enum aj_node_stage stage, double lower,
                 double weight)
{
    aj_node *node = &phase->nodes[phase->n_nodes++];
    const int is_root = stage == AJ_STEPS;
    node->sdp = sdp;
    node->stage = stage;
    node->lower = lower;
    node->weight = weight;
    node->due = sdp->steps + (is_root ? AJ_SDP_FIRST : AJ_SDP_EVERY);
    node->patience = sdp->steps + (is_root ? AJ_SDP_PATIENCE : CHILD_PATIENCE);
    node->last_values[0] = node->last_values[1] = node->mark_value = -INFINITY;
}

double aj_semidefinite_find_unopened(const aj_semidefinite *phase)
{
    double least = INFINITY;
    for (int32_t d = 0; d < phase->n_nodes; d++) {
        const aj_node *node = &phase->nodes[d];
        if (node->stage == AJ_BRANCHING && node->children.next < node->children.n)
            least = fmin(least, node->children.lower[node->children.next]);
    }
    return least;
}

/* The bound of the phase: the least of the present node and of all unopened children. */
static void raise_lower(aj_semidefinite *phase)
{
    const aj_node *present = top(phase);
    const double own = present->stage == AJ_BRANCHING ? INFINITY : present->lower;
    const double least = fmin(own, aj_semidefinite_find_unopened(phase));
    if (isfinite(least))
        phase->lower = fmax(phase->lower, least);
}

/* Returns 0 if LAPACK must be asked for first, or if there is none: then the phase is over. */
static int is_lapack_at_hand(aj_semidefinite *phase)
{
    if (!phase->lapack->dgemm && !phase->asked) {
        phase->lapack->wanted = phase->asked = 1; /* the caller looks for it, and steps again */
        return 0;
    }
    phase->tried = 1;
    return phase->lapack->dgemm != NULL;
}

int aj_semidefinite_begin(aj_semidefinite *phase, const aj_problem *root, double lower,
                          aj_scratch *scratch)
{
    if (!is_lapack_at_hand(phase))
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
    push(phase, sdp, AJ_STEPS, lower, 1.0);
    phase->lower = lower;
    phase->step_time = 1e-9 * aj_semidefinite_step_work(sdp->N); /* from nanoseconds */
    return GM_OK;
}

int aj_semidefinite_restore(aj_semidefinite *phase, const gm_aj_root *root, const gm_index *index,
                            double scale, aj_scratch *scratch, const aj_leaves *leaves)
{
    if (!is_lapack_at_hand(phase))
        return GM_OK;
    aj_sdp *sdp = NULL;
    const int status = aj_kept_root_make(root, index, scale, phase->lapack, scratch, &sdp);
    if (status != GM_OK)
        return status;
    push(phase, sdp, AJ_BRANCHING, root->lower, 1.0);
    phase->lower = root->lower;
    phase->step_time = 1e-9 * aj_semidefinite_step_work(sdp->N); /* from nanoseconds */
    return aj_children_adopt(&top(phase)->children, leaves, root->lower);
}

aj_problem *aj_semidefinite_release(aj_semidefinite *phase, double tolerance)
{
    aj_problem *problem = aj_sdp_release(top(phase)->sdp, tolerance);
    top(phase)->sdp = NULL;
    pop(phase);
    return problem;
}

/* ---- children */

/* The node branches as the root of its large tree did, without the children that the tree is done
 * with. GM_OK or GM_ENOMEM. */
static int list_children(aj_node *node, double cutoff)
{
    const aj_dense_level *root = &node->dense->levels[0];
    const int32_t n = root->n_children;
    if (aj_children_take(&node->children, n) != GM_OK)
        return GM_ENOMEM;
    for (int32_t k = 0; k < n; k++) {
        node->children.child[k] = root->candidate[root->child[k]];
        node->children.lower[k] = fmax(node->lower, root->child_bound[k]);
    }
    aj_share_weight(node->weight, node->lower, cutoff, n, node->children.lower,
                    node->children.weight);
    const int inside = node->dense->depth > 1; /* a child of the root */
    node->children.n = n;
    node->children.next = inside ? root->next_child - 1 : root->next_child;
    return GM_OK;
}

/* Keeps one child, drawn with probabilities in proportion to the weights; its weight is
 * that of the node times its probability. */
static void keep_one_child(aj_node *node, double cutoff, gm_random *random)
{
    aj_children *children = &node->children;
    double sum = 0.0;
    int32_t k = children->next, open = k;
    while (open < children->n && children->lower[open] < cutoff)
        sum += children->weight[open++];
    if (open == k)
        return;
    double left = sum * gm_random_unit(random);
    while (k < open - 1 && left >= children->weight[k])
        left -= children->weight[k++];
    children->weight[k] *= node->weight / sum;
    children->next = k;
    children->n = k + 1;
}

/* Whether a node that branches has a child below the cutoff. */
static int has_child(const aj_node *node, double cutoff)
{
    return node->children.next < node->children.n &&
           node->children.lower[node->children.next] < cutoff;
}

/* Makes the decisions of child k in the masks; *p is the candidate that was decided last, or -1. */
static int decide(const aj_given *given, const aj_node *node, int32_t k, int32_t *p)
{
    const aj_problem *P = node->sdp->problem;
    const int32_t child = node->children.child[k];
    aj_scratch_keep_all(given->scratch, P);
    if (node->children.leaves)
        return aj_leaves_decide(node->children.leaves, child, given->proposals->index, P,
                                given->scratch, p);
    *p = child;
    aj_scratch_decide(given->scratch, P, child);
    return AJ_OPEN;
}

/* The matrices of the next child, whose number is *k, in *child. */
static enum aj_verdict make_child(const aj_given *given, aj_node *node, aj_sdp **child, int32_t *k)
{
    const aj_problem *P = node->sdp->problem;
    int32_t p;
    *k = node->children.next++;
    if (decide(given, node, *k, &p) != AJ_OPEN)
        return AJ_NODE_DONE;
    const enum aj_verdict verdict = aj_node_verdict(aj_scratch_propagate(given->scratch, P));
    return verdict == AJ_NODE_STAYS ? aj_node_restrict(given, node->sdp, p, child) : verdict;
}

/* Opens the next child of the present node, and evaluates it. */
static enum aj_verdict open_child(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    aj_sdp *child = NULL;
    int32_t k;
    if (!has_child(node, given->cutoff))
        return AJ_NODE_DONE;
    enum aj_verdict verdict = make_child(given, node, &child, &k);
    if (verdict != AJ_NODE_STAYS)
        return verdict == AJ_NODE_DONE ? AJ_NODE_STAYS : verdict; /* the child is done */
    push(phase, child, AJ_SMALL_TREE, node->children.lower[k], node->children.weight[k]);
    verdict = aj_node_evaluate(phase, given, top(phase));
    if (verdict == AJ_NODE_DONE) {
        pop(phase);
        verdict = AJ_NODE_STAYS;
    }
    return verdict;
}

int aj_semidefinite_adopt(aj_semidefinite *phase, const aj_leaves *leaves)
{
    aj_node *root = &phase->nodes[0];
    const int is_over = phase->n_nodes == 1 && root->stage == AJ_LARGE_TREE && !root->wait;
    if (!is_over)
        return GM_OK;
    root->stage = AJ_BRANCHING;
    return aj_children_adopt(&root->children, leaves, phase->lower);
}

int aj_semidefinite_has_branched(const aj_semidefinite *phase)
{
    return phase->n_nodes == 1 && phase->nodes[0].stage == AJ_BRANCHING &&
           phase->nodes[0].wait == AJ_NO_WAIT;
}

int aj_semidefinite_hand_over(aj_semidefinite *from, aj_scratch *scratch, aj_proposals *proposals,
                              aj_semidefinite *to, aj_scratch *to_scratch, gm_watch *to_watch,
                              double cutoff, int keep_one)
{
    aj_certified none = {0};
    const aj_given given = {scratch, proposals, &none, cutoff};
    for (int32_t d = 0; d < from->n_nodes; d++) {
        aj_node *node = &from->nodes[d];
        const int is_top = d == from->n_nodes - 1;
        if (node->stage != AJ_BRANCHING)
            continue;
        while (has_child(node, cutoff) && !gm_watch_is_over(node->sdp->problem->watch)) {
            const int is_last = node->children.next + 1 >= node->children.n;
            if (keep_one && is_top && is_last)
                break;
            aj_sdp *child = NULL;
            int32_t k;
            const enum aj_verdict verdict = make_child(&given, node, &child, &k);
            if (verdict == AJ_NODE_FAILED)
                return GM_ENOMEM;
            if (verdict == AJ_NODE_DONE && proposals->n == 0)
                continue;
            if (verdict == AJ_NODE_DONE)
                return 0; /* the matching that was met is offered first */
            push(to, child, AJ_SMALL_TREE, node->children.lower[k], node->children.weight[k]);
            top(to)->wait = AJ_HANDED_OVER;
            to->lower = node->children.lower[k];
            aj_problem_heed(child->problem, to_watch);
            return aj_scratch_fit(to_scratch, child->problem) == GM_OK ? 1 : GM_ENOMEM;
        }
    }
    return 0;
}

/* Adds the unopened children of a node that branches. */
static void list_unopened(const aj_node *node, const gm_index *index, double cutoff,
                          aj_leaves *open)
{
    const aj_problem *P = node->sdp->problem;
    for (int32_t k = node->children.next; k < node->children.n && node->children.lower[k] < cutoff;
         k++) {
        aj_leaves_add(open, node->children.lower[k], node->children.weight[k]);
        if (node->children.leaves) {
            aj_leaves_add_decisions_of(open, node->children.leaves, node->children.child[k]);
        } else {
            aj_leaves_add_chosen(open, index, P);
            aj_leaves_add_decision(open, aj_candidate_key(index, P, node->children.child[k]));
        }
    }
}

void aj_semidefinite_list_open(const aj_semidefinite *phase, const gm_index *index, double cutoff,
                               aj_leaves *open)
{
    for (int32_t d = 0; d < phase->n_nodes; d++) {
        const aj_node *node = &phase->nodes[d];
        if (node->stage == AJ_BRANCHING) {
            list_unopened(node, index, cutoff, open);
        } else {
            aj_leaves_add(open, node->lower, node->weight);
            aj_leaves_add_chosen(open, index, node->sdp->problem);
        }
    }
}

int32_t aj_semidefinite_drop(aj_semidefinite *phase, const gm_index *index, double cutoff,
                             gm_aj_root *giver)
{
    for (int32_t d = 0; d < phase->n_nodes; d++) {
        aj_node *node = &phase->nodes[d];
        const int is_top = d == phase->n_nodes - 1;
        const int32_t dropped =
            node->stage == AJ_BRANCHING ? aj_children_drop(&node->children, cutoff, is_top) : 0;
        if (dropped > 0) {
            aj_kept_root_lend(node, index, giver);
            return dropped;
        }
    }
    return 0;
}

/* ---- one unit of work */

static enum aj_verdict do_stage(aj_semidefinite *phase, const aj_given *given, aj_node *node)
{
    switch (node->stage) {
    case AJ_STEPS: return aj_node_step(phase, given, node);
    case AJ_BRANCHING: return open_child(phase, given, node);
    default: return aj_node_search(phase, given, node);
    }
}

/* Leads a node into its next stage. GM_OK or GM_ENOMEM. */
static int begin_next_stage(const aj_semidefinite *phase, aj_node *node, double cutoff)
{
    const int branches = node->stage == AJ_LARGE_TREE;
    const int status = branches ? list_children(node, cutoff) : GM_OK;
    if (branches && status == GM_OK && phase->probe)
        keep_one_child(node, cutoff, phase->probe);
    aj_dense_free(node->dense);
    node->dense = NULL;
    node->stage++;
    return status;
}

int aj_semidefinite_branch_now(aj_semidefinite *phase, double cutoff)
{
    aj_node *root = &phase->nodes[0];
    const int in_tree =
        phase->n_nodes == 1 && root->stage == AJ_LARGE_TREE && root->wait == AJ_NO_WAIT;
    if (!in_tree || !phase->branch || !aj_node_has_long_tree(root, cutoff))
        return GM_OK;
    return begin_next_stage(phase, root, cutoff);
}

int aj_semidefinite_advance(aj_semidefinite *phase, aj_scratch *scratch, aj_proposals *proposals,
                            aj_certified *certified, double cutoff)
{
    const aj_given given = {scratch, proposals, certified, cutoff};
    const double started = gm_clock();
    aj_node *node = top(phase);
    const int stepping = node->stage == AJ_STEPS, resumed = node->wait != AJ_NO_WAIT;
    phase->spent = 0.0;
    const enum aj_verdict verdict =
        resumed ? aj_node_resume(phase, &given, node) : do_stage(phase, &given, node);
    phase->elapsed = (resumed ? phase->elapsed : 0.0) + (gm_clock() - started);
    if (stepping)
        phase->step_time = fmax(phase->step_time, phase->elapsed);
    if (verdict == AJ_NODE_FAILED)
        return GM_ENOMEM;
    if (verdict == AJ_NODE_MOVES_ON && !(phase->branch && aj_node_is_dense(node)))
        return AJ_SDP_ENDS;
    if (verdict == AJ_NODE_MOVES_ON && begin_next_stage(phase, node, cutoff) != GM_OK)
        return GM_ENOMEM;
    if (verdict == AJ_NODE_DONE)
        pop(phase);
    if (phase->n_nodes == 0)
        return AJ_SDP_PROVEN;
    raise_lower(phase);
    return verdict == AJ_NODE_NEEDS_CUTOFF ? AJ_SDP_NEEDS_CUTOFF : AJ_SDP_GOES_ON;
}
