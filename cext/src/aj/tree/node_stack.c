#include "aj/tree/node_stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void aj_path_take(aj_path *path, gm_pool *pool, const gm_index *index)
{
    path->index = index;
    GM_TAKE(pool, index->n1 + 2, path->frames); /* a leaf may have as many nodes as the root */
}

aj_frame *aj_path_top(const aj_path *path)
{
    return &path->frames[path->depth - 1];
}

/* Replaces the problem and the ascent of the frame. */
static void replace(aj_frame *F, aj_problem *problem, aj_pdhg *pdhg)
{
    aj_problem_free(F->problem);
    aj_pdhg_free(F->pdhg);
    F->problem = problem;
    F->pdhg = pdhg;
}

void aj_path_pop(aj_path *path)
{
    aj_frame *F = aj_path_top(path);
    replace(F, NULL, NULL);
    aj_children_forget(&F->children);
    memset(F, 0, sizeof *F);
    path->depth--;
}

double aj_path_lower(const aj_path *path)
{
    double lower = INFINITY;
    for (int32_t d = 0; d < path->depth; d++) {
        const aj_frame *F = &path->frames[d];
        if (F->phase != AJ_BRANCH)
            lower = fmin(lower, F->lower);
        else if (F->children.next < F->children.n)
            lower = fmin(lower, F->children.lower[F->children.next]);
    }
    return lower;
}

double aj_path_weight(const aj_path *path)
{
    double weight = 0.0;
    for (int32_t d = 0; d < path->depth; d++) {
        const aj_frame *F = &path->frames[d];
        if (F->phase != AJ_BRANCH)
            weight += F->weight;
        for (int32_t k = F->children.next; F->phase == AJ_BRANCH && k < F->children.n; k++)
            weight += F->children.weight[k];
    }
    return weight;
}

int aj_frame_reduce(aj_frame *F, const aj_problem *from, const aj_pdhg *warm,
                    const aj_scratch *scratch, aj_proposals *proposals)
{
    int32_t *candidate_map = NULL;
    int64_t *entry_map = NULL;
    aj_problem *problem =
        aj_problem_shrink(from, scratch->candidates, scratch->entries, &candidate_map, &entry_map);
    aj_pdhg *pdhg = problem ? aj_pdhg_new(problem) : NULL;
    int status = pdhg ? AJ_OPEN : GM_ENOMEM;
    if (pdhg && problem->n_nodes == 0) {
        aj_propose(proposals, problem, NULL, -INFINITY);
        status = AJ_EMPTY;
    }
    if (status == AJ_OPEN) {
        if (warm)
            aj_pdhg_transfer(pdhg, warm, candidate_map, entry_map);
        replace(F, problem, pdhg);
    } else {
        aj_problem_free(problem);
        aj_pdhg_free(pdhg);
    }
    free(candidate_map);
    free(entry_map);
    return status;
}

int aj_frame_take(aj_frame *F, aj_problem *problem)
{
    aj_pdhg *pdhg = aj_pdhg_new(problem);
    if (!pdhg) {
        aj_problem_free(problem);
        return GM_ENOMEM;
    }
    pdhg->total = F->pdhg ? F->pdhg->total : 0;
    replace(F, problem, pdhg);
    return GM_OK;
}

int aj_frame_lift(aj_frame *F, aj_scratch *scratch)
{
    int64_t *entry_map = NULL;
    aj_problem *problem = aj_problem_lift(F->problem, AJ_LINKED, &entry_map);
    aj_pdhg *pdhg = problem ? aj_pdhg_new(problem) : NULL;
    int status = pdhg ? GM_OK : GM_ENOMEM;
    F->lifted = 1;
    F->stalled = 0;
    if (status == GM_OK) {
        aj_pdhg_transfer(pdhg, F->pdhg, NULL, entry_map);
        pdhg->total = F->pdhg->total;
        replace(F, problem, pdhg);
        status = aj_scratch_fit(scratch, problem);
    } else {
        aj_problem_free(problem);
    }
    free(entry_map);
    return status;
}

/* ---- the rhythm of evaluations */

void aj_frame_begin(aj_frame *F, double lower, double weight, int lifted)
{
    F->lower = lower;
    F->weight = weight;
    F->lifted = lifted;
    F->phase = AJ_EVALUATE;
    F->interval = AJ_FIRST_INTERVAL;
}

void aj_frame_schedule(aj_frame *F)
{
    F->phase = AJ_ASCEND;
    F->due = F->pdhg->total + (int64_t)F->interval;
    F->interval = fmin(F->interval * AJ_INTERVAL_GROWTH, AJ_LAST_INTERVAL);
}

void aj_frame_ascend(aj_frame *F)
{
    const int last = F->pdhg->total + 1 >= F->due;
    aj_pdhg_step(F->pdhg, last || (F->pdhg->k + 1) % AJ_CHECK_EVERY == 0);
    if (last)
        F->phase = AJ_EVALUATE;
}

/* ---- candidates across subproblems */

int32_t aj_candidate_key(const gm_index *index, const aj_problem *P, int32_t p)
{
    return P->origin[p] >= 0 ? P->origin[p] : -1 - aj_model_node(index, P, p);
}

int32_t aj_candidate_find(const gm_index *index, const aj_problem *P, int32_t key)
{
    for (int32_t p = 0; p < P->n; p++)
        if (aj_candidate_key(index, P, p) == key)
            return p;
    return -1;
}

int aj_frame_decide(const aj_frame *F, int32_t k, const gm_index *index, const aj_problem *P,
                    aj_scratch *scratch, int32_t *last)
{
    if (F->children.leaves)
        return aj_leaves_decide(F->children.leaves, F->children.child[k], index, P, scratch, last);
    *last = aj_candidate_find(index, P, F->children.child[k]);
    if (*last < 0)
        return AJ_EMPTY;
    aj_scratch_decide(scratch, P, *last);
    return AJ_OPEN;
}

void aj_frame_list(const aj_frame *F, int32_t k, aj_leaves *leaves)
{
    if (F->children.leaves)
        aj_leaves_add_decisions_of(leaves, F->children.leaves, F->children.child[k]);
    else
        aj_leaves_add_decision(leaves, F->children.child[k]);
}

/* ---- memory */

/* Memory of a frame, estimated. */
static double bytes(const aj_frame *F)
{
    return F->problem ? AJ_BYTES_PER_ENTRY * (double)F->problem->m +
                            AJ_BYTES_PER_CANDIDATE * (double)F->problem->n
                      : 0.0;
}

void aj_path_put_aside(aj_path *path)
{
    double total = 0.0;
    for (int32_t d = 1; d < path->depth; d++)
        total += bytes(&path->frames[d]);
    for (int32_t d = 1; d < path->depth - 1 && total > path->memory; d++) { /* needed last */
        total -= bytes(&path->frames[d]);
        replace(&path->frames[d], NULL, NULL);
    }
}

int aj_path_restore(aj_path *path, aj_scratch *scratch, aj_proposals *proposals)
{
    aj_frame *top = aj_path_top(path);
    const aj_frame *above = top;
    while (!above->problem)
        above--;
    const aj_problem *P = above->problem;
    aj_scratch_keep_all(scratch, P);
    for (const aj_frame *F = above; F < top; F++) { /* the decisions since then */
        int32_t last;
        /* without a decision the problem is larger than it need be, and as valid */
        aj_frame_decide(F, F->children.next - 1, path->index, P, scratch, &last);
    }
    top->lifted = above->lifted;
    const int rest = aj_scratch_propagate(scratch, P);
    return rest == AJ_OPEN ? aj_frame_reduce(top, P, above->pdhg, scratch, proposals) : rest;
}
