/* The dual value: minima of table rows, of trees by dynamic programming, of the assignment, and of
 * local subproblems (local.c). */
#include "base/watch.h"
#include "ddls/ddls.h"
#include "model/background.h"

#include <math.h>
#include <string.h>

/* Appends the next label in the order of (h, label) to the n > 0 ordered ones; 0 when there is
 * none. Each is found by a scan over all labels. A row skips at most as many labels as it has
 * entries, so a table needs at most as many scans as its longest row has entries, plus one. */
static int order_next(int32_t *order, int32_t n, const double *h, int32_t n_child)
{
    const int32_t next = n < n_child ? gm_next_smallest(h, n_child, order[n - 1]) : -1;
    if (next < 0)
        return 0;
    order[n] = next;
    return 1;
}

ddls_column ddls_column_of(ddls_dual *dual, const double *h, int32_t n)
{
    const int32_t cheapest = gm_smallest(h, n);
    dual->order[0] = cheapest;
    return (ddls_column){
        .h = h, .n = n, .n_ordered = 1, .cheapest = cheapest, .least = h[cheapest]};
}

/* The least background cell of a row in which the cheapest label has an entry: that of the next
 * label that has none, if it is below `best`. Returns the smaller one. */
static double search_background(ddls_dual *dual, ddls_column *column, int64_t begin, int64_t end,
                                double best, int64_t *which)
{
    const int32_t *label = dual->entry_label - dual->first_entry;
    const int64_t stamp = ++dual->stamp;
    for (int64_t k = begin; k < end; k++)
        dual->mark[label[k]] = stamp;
    for (int32_t r = 1;; r++) {
        if (r == column->n_ordered) {
            if (!order_next(dual->order, r, column->h, column->n))
                break;
            column->n_ordered++;
        }
        const int32_t s = dual->order[r];
        if (column->h[s] >= best)
            break;
        if (dual->mark[s] != stamp) {
            best = column->h[s];
            *which = ~(int64_t)s;
            break;
        }
    }
    return best;
}

static inline double row_minimum(ddls_dual *dual, ddls_column *column, int64_t row, int64_t *choice)
{
    const int64_t begin = dual->row_start[row], end = dual->row_start[row + 1];
    const int32_t *label = dual->entry_label - dual->first_entry;
    const double *h = column->h;
    double best = INFINITY;
    int64_t which = ~(int64_t)column->cheapest;
    int taken = 0; /* the cheapest label has an entry in this row */
    for (int64_t k = begin; k < end; k++) {
        const double value = h[label[k]] + dual->cost[k];
        const int better = value < best; /* no branch: which entry wins is as good as random */
        taken |= label[k] == column->cheapest;
        best = better ? value : best;
        which = better ? k : which;
    }
    if (column->least < best) { /* then a background cell may be better than all entries */
        if (taken) {
            best = search_background(dual, column, begin, end, best, &which);
        } else {
            best = column->least;
            which = ~(int64_t)column->cheapest;
        }
    }
    *choice = which;
    return best;
}

double ddls_row_minimum(ddls_dual *dual, ddls_column *column, int64_t row, int64_t *choice)
{
    return row_minimum(dual, column, row, choice);
}

void ddls_message(ddls_dual *dual, int64_t row, int32_t n_rows, const double *h, int32_t n_child,
                  double *out, int64_t *choice)
{
    ddls_column column = ddls_column_of(dual, h, n_child);
    for (int32_t t = 0; t < n_rows; t++)
        out[t] = row_minimum(dual, &column, row + t, &choice[t]);
    out[n_rows] = column.least;
    choice[n_rows] = ~(int64_t)column.cheapest;
}

/* Every node's own costs, dummy last, from which dynamic programming begins. */
static void begin_forests(ddls_dual *dual)
{
    for (int64_t k = 0; k < dual->n_nodes; k++) {
        const ddls_node *node = &dual->node[k];
        memcpy(dual->subtree_cost + node->place, dual->cost + node->copy,
               (size_t)node->n_labels * sizeof(double));
        dual->subtree_cost[node->place + node->n_labels] =
            dual->side[node->side].dummy ? 0.0 : INFINITY;
    }
}

/* Notes the labels and entries of the minimisers, from the roots (which have theirs) down. */
static void choose_labels(ddls_dual *dual)
{
    for (int64_t k = dual->n_nodes - 1; k >= 0; k--) {
        const ddls_node *node = &dual->node[k];
        if (node->parent >= 0) {
            const int64_t which = dual->choice[node->choice + dual->picked[node->parent]];
            dual->picked[k] = ddls_choice_label(dual, which);
            if (which >= 0)
                dual->chosen[dual->n_chosen++] = which;
        }
        if (dual->picked[k] < node->n_labels)
            dual->chosen[dual->n_chosen++] = node->copy + dual->picked[k];
    }
}

/* Min-sum dynamic programming over all forests at once: children stand before their parents.
 * Adds the sum of the minima. GM_OK or GM_ECUT. */
static int minimise_forests(ddls_dual *dual, double *value)
{
    double sum = 0.0, *out = dual->scratch;
    begin_forests(dual);
    for (int64_t k = 0; k < dual->n_nodes; k++) {
        const ddls_node *node = &dual->node[k];
        const double *h = dual->subtree_cost + node->place;
        if (node->parent < 0) {
            dual->picked[k] = gm_smallest(h, node->n_labels + 1);
            sum += h[dual->picked[k]];
            continue;
        }
        const ddls_node *parent = &dual->node[node->parent];
        const int64_t *row = dual->row_start + node->row;
        if (gm_watch_spend(dual->watch, row[parent->n_labels] - row[0] + node->n_labels))
            return GM_ECUT;
        ddls_message(dual, node->row, parent->n_labels, h, node->n_labels + 1, out,
                     dual->choice + node->choice);
        double *to = dual->subtree_cost + parent->place;
        for (int32_t t = 0; t <= parent->n_labels; t++)
            to[t] += out[t];
    }
    choose_labels(dual);
    *value += sum;
    return GM_OK;
}

static int minimise_assignment(ddls_dual *dual, double *value)
{
    const int status = gm_lap_solve(dual->lap, dual->cost, dual->complete, dual->warm);
    if (status != GM_OK)
        return status;
    dual->warm = 1;
    const int64_t *entry = gm_lap_entry(dual->lap);
    for (int32_t i = 0; i < dual->side[0].index->n1; i++)
        if (entry[i] >= 0) /* the copies of the assignment are the first ones, in slot order */
            dual->chosen[dual->n_chosen++] = entry[i];
    *value = gm_lap_value(dual->lap);
    return GM_OK;
}

int ddls_minimise(ddls_dual *dual, double *value)
{
    dual->n_chosen = 0;
    int status = minimise_assignment(dual, value);
    if (status == GM_OK)
        status = minimise_forests(dual, value);
    for (int64_t k = 0; k < dual->n_active && status == GM_OK; k++) {
        ddls_local *local = &dual->local[k];
        if (local->retired)
            continue;
        local->value = ddls_minimise_local(dual, local);
        *value += local->value;
        for (int32_t i = 0; i < local->n; i++)
            if (local->label[i] < local->n_labels[i])
                dual->chosen[dual->n_chosen++] = local->copy[i] + local->label[i];
        for (int32_t pair = 0; pair < local->n * (local->n - 1) / 2; pair++)
            if (local->entry[pair] >= 0)
                dual->chosen[dual->n_chosen++] = local->entry[pair];
        if (gm_watch_is_over(dual->watch))
            status = GM_ECUT;
    }
    return status;
}
