#include "aj/semidefinite.h"

#include "aj/policy.h"
#include "aj/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a stage says: stay in it, go on to the next, the node is done, or (negative) an error. */
enum { DONE = 0, STAY = 1, NEXT = 2 };

int aj_semidefinite_wanted(const aj_search *S, const aj_frame *F)
{
    return S->lapack && S->sdp_mode > 0 && !S->sdp_tried && S->depth == 1 &&
           F->problem->n <= AJ_SDP_VARIABLES;
}

static aj_node *top(aj_search *S)
{
    return &S->nodes[S->n_nodes - 1];
}

static void close_node(aj_search *S)
{
    aj_node *node = top(S);
    aj_sdp_free(node->sdp);
    aj_dense_free(node->dense);
    free(node->child);
    free(node->child_lower);
    memset(node, 0, sizeof *node);
    S->n_nodes--;
}

void aj_semidefinite_clear(aj_search *S)
{
    while (S->n_nodes > 0)
        close_node(S);
    aj_symmetry_free(S->symmetry);
}

static void push(aj_search *S, aj_sdp *sdp, enum aj_node_stage stage, double lower)
{
    aj_node *node = &S->nodes[S->n_nodes++];
    const int64_t steps = sdp->steps;
    node->sdp = sdp;
    node->stage = stage;
    node->lower = lower;
    node->due = steps + (stage == AJ_STEPS ? AJ_SDP_FIRST : AJ_SDP_EVERY);
    node->patience = steps + (stage == AJ_STEPS ? AJ_SDP_PATIENCE : AJ_SDP_CHILD_PATIENCE);
    node->last_values[0] = node->last_values[1] = -INFINITY;
}

int aj_semidefinite_begin(aj_search *S, aj_frame *F)
{
    if (!S->lapack->dgemm && !S->lapack_asked) {
        S->lapack->wanted = S->lapack_asked = 1; /* the caller looks for it, and steps again */
        return GM_OK;
    }
    S->sdp_tried = 1;
    if (!S->lapack->dgemm)
        return GM_OK;
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_lift(F->problem, AJ_EVERY_PAIR, &entry_map);
    free(entry_map);
    const int status = problem ? aj_search_room(S, problem) : GM_ENOMEM;
    if (status != GM_OK) {
        aj_problem_free(problem);
        return status;
    }
    aj_sdp *sdp = aj_sdp_new(problem, S->lapack);
    if (!sdp)
        return GM_ENOMEM;
    push(S, sdp, AJ_STEPS, F->lower);
    S->sdp_seconds = 1e-9 * AJ_SDP_WORK * pow(sdp->N, 3.0);
    F->phase = SEMIDEFINITE;
    return GM_OK;
}

/* ---- evaluation and deletion */

/* The phase of what the masks left, in *to. STAY, DONE when nothing is left to search, or a
 * negative status. */
static int restricted(aj_search *S, const aj_sdp *from, int32_t chosen, aj_sdp **to)
{
    int32_t *candidate_map = NULL;
    int64_t *entry_map = NULL;
    aj_problem *problem =
        aj_problem_shrink(from->problem, S->candidates, S->entries, &candidate_map, &entry_map);
    int status = problem ? STAY : GM_ENOMEM;
    if (status == STAY && problem->n_nodes == 0) {
        aj_collect(S, problem, NULL);
        aj_polish(S);
        aj_problem_free(problem);
        status = DONE;
    }
    if (status == STAY) {
        *to = aj_sdp_restrict(from, problem, candidate_map, S->candidates, chosen);
        status = *to ? STAY : GM_ENOMEM;
    }
    free(candidate_map);
    free(entry_map);
    return status;
}

/* Deletes what the bound allows. */
static int fix(aj_search *S, aj_node *node)
{
    aj_bound *B = S->bound;
    const aj_problem *P = &node->sdp->changed;
    const double gap = S->cutoff - B->value;
    int64_t n = 0, m = 0;
    aj_bound_force(B, P, gap);
    aj_search_fill_masks(S, P);
    int64_t cleared = aj_fix(B, P, S->cutoff, S->candidates, S->entries);
    cleared += aj_bound_look_ahead(B, P, gap, S->candidates, S->entries, node->sdp->look_ahead);
    if (cleared == 0)
        return STAY;
    const int status = aj_propagate(P, S->candidates, S->entries);
    if (status != 1)
        return status;
    for (int32_t p = 0; p < P->n; p++)
        n += S->candidates[p];
    for (int64_t e = 0; e < P->m; e++)
        m += S->entries[e];
    if (fmin((double)n / P->n, P->m > 0 ? (double)m / (double)P->m : 1.0) >= AJ_SDP_SHRINK)
        return STAY;
    aj_sdp *smaller = NULL;
    S->whole = 0;
    const int left = restricted(S, node->sdp, -1, &smaller);
    if (left == STAY) {
        /* smaller matrices upset the iterates, and make steps cheap */
        if (smaller->N < AJ_SDP_RENEWAL * node->sdp->N)
            node->patience = smaller->steps + AJ_SDP_PATIENCE;
        S->sdp_seconds *= pow((double)smaller->N / node->sdp->N, 3.0);
        aj_sdp_free(node->sdp);
        node->sdp = smaller;
    }
    return left;
}

/* The least bound of all nodes that are open. */
static void raise_bound(aj_search *S, aj_frame *F)
{
    double least = top(S)->lower;
    for (int32_t d = 0; d < S->n_nodes; d++) {
        const aj_node *node = &S->nodes[d];
        if (node->stage == AJ_BRANCHING && node->next_child < node->n_children)
            least = fmin(least, node->child_lower[node->next_child]);
    }
    F->lower = fmax(F->lower, least);
    aj_search_raise(S);
}

/* The star bound of the node's Zt. */
static int evaluate(aj_search *S, aj_frame *F, aj_node *node)
{
    aj_sdp *sdp = node->sdp;
    aj_bound *B = S->bound;
    if (!aj_sdp_change_costs(sdp))
        return STAY;
    memcpy(B->half, sdp->half, sizeof *B->half * (size_t)(2 * sdp->problem->m));
    aj_bound_solve(B, &sdp->changed);
    if (B->value == INFINITY)
        return DONE;
    node->lower = fmax(node->lower, B->value);
    const int32_t all = S->index->n_slots + (S->index->complete ? 0 : S->index->n1);
    if (S->certify && S->whole && S->n_nodes == 1 && sdp->problem->n == all &&
        (!S->certificate || B->value > S->certificate->value)) {
        aj_certificate_free(S->certificate);
        S->certificate = aj_certificate_of_sdp(S->index, sdp, B, S->scale);
        if (!S->certificate)
            return GM_ENOMEM;
    }
    if (node->lower < S->cutoff) {
        aj_collect(S, &sdp->changed, B->match);
        aj_polish(S);
    }
    raise_bound(S, F);
    if (node->lower >= S->cutoff)
        return DONE;
    if (S->fix && S->cutoff - B->value < AJ_SDP_FIX_GAP * fabs(S->cutoff))
        return fix(S, node);
    return STAY;
}

static int is_dense(const aj_node *node)
{
    return node->sdp->problem->n_nodes <= AJ_DENSE_NODES && aj_dense_fits(node->sdp->problem);
}

/* Whether the gain of the last two evaluations, if it lasted, would reach the cutoff. */
static int is_promising(const aj_search *S, const aj_node *node, double value)
{
    /* a dense problem has its tree to go on with */
    const double ahead =
        is_dense(node) ? AJ_SDP_AHEAD : fmax(AJ_SDP_AHEAD, (double)node->sdp->steps);
    const double gain =
        (value - node->last_values[1]) / (double)(node->sdp->steps - node->last_steps[1]);
    return node->sdp->steps < node->patience || value + gain * ahead >= S->cutoff;
}

/* ---- the stages */

static int steps(aj_search *S, aj_frame *F, aj_node *node)
{
    const double started = gm_clock();
    if (started + S->sdp_seconds > S->deadline)
        return STAY; /* the time limit ends the run; nothing that is kept depends on the clock */
    S->work += AJ_SDP_WORK * pow(node->sdp->N, 3.0);
    int status = aj_sdp_step(node->sdp) ? STAY : NEXT;
    const int64_t done = node->sdp->steps;
    if (status == STAY && done >= node->due) {
        const double before = node->lower;
        node->due = done + (done < 60 ? AJ_SDP_EVERY : AJ_SDP_LATER);
        status = evaluate(S, F, node);
        if (status == STAY) {
            const double value = fmax(S->bound->value, before);
            if (!is_promising(S, node, value))
                status = NEXT;
            node->last_values[1] = node->last_values[0];
            node->last_steps[1] = node->last_steps[0];
            node->last_values[0] = value;
            node->last_steps[0] = done;
        }
    }
    S->sdp_seconds = fmax(S->sdp_seconds, gm_clock() - started);
    return status;
}

/* A tree of dual ascent on the node's costs, as far as its quota goes. */
static int tree(aj_search *S, aj_frame *F, aj_node *node, double part)
{
    aj_sdp *sdp = node->sdp;
    const double quota = part * AJ_DENSE_QUOTA * AJ_SDP_WORK * pow(sdp->N, 3.0);
    if (!node->dense) {
        if (!aj_sdp_change_costs(sdp))
            return NEXT;
        if (!S->symmetry)
            S->symmetry = aj_symmetry_new(S->index);
        if (!S->symmetry)
            return GM_ENOMEM;
        node->dense = aj_dense_new(sdp->problem, &sdp->changed, sdp->half, S->index, S->symmetry);
        return node->dense ? STAY : GM_ENOMEM;
    }
    aj_dense *T = node->dense;
    const double before = T->work;
    const enum aj_dense_event event = aj_dense_work(T, S->cutoff);
    S->work += T->work - before;
    if (event == AJ_DENSE_MATCHING) {
        for (int32_t k = 0; k < T->n; k++)
            S->picks[sdp->problem->node[T->chosen[k]]] = T->chosen[k];
        aj_collect(S, sdp->problem, S->picks);
        aj_polish(S);
    }
    node->lower = fmax(node->lower, fmin(aj_dense_bound(T), S->cutoff));
    raise_bound(S, F);
    if (event == AJ_DENSE_FINISHED)
        return DONE;
    const int hopeless = T->work > AJ_DENSE_TRIAL * quota &&
                         T->work > AJ_DENSE_EXCESS * quota * aj_dense_progress(T, S->cutoff);
    return T->work > quota || hopeless ? NEXT : STAY;
}

/* The children that the tree's root has chosen. */
static int branch(aj_node *node)
{
    const aj_dense_level *root = &node->dense->levels[0];
    const size_t n = (size_t)root->n_children;
    node->child = malloc(sizeof *node->child * (n + 1));
    node->child_lower = malloc(sizeof *node->child_lower * (n + 1));
    if (!node->child || !node->child_lower)
        return GM_ENOMEM;
    for (size_t k = 0; k < n; k++) {
        node->child[k] = root->candidate[root->child[k]];
        node->child_lower[k] = fmax(node->lower, root->child_bound[k]);
    }
    node->n_children = root->n_children;
    /* the tree has finished the children before its present one */
    node->next_child = node->dense->depth > 1 ? root->next_child - 1 : root->next_child;
    aj_dense_free(node->dense);
    node->dense = NULL;
    return STAY;
}

static int next_child(aj_search *S, aj_frame *F, aj_node *node)
{
    if (node->next_child >= node->n_children || node->child_lower[node->next_child] >= S->cutoff)
        return DONE;
    const aj_problem *P = node->sdp->problem;
    const double lower = node->child_lower[node->next_child];
    const int32_t p = node->child[node->next_child++], i = P->node[p];
    aj_search_fill_masks(S, P);
    memset(S->candidates + P->node_start[i], 0, (size_t)(P->node_start[i + 1] - P->node_start[i]));
    S->candidates[p] = 1;
    int status = aj_propagate(P, S->candidates, S->entries);
    aj_sdp *child = NULL;
    if (status == 1)
        status = restricted(S, node->sdp, p, &child);
    if (status == STAY) {
        push(S, child, AJ_SMALL_TREE, lower);
        status = evaluate(S, F, top(S));
        if (status == DONE)
            close_node(S);
    }
    return status < 0 ? status : STAY;
}

/* The root goes on in the ordinary search with what is left and, where there are some, with the
 * costs M. */
static int leave(aj_search *S, aj_frame *F)
{
    aj_problem *P = aj_sdp_release(top(S)->sdp);
    aj_pdhg *pdhg = aj_pdhg_new(P);
    top(S)->sdp = NULL;
    close_node(S);
    if (!pdhg) {
        aj_problem_free(P);
        return GM_ENOMEM;
    }
    pdhg->total = F->pdhg->total;
    aj_problem_free(F->problem);
    aj_pdhg_free(F->pdhg);
    F->problem = P;
    F->pdhg = pdhg;
    F->lifted = 1;
    F->phase = EVALUATE;
    F->interval = AJ_FIRST_INTERVAL;
    S->whole = 0; /* other costs than the model's */
    return GM_OK;
}

int aj_semidefinite_work(aj_search *S, aj_frame *F)
{
    aj_node *node = top(S);
    int status = STAY;
    S->run.iteration++;
    switch (node->stage) {
    case AJ_SMALL_TREE: status = tree(S, F, node, AJ_DENSE_SMALL); break;
    case AJ_STEPS: status = steps(S, F, node); break;
    case AJ_LARGE_TREE: status = tree(S, F, node, 1.0); break;
    case AJ_BRANCHING: status = next_child(S, F, node); break;
    }
    if (status == NEXT && !S->branch) {
        S->run.finished = 1; /* the root is all that was asked for */
        return GM_OK;
    }
    if (status == NEXT) {
        if (!is_dense(node))
            return leave(S, F);
        if (node->stage == AJ_LARGE_TREE) {
            status = branch(node);
        } else {
            aj_dense_free(node->dense);
            node->dense = NULL;
        }
        node->stage++;
    }
    if (status == DONE) {
        close_node(S);
        if (S->n_nodes > 0) {
            raise_bound(S, F);
        } else {
            aj_search_close_frame(S);
            aj_search_raise(S);
        }
    }
    return status < 0 ? status : GM_OK;
}
