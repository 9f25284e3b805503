#include "aj/sdp/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether some node has no candidate that goes with p: then p needs no duals to be deleted. */
static int has_empty_row(const aj_problem *P, const double *cost, int32_t p)
{
    for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++) {
        int empty = P->mu_equal[r];
        for (int64_t h = P->half_start[r]; h < P->half_start[r + 1] && empty; h++)
            empty = cost[h] == INFINITY;
        if (empty)
            return 1;
    }
    return 0;
}

/* Whether the duals of p's look ahead prove its deletion: if no assignment exists the search has
 * ended early, and its duals prove nothing. `reduced` are the costs less duals and row minima. */
static int is_proven(const aj_bound *B, const aj_problem *P, const double *reduced, int32_t p)
{
    int32_t n_matched = 0;
    for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
        n_matched += B->row_mate[r] >= 0;
    return n_matched == P->mu_start[p + 1] - P->mu_start[p] || has_empty_row(P, reduced, p);
}

/* Notes the column dual of a deleted candidate's star for the label of the entry's other end. */
static void note_dual(aj_certificate *C, int32_t star, int32_t label, double dual)
{
    C->gone_star[C->n_gone_duals] = star;
    C->gone_label[C->n_gone_duals] = label;
    C->gone_dual[C->n_gone_duals++] = dual;
}

/* Notes the duals of all deleted candidates' look ahead, each once: `noted` (n_nu) is zero. */
static void note_duals(aj_certificate *C, const gm_index *index, const aj_scratch *scratch,
                       const aj_problem *P, const int32_t *candidate, double scale, uint8_t *noted)
{
    const double *v = scratch->bound->star_v;
    for (int64_t e = 0; e < P->m; e++)
        for (int side = 0; side < 2; side++) {
            const int32_t own = side ? P->b[e] : P->a[e], other = side ? P->a[e] : P->b[e];
            const int32_t c = side ? P->nu_b[e] : P->nu_a[e];
            const int is_dummy = P->label[other] >= index->n2;
            if (scratch->candidates[own] || noted[c] || !(v[c] < 0.0) || is_dummy)
                continue;
            noted[c] = 1;
            note_dual(C, candidate[own], P->label[other], v[c] / scale);
        }
}

/* Notes the deleted candidates, with their duals, and deleted pairs of others. GM_OK or GM_ENOMEM.
 */
static int note_deletions(aj_certificate *C, const gm_index *index, const aj_scratch *scratch,
                          const aj_problem *P, double scale)
{
    int32_t *candidate = aj_certified_candidates(index, P);
    uint8_t *noted = calloc((size_t)P->n_nu + 1, 1);
    GM_TAKE(&C->pool, P->n, C->gone);
    GM_TAKE(&C->pool, P->n_nu, C->gone_star);
    GM_TAKE(&C->pool, P->n_nu, C->gone_label);
    GM_TAKE(&C->pool, P->n_nu, C->gone_dual);
    GM_TAKE(&C->pool, P->m, C->pair_a);
    GM_TAKE(&C->pool, P->m, C->pair_b);
    const int status = candidate && noted && !C->pool.failed ? GM_OK : GM_ENOMEM;
    if (status == GM_OK) {
        for (int32_t p = 0; p < P->n; p++)
            if (!scratch->candidates[p])
                C->gone[C->n_gone++] = candidate[p];
        for (int64_t e = 0; e < P->m; e++) {
            const int32_t p = P->a[e], q = P->b[e];
            if (!scratch->entries[e] && scratch->candidates[p] && scratch->candidates[q]) {
                C->pair_a[C->n_gone_pairs] = candidate[p];
                C->pair_b[C->n_gone_pairs++] = candidate[q];
            }
        }
        note_duals(C, index, scratch, P, candidate, scale, noted);
    }
    free(noted);
    free(candidate);
    return status;
}

int64_t aj_stages_delete(aj_certified *certified, aj_scratch *scratch, const aj_problem *P,
                         double cutoff, double *ahead_cost)
{
    aj_bound *B = scratch->bound;
    memcpy(B->forced, B->reduced, sizeof *B->forced * (size_t)P->n);
    /* the stage has the duals of the stars already; those of looking ahead follow */
    memset(B->star_v, 0, sizeof *B->star_v * (size_t)P->n_nu);
    int64_t cleared = aj_fix(B, P, cutoff, scratch->candidates, scratch->entries);
    memcpy(B->forced, B->reduced, sizeof *B->forced * (size_t)P->n);
    uint8_t *before = (uint8_t *)malloc((size_t)P->n + 1);
    if (!before)
        return GM_ENOMEM;
    memcpy(before, scratch->candidates, (size_t)P->n);
    cleared += aj_bound_look_ahead(B, P, cutoff - B->value, scratch->candidates, scratch->entries,
                                   ahead_cost);
    for (int32_t p = 0; p < P->n; p++)
        if (before[p] && !scratch->candidates[p] && !is_proven(B, P, ahead_cost, p)) {
            scratch->candidates[p] = 1;
            cleared--;
        }
    free(before);
    return note_deletions(certified->present, certified->index, scratch, P, certified->scale) ==
                   GM_OK
               ? cleared
               : GM_ENOMEM;
}

int aj_stages_add(aj_certified *certified, double cutoff, int last)
{
    if (!certified->staged || !certified->present || certified->complete)
        return GM_OK;
    if (certified->n_stages == certified->n_allocated) {
        const int32_t n_allocated = 2 * certified->n_allocated + 8;
        aj_certificate **more = realloc(certified->stages, sizeof *more * (size_t)n_allocated);
        if (!more)
            return GM_ENOMEM;
        certified->stages = more;
        certified->n_allocated = n_allocated;
    }
    certified->stages[certified->n_stages++] = certified->present;
    certified->present = NULL;
    certified->cutoff = cutoff;
    certified->complete = last;
    return GM_OK;
}
