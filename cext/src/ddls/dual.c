/* Laying the dual out: variables, their copies in the subproblems, and the sparse pair tables. */
#include "base/csr.h"
#include "ddls/ddls.h"
#include "model/background.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the two sides */

/* The entry of the left index that joins two of its slots. It is there. */
static int64_t find_entry(const gm_index *index, int32_t p, int32_t q)
{
    if (p > q) {
        const int32_t r = p;
        p = q;
        q = r;
    }
    const int32_t link = gm_index_link(index, index->slot_node[p], index->slot_node[q]);
    int64_t first = index->link_start[link], last = index->link_start[link + 1];
    while (first < last) {
        const int64_t middle = first + (last - first) / 2;
        if (index->first[middle] < p || (index->first[middle] == p && index->second[middle] < q))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* The right model is the left model of the swapped problem. Left slots are sorted by (left, right):
 * just what the swapped model wants of its candidates. */
static gm_index *swapped_index(const gm_index *left)
{
    gm_model swapped = {0};
    swapped.n1 = left->n2;
    swapped.n2 = left->n1;
    swapped.n_candidates = left->n_slots;
    swapped.n_edges = left->n_entries;
    swapped.left = left->slot_label;
    swapped.right = left->slot_node;
    swapped.cost = left->slot_cost;
    swapped.a = left->first;
    swapped.b = left->second;
    swapped.edge_cost = left->entry_cost;
    return gm_index_new(&swapped);
}

static void index_sides(ddls_dual *dual, const gm_model *model)
{
    ddls_side *left = &dual->side[0], *right = &dual->side[1];
    left->index = gm_index_new(model);
    right->index = left->index ? swapped_index(left->index) : NULL;
    if (!right->index) {
        dual->pool.failed = 1;
        return;
    }
    const gm_index *li = left->index, *ri = right->index;
    left->dummy = !model->complete;
    right->dummy = !(model->complete && model->n1 == model->n2);
    GM_TAKE(&dual->pool, li->n_slots, left->candidate);
    GM_TAKE(&dual->pool, li->n_slots, right->candidate);
    GM_TAKE(&dual->pool, li->n_entries, left->pair);
    GM_TAKE(&dual->pool, li->n_entries, right->pair);
    if (dual->pool.failed)
        return;
    for (int32_t p = 0; p < li->n_slots; p++) {
        left->candidate[p] = p;
        right->candidate[ri->label_slot[p]] = p;
    }
    for (int64_t e = 0; e < li->n_entries; e++) {
        left->pair[e] = (int32_t)(li->n_slots + e);
        right->pair[e] = (int32_t)(li->n_slots + find_entry(li, right->candidate[ri->first[e]],
                                                            right->candidate[ri->second[e]]));
    }
}

/* ---- tables */

/* Cells of a table that are not background: entries of the link, and pairs of equal labels. */
static int64_t count_entries(const gm_index *index, int32_t u, int32_t v, int32_t link)
{
    int64_t n = link >= 0 ? index->link_start[link + 1] - index->link_start[link] : 0;
    for (int32_t p = index->node_start[u], q = index->node_start[v];
         gm_next_equal(index, u, v, &p, &q); p++, q++)
        n++;
    return n;
}

/* Writes the table with one row for each label of u, from copy `begin` and row `row` on. */
static void fill_table(ddls_dual *dual, const ddls_side *side, int32_t u, int32_t v, int32_t link,
                       int64_t row, int64_t begin)
{
    const gm_index *index = side->index;
    const int32_t u0 = index->node_start[u], v0 = index->node_start[v],
                  n_rows = index->node_start[u + 1] - u0;
    const int64_t e0 = link >= 0 ? index->link_start[link] : 0,
                  e1 = link >= 0 ? index->link_start[link + 1] : 0;
    const int32_t *of_u = u < v ? index->first : index->second,
                  *of_v = u < v ? index->second : index->first;
    int64_t *start = dual->row_start + row;

    /* start[t + 1] counts row t, then runs through it while the row is filled, and ends at its end
     */
    for (int32_t t = 0; t < n_rows; t++)
        start[t + 1] = gm_index_slot(index, v, index->slot_label[u0 + t]) >= 0;
    for (int64_t e = e0; e < e1; e++)
        start[of_u[e] - u0 + 1]++;
    int64_t at = begin;
    for (int32_t t = 0; t < n_rows; t++) {
        const int64_t n = start[t + 1];
        start[t + 1] = at;
        at += n;
    }
    start[0] = begin;
    for (int32_t t = 0; t < n_rows; t++) {
        const int32_t same = gm_index_slot(index, v, index->slot_label[u0 + t]);
        if (same < 0)
            continue;
        const int64_t copy = start[t + 1]++;
        dual->entry_label[copy - dual->first_entry] = same - v0;
        dual->variable[copy] = (int32_t)dual->n_variables;
    }
    for (int64_t e = e0; e < e1; e++) {
        const int64_t copy = start[of_u[e] - u0 + 1]++;
        dual->entry_label[copy - dual->first_entry] = of_v[e] - v0;
        dual->variable[copy] = side->pair[e];
    }
}

static void put_unaries(ddls_dual *dual, const ddls_side *side, int32_t u, int64_t copy)
{
    for (int32_t p = side->index->node_start[u]; p < side->index->node_start[u + 1]; p++)
        dual->variable[copy++] = side->candidate[p];
}

/* The position of node i in the triple that the set takes over, -1 if the set has a node of its own
 * there. */
static int32_t in_triple(const ddls_local *local, int32_t i)
{
    return local->triple < 0 || i == local->added ? -1 : i - (i > local->added);
}

/* Two passes over all subproblems with one body: the first counts, the second (arrays are there)
 * fills. */
static void lay_out(ddls_dual *dual, int64_t *n_rows, int64_t *n_places, int64_t *n_choice)
{
    const int fill = dual->variable != NULL;
    int64_t unary = dual->n_candidates, entry = dual->first_entry, row = 0, place = 0, choice = 0;
    for (int64_t k = 0; k < dual->n_nodes; k++) {
        ddls_node *node = &dual->node[k];
        const ddls_side *side = &dual->side[node->side];
        node->copy = unary;
        node->place = place;
        if (fill)
            put_unaries(dual, side, node->node, unary);
        unary += node->n_labels;
        place += node->n_labels + 1;
        if (node->parent < 0)
            continue;
        const ddls_node *parent = &dual->node[node->parent];
        node->row = row;
        node->choice = choice;
        if (fill)
            fill_table(dual, side, parent->node, node->node, node->link, row, entry);
        entry += count_entries(side->index, parent->node, node->node, node->link);
        row += parent->n_labels + 1;
        choice += parent->n_labels + 1;
    }
    for (int64_t k = 0; k < dual->n_locals; k++) {
        ddls_local *local = &dual->local[k];
        const ddls_side *side = &dual->side[local->side];
        local->first_copy = unary;
        local->first_row = row;
        for (int32_t i = 0; i < local->n; i++) {
            local->label[i] = -1;
            if (in_triple(local, i) >= 0) {
                local->copy[i] = dual->local[local->triple].copy[in_triple(local, i)];
                continue;
            }
            local->copy[i] = unary;
            if (fill)
                put_unaries(dual, side, local->node[i], unary);
            unary += local->n_labels[i];
        }
        for (int32_t i = 0; i < local->n; i++)
            for (int32_t j = i + 1; j < local->n; j++) {
                const int32_t pair = ddls_pair_number(local->n, i, j), p = in_triple(local, i),
                              q = in_triple(local, j);
                if (p >= 0 && q >= 0) {
                    local->row[pair] =
                        dual->local[local->triple].row[ddls_pair_number(local->n - 1, p, q)];
                    continue;
                }
                local->row[pair] = row;
                if (fill)
                    fill_table(dual, side, local->node[i], local->node[j], local->link[pair], row,
                               entry);
                entry +=
                    count_entries(side->index, local->node[i], local->node[j], local->link[pair]);
                row += local->n_labels[i] + 1;
            }
    }
    if (!fill)
        dual->first_entry = unary;
    dual->n_copies = fill ? entry : unary + entry;
    *n_rows = row;
    *n_places = place;
    *n_choice = choice;
}

/* ---- copies */

static void index_copies(ddls_dual *dual)
{
    const gm_index *index = dual->side[0].index;
    memcpy(dual->model_cost, index->slot_cost, (size_t)index->n_slots * sizeof(double));
    memcpy(dual->model_cost + index->n_slots, index->entry_cost,
           (size_t)index->n_entries * sizeof(double));
    for (int64_t c = 0; c < dual->n_copies; c++)
        if (dual->variable[c] < dual->n_variables)
            dual->copy_start[dual->variable[c] + 1]++;
    gm_csr_sum64(dual->copy_start, dual->n_variables);
    for (int64_t c = 0; c < dual->n_copies; c++)
        if (dual->variable[c] < dual->n_variables)
            dual->copy_of[dual->copy_start[dual->variable[c]]++] = c;
    gm_csr_rewind64(dual->copy_start, dual->n_variables);
}

/* Active copies end where the first local subproblem that waits begins. */
static void count_active(ddls_dual *dual)
{
    const ddls_local *next = dual->n_active < dual->n_locals ? &dual->local[dual->n_active] : NULL;
    dual->end_unary = next ? next->first_copy : dual->first_entry;
    dual->end_entry = next ? dual->row_start[next->first_row] : dual->n_copies;
    memset(dual->n_shared, 0, (size_t)dual->n_variables * sizeof *dual->n_shared);
    for (int64_t c = 0; c < dual->end_entry; c++)
        if ((c < dual->end_unary || c >= dual->first_entry) &&
            dual->variable[c] < dual->n_variables)
            dual->n_shared[dual->variable[c]]++;
}

int ddls_activate(ddls_dual *dual)
{
    const int64_t before = dual->n_active;
    while (dual->n_active < dual->n_locals &&
           dual->local[dual->n_active].n == dual->local[before].n) {
        const int32_t triple = dual->local[dual->n_active++].triple;
        if (triple >= 0)
            dual->local[triple].retired = 1;
    }
    count_active(dual);
    return dual->n_active > before;
}

/* Equal shares for a start. */
static void split_costs(ddls_dual *dual)
{
    for (int64_t c = 0; c < dual->n_copies; c++)
        if (dual->variable[c] == dual->n_variables)
            dual->cost[c] = INFINITY;
        else if (c < dual->end_unary || (c >= dual->first_entry && c < dual->end_entry))
            dual->cost[c] = dual->model_cost[dual->variable[c]] / dual->n_shared[dual->variable[c]];
}

int32_t ddls_most_copies(const ddls_dual *dual)
{
    int64_t most = 0;
    for (int64_t v = 0; v < dual->n_variables; v++) {
        const int64_t n = dual->copy_start[v + 1] - dual->copy_start[v];
        most = n > most ? n : most;
    }
    return (int32_t)most;
}

double ddls_rebalance(ddls_dual *dual)
{
    double magnitude = 0.0;
    for (int64_t v = 0; v < dual->n_variables; v++) {
        double rest = dual->model_cost[v];
        for (int64_t k = dual->copy_start[v] + 1; k < dual->copy_start[v + 1]; k++)
            rest -= dual->cost[dual->copy_of[k]];
        dual->cost[dual->copy_of[dual->copy_start[v]]] = rest;
        for (int64_t k = dual->copy_start[v]; k < dual->copy_start[v + 1]; k++)
            magnitude += fabs(dual->cost[dual->copy_of[k]]);
    }
    return magnitude;
}

static void take_arrays(ddls_dual *dual, int64_t n_rows, int64_t n_places, int64_t n_choice)
{
    gm_pool *pool = &dual->pool;
    const int64_t n = dual->n_variables;
    int32_t most = 0;
    for (int32_t s = 0; s < 2; s++)
        for (int32_t i = 0; i < dual->side[s].index->n1; i++) {
            const int32_t *start = dual->side[s].index->node_start;
            most = start[i + 1] - start[i] > most ? start[i + 1] - start[i] : most;
        }
    dual->most_labels = most + 1;
    GM_TAKE(pool, n, dual->model_cost);
    GM_TAKE(pool, n + 1, dual->copy_start);
    GM_TAKE(pool, dual->n_copies, dual->copy_of);
    GM_TAKE(pool, n, dual->n_shared);
    GM_TAKE(pool, dual->n_copies, dual->cost);
    GM_TAKE(pool, dual->n_copies, dual->variable);
    GM_TAKE(pool, n_rows, dual->row_start);
    GM_TAKE(pool, dual->n_copies - dual->first_entry, dual->entry_label);
    GM_TAKE(pool,
            dual->side[0].index->n1 + 2 * dual->n_nodes +
                dual->n_locals * (DDLS_MOST_NODES + DDLS_MOST_PAIRS),
            dual->chosen);
    GM_TAKE(pool, n_places, dual->programme);
    GM_TAKE(pool, n_choice, dual->choice);
    GM_TAKE(pool, dual->n_nodes, dual->picked);
    GM_TAKE(pool, dual->most_labels, dual->order);
    GM_TAKE(pool, dual->most_labels, dual->mark);
    GM_TAKE(pool, (int64_t)DDLS_SCRATCH * dual->most_labels, dual->scratch);
    GM_TAKE(pool, dual->most_labels, dual->scratch_choice);
}

ddls_dual *ddls_new(const gm_model *model, int32_t n_local)
{
    ddls_dual *dual = calloc(1, sizeof *dual);
    if (!dual)
        return NULL;
    dual->complete = model->complete;
    index_sides(dual, model);
    if (dual->pool.failed)
        goto failed;
    const gm_index *left = dual->side[0].index, *right = dual->side[1].index;
    dual->n_candidates = left->n_slots;
    dual->n_variables = left->n_slots + left->n_entries;
    const int64_t n_links = (int64_t)left->n_links + right->n_links;
    GM_TAKE(&dual->pool, 2 * n_links, dual->node);
    if (n_local > 2)
        GM_TAKE(&dual->pool, (n_local - 2) * n_links, dual->local);
    if (dual->pool.failed || dual->n_variables >= INT32_MAX)
        goto failed;
    if (ddls_cover_forests(dual, 0) != GM_OK || ddls_cover_forests(dual, 1) != GM_OK)
        goto failed;
    if (n_local > 2 && ddls_cover_locals(dual, n_local) != GM_OK)
        goto failed;

    int64_t n_rows, n_places, n_choice;
    lay_out(dual, &n_rows, &n_places, &n_choice);
    take_arrays(dual, n_rows, n_places, n_choice);
    if (dual->pool.failed)
        goto failed;
    for (int32_t p = 0; p < dual->n_candidates; p++)
        dual->variable[p] = p;
    lay_out(dual, &n_rows, &n_places, &n_choice);
    index_copies(dual);
    count_active(dual);
    split_costs(dual);
    dual->lap = gm_index_lap(left);
    if (!dual->lap)
        goto failed;
    return dual;
failed:
    ddls_free(dual);
    return NULL;
}

void ddls_free(ddls_dual *dual)
{
    if (dual) {
        gm_lap_free(dual->lap);
        gm_index_free(dual->side[0].index);
        gm_index_free(dual->side[1].index);
        gm_pool_free(&dual->pool);
    }
    free(dual);
}
