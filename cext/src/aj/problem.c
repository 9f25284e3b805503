/* Problems of the exact method: their lists of candidates and entries, from the model (mode N) or
 * with full tables (mode E), and the rows of the Adams-Johnson LP that follow from the lists. */
#include "aj/aj.h"
#include "base/csr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

aj_problem *aj_problem_alloc(int32_t n_nodes, int32_t n_labels, int32_t n, int64_t m,
                             int32_t n_chosen)
{
    aj_problem *P = calloc(1, sizeof *P);
    if (!P)
        return NULL;
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
    for (int64_t e = 0; e < P->m; e++) {
        star[P->a[e] + 1]++;
        star[P->b[e] + 1]++;
    }
    gm_csr_sum64(star, P->n);
    for (int64_t e = 0; e < P->m; e++) {
        P->half_b[e] = star[P->b[e]]++;
        other[P->half_b[e]] = P->a[e];
    }
    for (int64_t e = 0; e < P->m; e++) {
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
    for (int32_t p = 0; p < P->n; p++) {
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
    for (int64_t e = 0; e < P->m; e++) {
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
        for (int32_t i = 0; i <= P->n_nodes; i++)
            P->lap_start[i] = P->node_start[i];
        P->lap = gm_lap_new(P->n_nodes, P->n_labels, P->lap_start, P->label);
        failed = P->pool.failed || !P->lap;
    }
    if (!failed) {
        join_entries(P, half_mu);
        count_tables(P);
    }
    gm_pool_free(&scratch);
    return failed ? GM_ENOMEM : GM_OK;
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
    aj_problem *P = aj_problem_alloc(index->n1, index->n2 + index->n1 * dummies,
                                     index->n_slots + index->n1 * dummies, index->n_entries, 0);
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

/* ---- mode E: full tables */

/* The links of one node to later nodes, gathered from its entries. */
typedef struct link_list {
    int32_t n;
    int32_t *node;  /* ascending */
    uint8_t *state; /* per node of the problem: 0 = no link, else LINKED plus flags */
} link_list;

enum { LINKED = 1, IS_TABLE = 2, HAS_POSITIVE = 4 };

static int by_number(const void *x, const void *y)
{
    const int32_t i = *(const int32_t *)x, j = *(const int32_t *)y;
    return (i > j) - (i < j);
}

/* Reads the links of node i to later nodes; `from` is its first entry, the return value the first
 * of the next node. */
static int64_t gather_links(const aj_problem *P, int32_t i, int64_t from, enum aj_tables tables,
                            link_list *links)
{
    for (int32_t k = 0; k < links->n; k++)
        links->state[links->node[k]] = 0;
    links->n = 0;
    for (int32_t j = i + 1; j < P->n_nodes && tables == AJ_EVERY_PAIR; j++) {
        links->node[links->n++] = j;
        links->state[j] = LINKED;
    }
    int64_t e = from;
    for (; e < P->m && P->node[P->a[e]] == i; e++) {
        const int32_t j = P->node[P->b[e]];
        if (!links->state[j])
            links->node[links->n++] = j;
        links->state[j] |= (uint8_t)(LINKED | (P->equal[e] ? IS_TABLE : 0) |
                                     (P->theta[e] > 0.0 ? HAS_POSITIVE : 0));
    }
    qsort(links->node, (size_t)links->n, sizeof *links->node, by_number);
    return e;
}

/* Whether a link, which is no table yet, becomes one. */
static int becomes_table(uint8_t state, enum aj_tables tables)
{
    return !(state & IS_TABLE) && (tables != AJ_POSITIVE || (state & HAS_POSITIVE));
}

static int links_new(link_list *links, gm_pool *pool, int32_t n_nodes)
{
    links->n = 0;
    GM_TAKE(pool, n_nodes, links->node);
    GM_TAKE(pool, n_nodes, links->state);
    return !pool->failed;
}

int64_t aj_problem_lifted_entries(const aj_problem *P, enum aj_tables tables)
{
    gm_pool scratch = {0};
    link_list links;
    int64_t count = -1, from = 0;
    if (links_new(&links, &scratch, P->n_nodes)) {
        count = P->m;
        for (int32_t i = 0; i < P->n_nodes; i++) {
            from = gather_links(P, i, from, tables, &links);
            const int64_t n_i = P->node_start[i + 1] - P->node_start[i];
            for (int32_t k = 0; k < links.n; k++) {
                const int32_t j = links.node[k];
                if (becomes_table(links.state[j], tables))
                    count += n_i * (P->node_start[j + 1] - P->node_start[j]);
            }
        }
    }
    gm_pool_free(&scratch);
    return count;
}

/* Appends the entries of candidate p to the lifted problem: its own, from entry e on, and with cost
 * 0 the missing cells of links that become tables. Returns the first entry of the next candidate.
 */
static int64_t list_tables(const aj_problem *P, int32_t p, int64_t e, const link_list *links,
                           enum aj_tables tables, aj_problem *to, int64_t *entry_map)
{
    int64_t m = to->m;
    for (int32_t k = 0; k < links->n; k++) {
        const int32_t j = links->node[k];
        const int table = becomes_table(links->state[j], tables);
        for (int32_t q = P->node_start[j]; q < P->node_start[j + 1]; q++) {
            const int present = e < P->m && P->a[e] == p && P->b[e] == q;
            if (present || (table && P->label[q] != P->label[p])) {
                to->a[m] = p;
                to->b[m] = q;
                to->theta[m] = present ? P->theta[e] : 0.0;
                to->equal[m] = (uint8_t)(table || (links->state[j] & IS_TABLE) != 0);
                entry_map[m++] = present ? e : -1;
            }
            e += present;
        }
    }
    to->m = m;
    return e;
}

/* The candidates of P, and what was decided before. */
static void copy_candidates(const aj_problem *P, aj_problem *to)
{
    const size_t n = (size_t)P->n;
    to->constant = P->constant;
    to->error = P->error;
    memcpy(to->chosen, P->chosen, sizeof *P->chosen * (size_t)P->n_chosen);
    memcpy(to->node, P->node, sizeof *P->node * n);
    memcpy(to->label, P->label, sizeof *P->label * n);
    memcpy(to->origin, P->origin, sizeof *P->origin * n);
    memcpy(to->cost, P->cost, sizeof *P->cost * n);
    memcpy(to->node_start, P->node_start, sizeof *P->node_start * ((size_t)P->n_nodes + 1));
}

aj_problem *aj_problem_lift(const aj_problem *P, enum aj_tables tables, int64_t **entry_map)
{
    gm_pool scratch = {0};
    link_list links;
    const int64_t most = aj_problem_lifted_entries(P, tables);
    aj_problem *to =
        most < 0 ? NULL : aj_problem_alloc(P->n_nodes, P->n_labels, P->n, most, P->n_chosen);
    *entry_map = most < 0 ? NULL : malloc(sizeof **entry_map * (size_t)(most + 1));
    int failed = !to || !*entry_map || !links_new(&links, &scratch, P->n_nodes);
    if (!failed) {
        copy_candidates(P, to);
        to->m = 0;
        int64_t from = 0, e = 0;
        for (int32_t i = 0; i < P->n_nodes; i++) {
            from = gather_links(P, i, from, tables, &links);
            for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++)
                e = list_tables(P, p, e, &links, tables, to, *entry_map);
        }
        failed = aj_problem_index(to) != GM_OK;
    }
    gm_pool_free(&scratch);
    if (failed) {
        aj_problem_free(to);
        free(*entry_map);
        *entry_map = NULL;
        return NULL;
    }
    return to;
}
