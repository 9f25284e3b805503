/* Making problems smaller: deletion by reduced costs, propagation, and the problem
 * that remains. */
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
    for (int64_t e = 0; e < P->m && !gm_watch_step(bound->watch, e); e++)
        if (entries[e] && aj_bound_pair(bound, P, e) >= gap) {
            entries[e] = 0;
            cleared++;
        }
    return cleared;
}

/* ---- propagation */

/* taken_by of each label: the candidate of a node that has no other, or -1. Returns 0 if a node has
 * no candidate, or two nodes need the same label. */
static int find_decided(const aj_problem *P, const uint8_t *candidates, int32_t *taken_by)
{
    int possible = 1;
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
            possible = 0;
        else if (alive == 1)
            taken_by[P->label[last]] = last;
    }
    return possible;
}

/* Clears the labels that are taken from all other nodes. Returns whether a candidate was cleared.
 */
static int clear_taken(const aj_problem *P, const int32_t *taken_by, uint8_t *candidates)
{
    int changed = 0;
    for (int32_t p = 0; p < P->n; p++) {
        const int32_t owner = taken_by[P->label[p]];
        if (candidates[p] && owner >= 0 && owner != p) {
            candidates[p] = 0;
            changed = 1;
        }
    }
    return changed;
}

/* Clears entries without one of their ends; row_alive marks the mu rows that have an entry. */
static void clear_entries(const aj_problem *P, const uint8_t *candidates, uint8_t *entries,
                          uint8_t *row_alive)
{
    memset(row_alive, 0, (size_t)P->n_mu);
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        entries[e] = (uint8_t)(entries[e] && candidates[P->a[e]] && candidates[P->b[e]]);
        if (entries[e])
            row_alive[P->mu_a[e]] = row_alive[P->mu_b[e]] = 1;
    }
}

/* In a full table every chosen candidate has a partner. Returns whether a candidate was cleared. */
static int clear_partnerless(const aj_problem *P, const uint8_t *row_alive, uint8_t *candidates)
{
    int changed = 0;
    for (int32_t p = 0; p < P->n; p++) {
        int32_t tables = 0;
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            tables += P->mu_equal[r] && row_alive[r];
        if (candidates[p] && tables < P->n_tables[P->node[p]]) {
            candidates[p] = 0;
            changed = 1;
        }
    }
    return changed;
}

int aj_propagate(const aj_problem *P, uint8_t *candidates, uint8_t *entries)
{
    gm_pool scratch = {0};
    int32_t *taken_by;
    uint8_t *row_alive;
    GM_TAKE(&scratch, P->n_labels, taken_by);
    GM_TAKE(&scratch, P->n_mu, row_alive);
    int rest = scratch.failed ? GM_ENOMEM : AJ_OPEN;
    for (int changed = 1; changed && rest == AJ_OPEN;) {
        rest = find_decided(P, candidates, taken_by) ? AJ_OPEN : AJ_EMPTY;
        changed = clear_taken(P, taken_by, candidates);
        clear_entries(P, candidates, entries, row_alive);
        changed |= clear_partnerless(P, row_alive, candidates);
        if (gm_watch_spend(P->watch, (int64_t)P->n_labels + P->n_mu + P->n))
            rest = GM_ECUT;
    }
    gm_pool_free(&scratch);
    return rest;
}

/* ---- the problem that remains */

/* The new number of a candidate, or one of these. */
enum { GONE = -1, CHOSEN = -2 };

/* How large the new problem is. */
typedef struct sizes {
    int32_t n_nodes, n, n_chosen;
    int64_t m;
} sizes;

/* Numbers the candidates of nodes that still have a choice; candidate_map gives their old ones. */
static sizes number_candidates(const aj_problem *P, const uint8_t *candidates,
                               const uint8_t *entries, int32_t *number, int32_t *candidate_map)
{
    sizes size = {.n_chosen = P->n_chosen};
    for (int32_t i = 0; i < P->n_nodes; i++) {
        int32_t alive = 0;
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
            alive += candidates[p];
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++) {
            number[p] = candidates[p] ? CHOSEN : GONE;
            if (candidates[p] && alive > 1) {
                number[p] = size.n;
                candidate_map[size.n++] = p;
            }
            size.n_chosen += number[p] == CHOSEN && P->origin[p] >= 0;
        }
        size.n_nodes += alive > 1;
    }
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++)
        size.m += entries[e] && number[P->a[e]] >= 0 && number[P->b[e]] >= 0;
    return size;
}

/* The candidates of the new problem, node by node. */
static void list_candidates(const aj_problem *P, const int32_t *candidate_map, aj_problem *to)
{
    int32_t i = -1, before = -1;
    for (int32_t k = 0; k < to->n; k++) {
        const int32_t p = candidate_map[k];
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
}

/* Adds to a running sum and to the bound on its rounding error. */
static void add(double *sum, double term, double *error)
{
    *sum += term;
    *error += AJ_EPS * fabs(*sum);
}

/* The chosen candidates and their costs, old and new ones. */
static void collect_chosen(const aj_problem *P, const int32_t *number, aj_problem *to)
{
    int32_t n_chosen = P->n_chosen;
    to->constant = P->constant;
    to->error = P->error;
    memcpy(to->chosen, P->chosen, sizeof *P->chosen * (size_t)P->n_chosen);
    for (int32_t p = 0; p < P->n; p++)
        if (number[p] == CHOSEN) {
            add(&to->constant, P->cost[p], &to->error);
            if (P->origin[p] >= 0)
                to->chosen[n_chosen++] = P->origin[p];
        }
}

/* Entries between open candidates stay; the cost of one with a chosen end becomes part of the other
 * end's cost, or of the constant. */
static void list_entries(const aj_problem *P, const uint8_t *entries, const int32_t *number,
                         aj_problem *to, int64_t *entry_map)
{
    int64_t m = 0;
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
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
            entry_map[m++] = e;
        }
    }
}

aj_problem *aj_problem_shrink(const aj_problem *P, const uint8_t *candidates,
                              const uint8_t *entries, int32_t **candidate_map, int64_t **entry_map)
{
    gm_pool scratch = {0};
    int32_t *number; /* of each candidate, in the new problem */
    GM_TAKE(&scratch, P->n, number);
    aj_problem *to = NULL;
    *candidate_map = malloc(sizeof **candidate_map * ((size_t)P->n + 1));
    *entry_map = malloc(sizeof **entry_map * ((size_t)P->m + 1));
    int failed = scratch.failed || !*candidate_map || !*entry_map;
    if (!failed) {
        const sizes size = number_candidates(P, candidates, entries, number, *candidate_map);
        to = aj_problem_alloc(size.n_nodes, P->n_labels, size.n, size.m, size.n_chosen, P->watch);
        failed = !to;
    }
    if (!failed) {
        list_candidates(P, *candidate_map, to);
        collect_chosen(P, number, to);
        list_entries(P, entries, number, to, *entry_map);
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
