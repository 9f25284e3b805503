/* Setting up the dual of ddls.h: variables, their copies in the subproblems, sparse pair tables,
 * and the split of the costs. */
#include "base/csr.h"
#include "base/sorted.h"
#include "base/watch.h"
#include "ddls/ddls.h"
#include "model/background.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the two sides */

/* The entry of the left index that joins two of its slots; there must be one. */
static int64_t find_entry(const gm_index *index, int32_t one, int32_t other)
{
    const int32_t p = one < other ? one : other, q = one < other ? other : one;
    const int32_t link = gm_index_link(index, index->slot_node[p], index->slot_node[q]);
    return gm_lower_bound_pair(index->first, index->second, index->link_start[link],
                               index->link_start[link + 1], p, q);
}

/* The right model is the left model of the problem with both sides swapped. The left slots, sorted
 * by (left, right), are in the order that the swapped model wants of its candidates. */
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
    return gm_index_new(&swapped, left->watch);
}

/* Both graphical models, and the variables of their slots and entries. */
static void index_sides(ddls_dual *dual, const gm_model *model, gm_watch *watch)
{
    ddls_side *left = &dual->side[0], *right = &dual->side[1];
    left->index = gm_index_new(model, watch);
    right->index = left->index ? swapped_index(left->index) : NULL;
    if (!right->index) {
        dual->pool.failed = 1;
        return;
    }
    const gm_index *of_left = left->index, *of_right = right->index;
    left->dummy = !model->complete;
    right->dummy = !(model->complete && model->n1 == model->n2);
    GM_TAKE(&dual->pool, of_left->n_slots, left->candidate);
    GM_TAKE(&dual->pool, of_left->n_slots, right->candidate);
    GM_TAKE(&dual->pool, of_left->n_entries, left->pair);
    GM_TAKE(&dual->pool, of_left->n_entries, right->pair);
    if (dual->pool.failed)
        return;
    for (int32_t p = 0; p < of_left->n_slots; p++) {
        left->candidate[p] = p;
        right->candidate[of_right->label_slot[p]] = p;
    }
    for (int64_t e = 0; e < of_left->n_entries; e++) {
        left->pair[e] = (int32_t)(of_left->n_slots + e);
        right->pair[e] =
            (int32_t)(of_left->n_slots + find_entry(of_left, right->candidate[of_right->first[e]],
                                                    right->candidate[of_right->second[e]]));
    }
}

/* ---- tables */

/* Cells of a table that are not background: entries of the link (-1: none), and pairs of equal
 * labels. */
static int64_t count_entries(const gm_index *index, int32_t u, int32_t v, int32_t link)
{
    int64_t n = link >= 0 ? index->link_start[link + 1] - index->link_start[link] : 0;
    for (int32_t p = index->node_start[u], q = index->node_start[v];
         gm_next_equal(index, u, v, &p, &q); p++, q++)
        n++;
    return n;
}

/* Writes the table of u and v, one row for each label of u: rows from number `row` on, their
 * entries from copy `begin` on. */
static void fill_table(ddls_dual *dual, const ddls_side *side, int32_t u, int32_t v, int32_t link,
                       int64_t row, int64_t begin)
{
    const gm_index *index = side->index;
    const int32_t u0 = index->node_start[u], v0 = index->node_start[v];
    const int32_t n_rows = gm_index_n_labels(index, u);
    const int64_t e0 = link >= 0 ? index->link_start[link] : 0;
    const int64_t e1 = link >= 0 ? index->link_start[link + 1] : 0;
    const int32_t *of_u = u < v ? index->first : index->second;
    const int32_t *of_v = u < v ? index->second : index->first;
    int64_t *start = dual->row_start + row;

    /* start[t + 1] is first the length of row t, then its begin; filling moves it to its end */
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

/* The unary copies of a node, from number `copy` on. */
static void put_unaries(ddls_dual *dual, const ddls_side *side, int32_t u, int64_t copy)
{
    for (int32_t p = side->index->node_start[u]; p < side->index->node_start[u + 1]; p++)
        dual->variable[copy++] = side->candidate[p];
}

/* The position that node i of a set has in the triple that the set takes over, -1 if it is not in
 * there. */
static int32_t in_triple(const ddls_local *local, int32_t i)
{
    if (local->triple < 0 || i == local->added)
        return -1;
    return i < local->added ? i : i - 1;
}

/* The ends of everything laid out so far. */
typedef struct layout {
    int64_t unary, entry; /* copies */
    int64_t row;          /* of pair tables */
    int64_t place;        /* in subtree_cost */
    int64_t choice;
} layout;

/* Both are done twice: first (fill = 0) they count, then they fill the arrays that were taken. */
static void lay_out_table(ddls_dual *dual, const ddls_side *side, int32_t u, int32_t v,
                          int32_t link, layout *end, int fill)
{
    if (fill)
        fill_table(dual, side, u, v, link, end->row, end->entry);
    end->entry += count_entries(side->index, u, v, link);
    end->row += gm_index_n_labels(side->index, u) + 1;
}

static int64_t lay_out_unaries(ddls_dual *dual, const ddls_side *side, int32_t u, layout *end,
                               int fill)
{
    const int64_t first = end->unary;
    if (fill)
        put_unaries(dual, side, u, first);
    end->unary += gm_index_n_labels(side->index, u);
    return first;
}

static void lay_out_forests(ddls_dual *dual, layout *end, int fill)
{
    for (int64_t k = 0; k < dual->n_nodes; k++) {
        ddls_node *node = &dual->node[k];
        const ddls_side *side = &dual->side[node->side];
        node->copy = lay_out_unaries(dual, side, node->node, end, fill);
        node->place = end->place;
        end->place += node->n_labels + 1;
        if (node->parent < 0)
            continue;
        const ddls_node *parent = &dual->node[node->parent];
        node->row = end->row;
        node->choice = end->choice;
        lay_out_table(dual, side, parent->node, node->node, node->link, end, fill);
        end->choice += parent->n_labels + 1;
    }
}

/* A set that takes over a triple has the copies and tables of that one, and new ones for the node
 * that it adds. */
static void lay_out_local(ddls_dual *dual, ddls_local *local, layout *end, int fill)
{
    const ddls_side *side = &dual->side[local->side];
    const ddls_local *triple = local->triple < 0 ? NULL : &dual->local[local->triple];
    local->first_copy = end->unary;
    local->first_row = end->row;
    for (int32_t i = 0; i < local->n; i++) {
        const int32_t p = in_triple(local, i);
        local->label[i] = -1;
        if (p >= 0)
            local->copy[i] = triple->copy[p];
        else
            local->copy[i] = lay_out_unaries(dual, side, local->node[i], end, fill);
    }
    for (int32_t i = 0; i < local->n; i++)
        for (int32_t j = i + 1; j < local->n; j++) {
            const int32_t pair = ddls_pair_number(local->n, i, j);
            const int32_t p = in_triple(local, i), q = in_triple(local, j);
            if (p >= 0 && q >= 0) {
                local->row[pair] = triple->row[ddls_pair_number(local->n - 1, p, q)];
                continue;
            }
            local->row[pair] = end->row;
            lay_out_table(dual, side, local->node[i], local->node[j], local->link[pair], end, fill);
        }
}

/* Everything, once to count and once to fill. Entry copies stand behind all unary ones, whose
 * number is known after counting. */
static layout lay_out(ddls_dual *dual)
{
    const int fill = dual->variable != NULL;
    layout end = {.unary = dual->n_candidates, .entry = dual->first_entry};
    lay_out_forests(dual, &end, fill);
    for (int64_t k = 0; k < dual->n_locals; k++)
        lay_out_local(dual, &dual->local[k], &end, fill);
    if (!fill)
        dual->first_entry = end.unary;
    dual->n_copies = fill ? end.entry : end.unary + end.entry;
    return end;
}

/* ---- copies */

/* The model's cost of every variable, and the list of its copies. */
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

/* Finds the end of the active copies, which is the first local subproblem that waits. Counts them.
 */
static void count_active(ddls_dual *dual)
{
    const ddls_local *next = dual->n_active < dual->n_locals ? &dual->local[dual->n_active] : NULL;
    dual->end_unary = next ? next->first_copy : dual->first_entry;
    dual->end_entry = next ? dual->row_start[next->first_row] : dual->n_copies;
    memset(dual->n_active_copies, 0, (size_t)dual->n_variables * sizeof *dual->n_active_copies);
    for (int64_t c = 0; c < dual->end_entry; c++)
        if ((c < dual->end_unary || c >= dual->first_entry) &&
            dual->variable[c] < dual->n_variables)
            dual->n_active_copies[dual->variable[c]]++;
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

/* At first all active copies of a variable have an equal share of its cost. */
static void split_costs(ddls_dual *dual)
{
    for (int64_t c = 0; c < dual->n_copies; c++)
        if (dual->variable[c] == dual->n_variables)
            dual->cost[c] = INFINITY;
        else if (c < dual->end_unary || (c >= dual->first_entry && c < dual->end_entry))
            dual->cost[c] =
                dual->model_cost[dual->variable[c]] / dual->n_active_copies[dual->variable[c]];
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
    for (int64_t v = 0; v < dual->n_variables && !gm_watch_step(dual->watch, v); v++) {
        double rest = dual->model_cost[v];
        for (int64_t k = dual->copy_start[v] + 1; k < dual->copy_start[v + 1]; k++)
            rest -= dual->cost[dual->copy_of[k]];
        dual->cost[dual->copy_of[dual->copy_start[v]]] = rest;
        for (int64_t k = dual->copy_start[v]; k < dual->copy_start[v + 1]; k++)
            magnitude += fabs(dual->cost[dual->copy_of[k]]);
    }
    return magnitude;
}

static void take_arrays(ddls_dual *dual, layout end)
{
    gm_pool *pool = &dual->pool;
    const int64_t n = dual->n_variables;
    const int32_t most_left = gm_index_most_labels(dual->side[0].index);
    const int32_t most_right = gm_index_most_labels(dual->side[1].index);
    dual->most_labels = (most_left > most_right ? most_left : most_right) + 1;
    GM_TAKE(pool, n, dual->model_cost);
    GM_TAKE(pool, n + 1, dual->copy_start);
    GM_TAKE(pool, dual->n_copies, dual->copy_of);
    GM_TAKE(pool, n, dual->n_active_copies);
    GM_TAKE(pool, dual->n_copies, dual->cost);
    GM_TAKE(pool, dual->n_copies, dual->variable);
    GM_TAKE(pool, end.row, dual->row_start);
    GM_TAKE(pool, dual->n_copies - dual->first_entry, dual->entry_label);
    GM_TAKE(pool,
            dual->side[0].index->n1 + 2 * dual->n_nodes +
                dual->n_locals * (DDLS_MOST_NODES + DDLS_MOST_PAIRS),
            dual->chosen);
    GM_TAKE(pool, end.place, dual->subtree_cost);
    GM_TAKE(pool, end.choice, dual->choice);
    GM_TAKE(pool, dual->n_nodes, dual->picked);
    GM_TAKE(pool, dual->most_labels, dual->order);
    GM_TAKE(pool, dual->most_labels, dual->mark);
    GM_TAKE(pool, (int64_t)DDLS_SCRATCH * dual->most_labels, dual->scratch);
    GM_TAKE(pool, dual->most_labels, dual->scratch_choice);
}

ddls_dual *ddls_new(const gm_model *model, int32_t n_local, gm_watch *watch)
{
    ddls_dual *dual = calloc(1, sizeof *dual);
    if (!dual)
        return NULL;
    dual->complete = model->complete;
    dual->watch = watch;
    index_sides(dual, model, watch);
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

    take_arrays(dual, lay_out(dual));
    if (dual->pool.failed)
        goto failed;
    for (int32_t p = 0; p < dual->n_candidates; p++)
        dual->variable[p] = p;
    lay_out(dual);
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
