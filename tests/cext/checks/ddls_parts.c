/* The split of the costs among the subproblems (parts) as a plain table, so that a bound can be
 * checked without the kernel's code. */
#include "ddls_parts.h"

#include "ddls/ddls.h"

#include <math.h>

/* Kinds of parts: side 0 or 1 is added to the last two. */
enum { PART_ASSIGNMENT = 0, PART_TREE = 1, PART_LOCAL = 3 };

/* Rows to be written, or only to be counted (part is NULL). */
typedef struct table {
    int32_t *part, *a, *b;
    double *cost;
    int64_t n;
} table;

/* Writes (or counts) a copy as a row: part, candidates a and b (-1: it is no pair), cost.
 * Candidates have the model's numbers: they are sorted by (right, left), as the slots of the right
 * index are.
 */
static void put(const ddls_dual *dual, table *rows, int32_t part, int64_t copy)
{
    const gm_index *left = dual->side[0].index, *right = dual->side[1].index;
    const int32_t variable = dual->variable[copy];
    if (variable == dual->n_variables) /* forbidden: no variable of the model */
        return;
    if (rows->part) {
        const int32_t entry = variable - dual->n_candidates;
        rows->part[rows->n] = part;
        rows->a[rows->n] = right->label_slot[entry < 0 ? variable : left->first[entry]];
        rows->b[rows->n] = entry < 0 ? -1 : right->label_slot[left->second[entry]];
        rows->cost[rows->n] = dual->cost[copy];
    }
    rows->n++;
}

static void put_all(const ddls_dual *dual, table *rows, int32_t part, int64_t from, int64_t to)
{
    for (int64_t copy = from; copy < to; copy++)
        put(dual, rows, part, copy);
}

/* Numbers the trees from the last root to the first, from 1 on, and writes the number of each
 * node's tree: parents stand behind their children. Returns how many trees there are. */
static int32_t number_trees(const ddls_dual *dual, int32_t *tree)
{
    int32_t n = 0;
    for (int64_t k = dual->n_nodes - 1; k >= 0; k--)
        tree[k] = dual->node[k].parent >= 0 ? tree[dual->node[k].parent] : ++n;
    return n;
}

int64_t gm_ddls_copies(gm_run *run, int32_t *part, int32_t *a, int32_t *b, double *cost)
{
    const ddls_dual *dual = ddls_dual_of(run);
    table rows = {part, a, b, cost, 0};
    const int32_t n_trees = number_trees(dual, dual->picked);
    put_all(dual, &rows, 0, 0, dual->n_candidates);
    for (int64_t k = 0; k < dual->n_nodes; k++) {
        const ddls_node *node = &dual->node[k];
        put_all(dual, &rows, dual->picked[k], node->copy, node->copy + node->n_labels);
        if (node->parent >= 0)
            put_all(dual, &rows, dual->picked[k], dual->row_start[node->row],
                    dual->row_start[node->row + dual->node[node->parent].n_labels]);
    }
    for (int64_t k = 0; k < dual->n_locals; k++) {
        const ddls_local *local = &dual->local[k];
        const int32_t number = (int32_t)(1 + n_trees + k);
        if (k >= dual->n_active || local->retired)
            continue;
        for (int32_t i = 0; i < local->n; i++) {
            put_all(dual, &rows, number, local->copy[i], local->copy[i] + local->n_labels[i]);
            for (int32_t j = i + 1; j < local->n; j++) {
                const int64_t row = local->row[ddls_pair_number(local->n, i, j)];
                put_all(dual, &rows, number, dual->row_start[row],
                        dual->row_start[row + local->n_labels[i]]);
            }
        }
    }
    return rows.n;
}

/* The least cost of each tree, from the minimisation just done; dual->picked has their numbers. */
static void list_trees(const ddls_dual *dual, int32_t *kind, double *minimum)
{
    for (int64_t k = 0; k < dual->n_nodes; k++) {
        const ddls_node *node = &dual->node[k];
        if (node->parent >= 0)
            continue;
        double least = INFINITY;
        for (int32_t s = 0; s <= node->n_labels; s++)
            least = fmin(least, dual->subtree_cost[node->place + s]);
        kind[dual->picked[k]] = PART_TREE + node->side;
        minimum[dual->picked[k]] = least;
    }
}

int64_t gm_ddls_parts(gm_run *run, int32_t *kind, double *minimum)
{
    ddls_dual *dual = ddls_dual_of(run);
    const int32_t n_trees = number_trees(dual, dual->picked);
    const int64_t n_parts = 1 + n_trees + dual->n_locals;
    if (!kind)
        return n_parts;
    double value;
    if (ddls_minimise(dual, &value) != GM_OK)
        return 0;
    number_trees(dual, dual->picked); /* the minimisation uses the array, too */
    kind[0] = PART_ASSIGNMENT;
    minimum[0] = gm_lap_value(dual->lap);
    list_trees(dual, kind, minimum);
    for (int64_t k = 0; k < dual->n_locals; k++) {
        const ddls_local *local = &dual->local[k];
        const int is_active = k < dual->n_active && !local->retired;
        kind[1 + n_trees + k] = PART_LOCAL + local->side;
        minimum[1 + n_trees + k] = is_active ? local->value : 0.0;
    }
    return n_parts;
}
