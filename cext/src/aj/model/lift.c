/* Lifting a problem to mode E: a link (two nodes with entries) becomes a full table, with an entry
 * for every pair of its candidates with different labels, and mu rows that are equalities. */
#include "aj/aj.h"

#include <stdlib.h>
#include <string.h>

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

/* Whether a link that is not a table yet becomes one. */
static int becomes_table(uint8_t state, enum aj_tables tables)
{
    return !(state & IS_TABLE) && (tables != AJ_POSITIVE || (state & HAS_POSITIVE));
}

/* Memory for the links of any node. 0 = there is none. */
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

/* The candidates of P, and the earlier decisions. */
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
        most < 0 ? NULL
                 : aj_problem_alloc(P->n_nodes, P->n_labels, P->n, most, P->n_chosen, P->watch);
    *entry_map = most < 0 ? NULL : malloc(sizeof **entry_map * (size_t)(most + 1));
    int failed = !to || !*entry_map || !links_new(&links, &scratch, P->n_nodes);
    if (!failed) {
        copy_candidates(P, to);
        to->m = 0;
        int64_t from = 0, e = 0;
        for (int32_t i = 0; i < P->n_nodes; i++) {
            from = gather_links(P, i, from, tables, &links);
            for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++) {
                const int64_t before = to->m;
                e = list_tables(P, p, e, &links, tables, to, *entry_map);
                if (gm_watch_spend(P->watch, to->m - before))
                    break;
            }
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
