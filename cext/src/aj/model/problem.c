/* Problems of the exact method: their lists of candidates and entries from the model (mode N), and
 * the rows of the Adams-Johnson LP that follow from the lists. lift.c has mode E. */
#include "aj/aj.h"
#include "base/csr.h"

#include <stdlib.h>
#include <string.h>

aj_problem *aj_problem_alloc(int32_t n_nodes, int32_t n_labels, int32_t n, int64_t m,
                             int32_t n_chosen, gm_watch *watch)
{
    aj_problem *P = calloc(1, sizeof *P);
    if (!P)
        return NULL;
    P->watch = watch;
    P->n_nodes = n_nodes;
    P->n_labels = n_labels;
    P->n = n;
    P->m = m;
    P->n_chosen = n_chosen;
    GM_TAKE(&P->pool, n_chosen, P->chosen);
    GM_TAKE(&P->pool, n, P->node);
    GM_TAKE(&P->pool, n, P->label);
    GM_TAKE(&P->pool, n, P->origin);
    GM_TAKE(&P->pool, n, P->cost);
    GM_TAKE(&P->pool, n_nodes + 1, P->node_start);
    GM_TAKE(&P->pool, n_nodes, P->n_tables);
    GM_TAKE(&P->pool, m, P->a);
    GM_TAKE(&P->pool, m, P->b);
    GM_TAKE(&P->pool, m, P->theta);
    GM_TAKE(&P->pool, m, P->equal);
    if (P->pool.failed) {
        aj_problem_free(P);
        return NULL;
    }
    return P;
}

void aj_problem_free(aj_problem *P)
{
    if (P) {
        gm_lap_free(P->lap);
        gm_pool_free(&P->pool);
    }
    free(P);
}

void aj_problem_heed(aj_problem *P, gm_watch *watch)
{
    P->watch = watch;
    gm_lap_heed(P->lap, watch);
}

int32_t aj_problem_n_used_labels(const aj_problem *P)
{
    int32_t used = 0;
    for (int32_t l = 0; l < P->n_labels; l++)
        used += P->label_start[l + 1] > P->label_start[l];
    return used;
}

/* ---- the rows of the LP */

/* Places the halves star by star, by ascending other end: in each star first the entries in which
 * its candidate is b, then those in which it is a. star (n + 1, zero) gets the first half of each,
 * other (2m) the candidate at the other end of each half. */
static void order_halves(aj_problem *P, int64_t *star, int32_t *other)
{
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        star[P->a[e] + 1]++;
        star[P->b[e] + 1]++;
    }
    gm_csr_sum64(star, P->n);
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        P->half_b[e] = star[P->b[e]]++;
        other[P->half_b[e]] = P->a[e];
    }
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        P->half_a[e] = star[P->a[e]]++;
        other[P->half_a[e]] = P->b[e];
    }
    gm_csr_rewind64(star, P->n);
}

/* Numbers the mu and nu rows star by star; half_mu gets the mu row of each half. */
static void number_rows(aj_problem *P, const int64_t *star, const int32_t *other, int32_t *half_mu,
                        int32_t *nu_of_label)
{
    for (int32_t l = 0; l < P->n_labels; l++)
        nu_of_label[l] = -1;
    int32_t n_mu = 0, n_nu = 0;
    for (int32_t p = 0; p < P->n && !gm_watch_spend(P->watch, star[p + 1] - star[p]); p++) {
        P->mu_start[p] = n_mu;
        P->nu_start[p] = n_nu;
        int32_t node = -1;
        for (int64_t h = star[p]; h < star[p + 1]; h++) {
            const int32_t q = other[h];
            if (P->node[q] != node) {
                node = P->node[q];
                P->half_start[n_mu++] = h;
            }
            half_mu[h] = n_mu - 1;
            if (nu_of_label[P->label[q]] < P->nu_start[p]) /* a row of an earlier star, or none */
                nu_of_label[P->label[q]] = n_nu++;
            P->half_nu[h] = nu_of_label[P->label[q]];
        }
    }
    P->mu_start[P->n] = P->n_mu = n_mu;
    P->nu_start[P->n] = P->n_nu = n_nu;
    P->half_start[n_mu] = 2 * P->m;
}

/* The four rows of every entry, which rows are equalities, and the groups of entries. */
static void join_entries(aj_problem *P, const int32_t *half_mu)
{
    for (int64_t e = 0; e < P->m && !gm_watch_step(P->watch, e); e++) {
        P->mu_a[e] = half_mu[P->half_a[e]];
        P->mu_b[e] = half_mu[P->half_b[e]];
        P->nu_a[e] = P->half_nu[P->half_a[e]];
        P->nu_b[e] = P->half_nu[P->half_b[e]];
        P->mu_equal[P->mu_a[e]] = P->mu_equal[P->mu_b[e]] = P->equal[e];
        if (e == 0 || P->mu_a[e] != P->mu_a[e - 1])
            P->group_start[P->n_groups++] = e;
    }
    P->group_start[P->n_groups] = P->m;
}

/* n_tables of every node: a candidate may lack entries with some, so the largest number counts. */
static void count_tables(aj_problem *P)
{
    for (int32_t p = 0; p < P->n; p++) {
        int32_t tables = 0;
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            tables += P->mu_equal[r];
        if (tables > P->n_tables[P->node[p]])
            P->n_tables[P->node[p]] = tables;
    }
}

int aj_problem_index(aj_problem *P)
{
    gm_pool scratch = {0};
    int64_t *star;
    int32_t *other, *half_mu, *nu_of_label;
    GM_TAKE(&scratch, P->n + 1, star);
    GM_TAKE(&scratch, 2 * P->m, other);
    GM_TAKE(&scratch, 2 * P->m, half_mu);
    GM_TAKE(&scratch, P->n_labels, nu_of_label);
    GM_TAKE(&P->pool, P->n + 1, P->mu_start);
    GM_TAKE(&P->pool, P->n + 1, P->nu_start);
    GM_TAKE(&P->pool, 2 * P->m + 1, P->half_start);
    GM_TAKE(&P->pool, 2 * P->m, P->half_nu);
    GM_TAKE(&P->pool, P->m, P->half_a);
    GM_TAKE(&P->pool, P->m, P->half_b);
    GM_TAKE(&P->pool, P->m, P->mu_a);
    GM_TAKE(&P->pool, P->m, P->mu_b);
    GM_TAKE(&P->pool, P->m, P->nu_a);
    GM_TAKE(&P->pool, P->m, P->nu_b);
    GM_TAKE(&P->pool, P->n_nodes + 1, P->lap_start);
    GM_TAKE(&P->pool, P->n_labels + 1, P->label_start);
    GM_TAKE(&P->pool, P->n, P->by_label);
    int failed = scratch.failed || P->pool.failed;
    if (!failed) {
        order_halves(P, star, other);
        number_rows(P, star, other, half_mu, nu_of_label);
        GM_TAKE(&P->pool, P->n_mu, P->mu_equal);
        GM_TAKE(&P->pool, P->n_mu + 1, P->group_start);
        gm_csr_group(P->n_labels, P->n, P->label, P->label_start, P->by_label);
        gm_csr_widen(P->n_nodes, P->node_start, P->lap_start);
        P->lap = gm_lap_new(P->n_nodes, P->n_labels, P->lap_start, P->label);
        failed = P->pool.failed || !P->lap;
    }
    if (!failed) {
        gm_lap_heed(P->lap, P->watch);
        join_entries(P, half_mu);
        count_tables(P);
    }
    gm_pool_free(&scratch);
    if (failed)
        return GM_ENOMEM;
    return gm_watch_is_over(P->watch) ? GM_ECUT : GM_OK;
}

/* ---- from the model */

/* Appends to P the entries of a slot, which is candidate p, with later slots. `dummies`: every node
 * has one, behind its slots, so that candidates have higher numbers than slots. */
static void list_entries(aj_problem *P, const gm_index *index, int32_t slot, int32_t p,
                         int32_t dummies, double scale)
{
    for (int64_t k = index->adjacent_start[slot]; k < index->adjacent_start[slot + 1]; k++) {
        const int32_t q = index->adjacent_slot[k];
        if (q < slot || index->adjacent_cost[k] == 0.0)
            continue;
        P->a[P->m] = p;
        P->b[P->m] = q + dummies * index->slot_node[q];
        P->theta[P->m++] = index->adjacent_cost[k] * scale;
    }
}

/* The model's candidates and entries as they are, dummies added; aj_problem_index is still to come.
 */
static aj_problem *list_model(const gm_index *index, double scale)
{
    const int32_t dummies = index->complete ? 0 : 1;
    aj_problem *P =
        aj_problem_alloc(index->n1, index->n2 + index->n1 * dummies,
                         index->n_slots + index->n1 * dummies, index->n_entries, 0, index->watch);
    if (!P)
        return NULL;
    int32_t n = 0;
    P->m = 0;
    for (int32_t i = 0; i < index->n1; i++) {
        P->node_start[i] = n;
        for (int32_t slot = index->node_start[i]; slot < index->node_start[i + 1]; slot++, n++) {
            P->node[n] = i;
            P->label[n] = index->slot_label[slot];
            P->origin[n] = slot;
            P->cost[n] = index->slot_cost[slot] * scale;
            const int64_t degree = index->adjacent_start[slot + 1] - index->adjacent_start[slot];
            if (!gm_watch_spend(P->watch, degree))
                list_entries(P, index, slot, n, dummies, scale);
        }
        if (dummies) {
            P->node[n] = i;
            P->label[n] = index->n2 + i;
            P->origin[n++] = -1;
        }
    }
    P->node_start[index->n1] = n;
    return P;
}

aj_problem *aj_problem_new(const gm_index *index, double scale)
{
    aj_problem *P = list_model(index, scale);
    int positive = 0;
    for (int64_t e = 0; P && e < P->m; e++)
        positive |= P->theta[e] > 0.0;
    if (P && positive) {
        int64_t *entry_map = NULL;
        aj_problem *lifted = aj_problem_lift(P, AJ_POSITIVE, &entry_map);
        free(entry_map);
        aj_problem_free(P);
        return lifted;
    }
    if (P && aj_problem_index(P) != GM_OK) {
        aj_problem_free(P);
        P = NULL;
    }
    return P;
}
