/* The path from the root to the present subproblem, and its memory: problems shrink, are lifted,
 * are put aside when all of them together take too much, and are rebuilt when the search comes
 * back. */
#include "aj/policy.h"
#include "aj/search.h"

#include <stdlib.h>
#include <string.h>

void aj_search_close_frame(aj_search *S)
{
    aj_frame *F = &S->frames[--S->depth];
    aj_problem_free(F->problem);
    aj_pdhg_free(F->pdhg);
    free(F->child);
    free(F->child_lower);
    memset(F, 0, sizeof *F);
}

int aj_search_room(aj_search *S, const aj_problem *P)
{
    S->room_n = P->n > S->room_n ? P->n : S->room_n;
    S->room_m = P->m > S->room_m ? P->m : S->room_m;
    S->room_mu = P->n_mu > S->room_mu ? P->n_mu : S->room_mu;
    S->room_nu = P->n_nu > S->room_nu ? P->n_nu : S->room_nu;
    aj_bound_free(S->bound);
    free(S->candidates);
    free(S->entries);
    S->bound =
        aj_bound_new(S->index->n1, P->n_labels, S->room_n, S->room_m, S->room_mu, S->room_nu);
    S->candidates = malloc((size_t)S->room_n + 1);
    S->entries = malloc((size_t)S->room_m + 1);
    return S->bound && S->candidates && S->entries ? GM_OK : GM_ENOMEM;
}

void aj_search_fill_masks(aj_search *S, const aj_problem *P)
{
    memset(S->candidates, 1, (size_t)P->n);
    memset(S->entries, 1, (size_t)P->m);
}

int aj_frame_reduce(aj_search *S, aj_frame *F, const aj_problem *from, const aj_pdhg *warm)
{
    int32_t *candidate_map = NULL;
    int64_t *entry_map = NULL;
    int status = aj_propagate(from, S->candidates, S->entries);
    if (status != 1)
        return status;
    aj_problem *problem =
        aj_problem_shrink(from, S->candidates, S->entries, &candidate_map, &entry_map);
    aj_pdhg *pdhg = problem ? aj_pdhg_new(problem) : NULL;
    status = pdhg ? 1 : GM_ENOMEM;
    if (status == 1 && problem->n_nodes == 0) { /* everything is decided */
        aj_collect(S, problem, NULL);
        aj_polish(S);
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

int aj_frame_lift(aj_search *S, aj_frame *F)
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
        aj_problem_free(F->problem);
        aj_pdhg_free(F->pdhg);
        F->problem = problem;
        F->pdhg = pdhg;
        status = aj_search_room(S, problem);
    } else {
        aj_problem_free(problem);
    }
    free(entry_map);
    return status;
}

int32_t aj_frame_key(const aj_search *S, const aj_problem *P, int32_t p)
{
    return P->origin[p] >= 0 ? P->origin[p] : -1 - (P->label[p] - S->index->n2);
}

int32_t aj_frame_find(const aj_search *S, const aj_problem *P, int32_t key)
{
    for (int32_t p = 0; p < P->n; p++)
        if (aj_frame_key(S, P, p) == key)
            return p;
    return -1;
}

int aj_frame_restore(aj_search *S, int32_t d)
{
    int32_t from = d;
    while (!S->frames[from].problem)
        from--;
    const aj_frame *above = &S->frames[from];
    const aj_problem *P = above->problem;
    aj_search_fill_masks(S, P);
    for (int32_t k = from; k < d; k++) { /* the decisions since then */
        const aj_frame *F = &S->frames[k];
        const int32_t p = aj_frame_find(S, P, F->child[F->next_child - 1]);
        if (p < 0)
            continue; /* without a decision the problem is larger than it need be, and as valid */
        for (int32_t q = P->node_start[P->node[p]]; q < P->node_start[P->node[p] + 1]; q++)
            S->candidates[q] &= (uint8_t)(q == p);
    }
    S->frames[d].lifted = above->lifted;
    return aj_frame_reduce(S, &S->frames[d], P, above->pdhg);
}

static double bytes(const aj_frame *F)
{
    return F->problem ? AJ_BYTES_PER_ENTRY * (double)F->problem->m +
                            AJ_BYTES_PER_CANDIDATE * (double)F->problem->n
                      : 0.0;
}

void aj_frames_put_aside(aj_search *S)
{
    double total = 0.0;
    for (int32_t d = 1; d < S->depth; d++)
        total += bytes(&S->frames[d]);
    for (int32_t d = 1; d < S->depth - 1 && total > S->memory; d++) { /* needed last */
        aj_frame *F = &S->frames[d];
        total -= bytes(F);
        aj_problem_free(F->problem);
        aj_pdhg_free(F->pdhg);
        F->problem = NULL;
        F->pdhg = NULL;
    }
}
