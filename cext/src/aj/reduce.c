/* Making problems smaller: fixing by reduced costs, propagation, and the problem of what is left.
 */
#include "aj/aj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t aj_fix(const aj_bound *bound, const aj_problem *P, double cutoff, uint8_t *candidates,
               uint8_t *entries)
{
    int64_t cleared = 0;
    const double gap = cutoff - bound->value;
    for (int32_t p = 0; p < P->n; p++)
        if (candidates[p] && bound->forced[p] >= gap) {
            candidates[p] = 0;
            cleared++;
        }
    for (int64_t e = 0; e < P->m; e++)
        if (entries[e] && aj_bound_pair(bound, P, e) >= gap) {
            entries[e] = 0;
            cleared++;
        }
    return cleared;
}

int aj_propagate(const aj_problem *P, uint8_t *candidates, uint8_t *entries)
{
    gm_pool scratch = {0};
    int32_t *taken_by;
    uint8_t *row_alive;
    GM_TAKE(&scratch, P->n_labels, taken_by);
    GM_TAKE(&scratch, P->n_mu, row_alive);
    int status = scratch.failed ? GM_ENOMEM : 1;
    for (int changed = 1; changed && status == 1;) {
        changed = 0;
        for (int32_t l = 0; l < P->n_labels; l++)
            taken_by[l] = -1;
        for (int32_t i = 0; i < P->n_nodes; i++) {
            int32_t alive = 0, last = -1;
            for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
                if (candidates[p]) {
                    alive++;
                    last = p;
                }
            if (alive == 0 || (alive == 1 && taken_by[P->label[last]] >= 0))
                status = 0;
            else if (alive == 1)
                taken_by[P->label[last]] = last;
        }
        for (int32_t p = 0; p < P->n; p++)
            if (candidates[p] && taken_by[P->label[p]] >= 0 && taken_by[P->label[p]] != p) {
                candidates[p] = 0;
                changed = 1;
            }
        memset(row_alive, 0, (size_t)P->n_mu);
        for (int64_t e = 0; e < P->m; e++) {
            entries[e] = (uint8_t)(entries[e] && candidates[P->a[e]] && candidates[P->b[e]]);
            if (entries[e])
                row_alive[P->mu_a[e]] = row_alive[P->mu_b[e]] = 1;
        }
        /* in a full table every chosen candidate has a partner */
        for (int32_t p = 0; p < P->n; p++) {
            int32_t tables = 0;
            for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
                tables += P->mu_equal[r] && row_alive[r];
            if (candidates[p] && tables < P->n_tables[P->node[p]]) {
                candidates[p] = 0;
                changed = 1;
            }
        }
    }
    gm_pool_free(&scratch);
    return status;
}

/* Adds to a running sum and to the bound on its rounding error. */
static void add(double *sum, double term, double *error)
{
    *sum += term;
    *error += AJ_EPS * fabs(*sum);
}

aj_problem *aj_problem_shrink(const aj_problem *P, const uint8_t *candidates,
                              const uint8_t *entries, int32_t **candidate_map, int64_t **entry_map)
{
    gm_pool scratch = {0};
    int32_t *number; /* new number of a candidate, CHOSEN or GONE */
    enum { GONE = -1, CHOSEN = -2 };
    GM_TAKE(&scratch, P->n, number);
    aj_problem *to = NULL;
    *candidate_map = malloc(sizeof **candidate_map * ((size_t)P->n + 1));
    *entry_map = malloc(sizeof **entry_map * ((size_t)P->m + 1));
    int failed = scratch.failed || !*candidate_map || !*entry_map;
    if (!failed) {
        int32_t n_nodes = 0, n = 0, n_chosen = P->n_chosen;
        int64_t m = 0;
        for (int32_t i = 0; i < P->n_nodes; i++) {
            int32_t alive = 0;
            for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
                alive += candidates[p];
            for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++) {
                number[p] = candidates[p] ? CHOSEN : GONE;
                if (candidates[p] && alive > 1) {
                    number[p] = n;
                    (*candidate_map)[n++] = p;
                }
                n_chosen += number[p] == CHOSEN && P->origin[p] >= 0;
            }
            n_nodes += alive > 1;
        }
        for (int64_t e = 0; e < P->m; e++)
            m += entries[e] && number[P->a[e]] >= 0 && number[P->b[e]] >= 0;
        to = aj_problem_alloc(n_nodes, P->n_labels, n, m, n_chosen);
        failed = !to;
    }
    if (!failed) {
        int32_t i = -1, n_chosen = P->n_chosen;
        to->constant = P->constant;
        to->error = P->error;
        memcpy(to->chosen, P->chosen, sizeof *P->chosen * (size_t)P->n_chosen);
        for (int32_t k = 0, before = -1; k < to->n; k++) {
            const int32_t p = (*candidate_map)[k];
            if (P->node[p] != before) {
                before = P->node[p];
                to->node_start[++i] = k;
            }
            to->node[k] = i;
            to->label[k] = P->label[p];
            to->origin[k] = P->origin[p];
            to->cost[k] = P->cost[p];
        }
        to->node_start[to->n_nodes] = to->n;
        for (int32_t p = 0; p < P->n; p++)
            if (number[p] == CHOSEN) {
                add(&to->constant, P->cost[p], &to->error);
                if (P->origin[p] >= 0)
                    to->chosen[n_chosen++] = P->origin[p];
            }
        int64_t m = 0;
        for (int64_t e = 0; e < P->m; e++) {
            if (!entries[e])
                continue;
            const int32_t a = number[P->a[e]], b = number[P->b[e]];
            if (a == CHOSEN && b == CHOSEN) {
                add(&to->constant, P->theta[e], &to->error);
            } else if (a == CHOSEN) {
                add(&to->cost[b], P->theta[e], &to->error);
            } else if (b == CHOSEN) {
                add(&to->cost[a], P->theta[e], &to->error);
            } else {
                to->a[m] = a;
                to->b[m] = b;
                to->theta[m] = P->theta[e];
                to->equal[m] = P->equal[e];
                (*entry_map)[m++] = e;
            }
        }
        failed = aj_problem_index(to) != GM_OK;
    }
    gm_pool_free(&scratch);
    if (failed) {
        aj_problem_free(to);
        free(*candidate_map);
        free(*entry_map);
        *candidate_map = NULL;
        *entry_map = NULL;
        return NULL;
    }
    return to;
}
