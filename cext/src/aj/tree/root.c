#include "aj/tree/root.h"

#include <math.h>

int aj_root_sweep(aj_tree *T, double cutoff)
{
    const int early = !T->opened && T->index->n1 > AJ_REGION;
    const int status = aj_sweeps_step(&T->sweeps, T->scale, cutoff, early);
    if (status != GM_OK)
        return status;
    T->n_units++;
    T->spent += gm_bca_work(T->sweeps.bca);
    if (T->opened)
        T->path.frames[0].lower = fmax(T->path.frames[0].lower, T->sweeps.bound);
    return AJ_PROVED;
}

int aj_tree_can_sweep_beside(const aj_tree *T)
{
    return !T->opened && !T->sweeps.going_on && T->sweeps.gains && T->index->n1 > AJ_REGION;
}

int aj_tree_sweep_beside(aj_tree *T, double cutoff)
{
    const int status = aj_sweeps_step_beside(&T->sweeps, T->scale, cutoff);
    T->n_units++;
    T->beside += gm_bca_work(T->sweeps.bca);
    return status == GM_OK ? AJ_PROVED : status;
}

void aj_root_end_sweeps(aj_tree *T)
{
    const aj_frame *root = &T->path.frames[0];
    if (T->path.depth > 0 && root->lifted) {
        const gm_reparametrisation costs = gm_bca_costs(T->sweeps.bca);
        aj_pdhg_set_messages(root->pdhg, T->index, &costs, T->scale);
    }
    aj_sweeps_end(&T->sweeps);
}

/* Whether every node has a choice and propagation deleted nothing: then the root is the problem as
 * it is. */
static int is_untouched(const aj_scratch *scratch, const aj_problem *P)
{
    for (int32_t i = 0; i < P->n_nodes; i++)
        if (P->node_start[i + 1] - P->node_start[i] < 2)
            return 0;
    return P->n_nodes > 0 && aj_scratch_kept_part(scratch, P) == 1.0;
}

/* The problem, propagated, becomes the root's. An enum aj_rest or GM_ENOMEM. */
static int fill_root(aj_tree *T, aj_frame *root, aj_problem *problem)
{
    aj_scratch_keep_all(&T->scratch, problem);
    int rest = aj_scratch_propagate(&T->scratch, problem);
    if (rest == AJ_OPEN && is_untouched(&T->scratch, problem))
        return aj_frame_take(root, problem) == GM_OK ? AJ_OPEN : GM_ENOMEM;
    if (rest == AJ_OPEN)
        rest = aj_frame_reduce(root, problem, NULL, &T->scratch, &T->proposals);
    aj_problem_free(problem);
    return rest;
}

int aj_root_open(aj_tree *T, double cutoff)
{
    aj_frame *root = &T->path.frames[0];
    T->opened = 1;
    if (T->sweeps.bound >= cutoff && !T->certified.wanted)
        return AJ_PROVED; /* no root is left to search */
    aj_problem *problem = aj_problem_new(T->index, T->scale);
    if (!problem || aj_scratch_fit(&T->scratch, problem) != GM_OK) {
        aj_problem_free(problem);
        return GM_ENOMEM;
    }
    const int lifted = aj_problem_lifted_entries(problem, AJ_LINKED) == problem->m;
    const int has_tables = lifted && problem->m > 0;
    aj_frame_begin(root, T->sweeps.bound, 1.0, lifted);
    const int rest = fill_root(T, root, problem);
    T->path.depth = rest == AJ_OPEN;
    if (rest == AJ_OPEN && has_tables && !T->sweeps.bca && T->semidefinite.mode != AJ_SDP_AT_ONCE &&
        aj_sweeps_begin(&T->sweeps, T->index) != GM_OK)
        return GM_ENOMEM;
    return rest < 0 ? rest : AJ_WENT_ON;
}

int aj_root_restore(aj_tree *T)
{
    aj_semidefinite *phase = &T->semidefinite;
    const int status =
        aj_semidefinite_restore(phase, T->kept_root, T->index, T->scale, &T->scratch, &T->leaves);
    if (status != GM_OK)
        return status;
    if (phase->n_nodes > 0) {
        aj_frame_begin(&T->path.frames[0], T->kept_root->lower, 1.0, 1);
        T->path.frames[0].phase = AJ_SEMIDEFINITE;
        T->path.depth = T->opened = 1;
    } else if (phase->tried) {
        T->kept_root = NULL;
    }
    return AJ_WENT_ON;
}

void aj_root_return(aj_tree *T)
{
    const aj_frame *root = &T->path.frames[0];
    if (root->children.leaves) /* in their order; the one that is searched stays open */
        T->leaves.first += root->children.next - (T->path.depth > 1);
    while (T->path.depth > 1)
        aj_path_pop(&T->path);
    aj_children_forget(&T->path.frames[0].children);
    T->path.frames[0].phase = AJ_EVALUATE;
}

int aj_root_lift(aj_tree *T)
{
    aj_frame *root = &T->path.frames[0];
    if (aj_problem_lifted_entries(root->problem, AJ_LINKED) > T->lift_limit) {
        root->lifted = 1;
        return AJ_WENT_ON;
    }
    aj_root_return(T);
    return aj_frame_lift(root, &T->scratch) == GM_OK ? AJ_WENT_ON : GM_ENOMEM;
}
