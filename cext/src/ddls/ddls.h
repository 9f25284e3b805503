/* The Lagrangean decomposition behind dd-ls: one dual, many small exact minimisations.
 *
 * A *variable* is a candidate (slot of the left index) or a pair (entry of the left index, numbered
 * behind the candidates). Every subproblem that contains a variable holds a *copy* of it with a
 * cost of its own; the copies of a variable add up to its cost in the model, whatever the ascent
 * does. The dual value is the sum of the subproblem minima, hence a bound at every moment.
 *
 * Subproblems: the linear assignment over all candidates (copies 0 .. N-1, in slot order), the
 * trees of spanning forests of the left and of the right model, and *local* ones: 3 or 4 connected
 * nodes of one side, solved exactly with every label used at most once. Local ones become active
 * later than the others; until then their copies cost 0, which is a valid split, too.
 */
#ifndef GM_DDLS_DDLS_H
#define GM_DDLS_DDLS_H

#include "base/pool.h"
#include "gm.h"
#include "model/index.h"

enum { DDLS_MOST_NODES = 4, DDLS_MOST_PAIRS = 6 };

/* arrays of most_labels that the search of a local subproblem uses: see local.c */
enum { DDLS_SCRATCH = 1 + DDLS_MOST_NODES + DDLS_MOST_PAIRS + DDLS_MOST_NODES * DDLS_MOST_NODES };

/* One graphical model: nodes of that side, their candidates as labels, and a dummy label behind
 * them. */
typedef struct ddls_side {
    gm_index *index;
    int32_t *candidate; /* per slot of the index: its variable */
    int32_t *pair;      /* per entry of the index: its variable */
    int dummy;          /* whether a node may stay unmatched */
} ddls_side;

/* A node of one spanning forest. Children stand before their parents. */
typedef struct ddls_node {
    int32_t side, node, link; /* link: the edge to the parent */
    int32_t parent;           /* position of the parent, -1 for a root */
    int32_t n_labels;         /* candidates, dummy not counted */
    int64_t copy;             /* first unary copy */
    int64_t place;            /* the first of its n_labels + 1 places in subtree_cost */
    int64_t row;              /* table to the parent: one row for each of the parent's labels */
    int64_t choice;           /* the first of its choices: one per label of the parent, and dummy */
} ddls_node;

/* A connected set of nodes of one side. Pair (i, j) with i < j has number i * (2n - i - 1) / 2 + j
 * - i - 1; its table has one row for each label of i.
 *
 * A set of four is a triple with one more node. When it becomes active it takes over the copies of
 * the triple, which retires. The dual value does not fall by that, and fewer copies must agree than
 * if both were active. */
typedef struct ddls_local {
    int32_t side, n;
    int32_t triple;  /* number of the triple that it takes over; -1: it is a triple itself */
    int32_t added;   /* position of the node that the triple does not have, -1 for a triple */
    int32_t retired; /* a set of four has taken it over */
    int64_t first_copy, first_row; /* of its own, not taken over */
    int32_t node[DDLS_MOST_NODES], n_labels[DDLS_MOST_NODES];
    int32_t link[DDLS_MOST_PAIRS]; /* -1: not joined, the table only keeps the two labels apart */
    int64_t copy[DDLS_MOST_NODES];
    int64_t row[DDLS_MOST_PAIRS];
    int32_t label[DDLS_MOST_NODES]; /* the last minimiser; n_labels = dummy */
    int64_t entry[DDLS_MOST_PAIRS]; /* its table entries, -1 = background */
    double value;
} ddls_local;

typedef struct ddls_dual {
    ddls_side side[2];
    int32_t complete;
    gm_watch *watch; /* of the run */

    ddls_node *node;
    int64_t n_nodes;
    ddls_local *local; /* small sets before large ones */
    int64_t n_locals;
    int64_t n_active; /* the first ones, that are active unless retired */

    /* variables and their copies */
    int32_t n_candidates;
    int64_t n_variables;
    double *model_cost;       /* n_variables */
    int64_t *copy_start;      /* n_variables + 1 */
    int64_t *copy_of;         /* the copies of each variable, ascending */
    int32_t *n_active_copies; /* n_variables: the first ones of each variable are active */
    int64_t n_copies;
    int64_t end_unary, end_entry; /* active are 0 .. end_unary-1 and first_entry .. end_entry-1 */
    double *cost;                 /* n_copies */
    int32_t *variable; /* n_copies; n_variables marks a forbidden entry, whose cost is +inf */

    /* pair tables: the entries of a row, which are the cells that are not background */
    int64_t first_entry;  /* entry copies are first_entry .. n_copies-1 */
    int64_t *row_start;   /* copies */
    int32_t *entry_label; /* per copy - first_entry: label of the table's second node */

    /* minimisers of all subproblems: the copies that are 1 */
    int64_t *chosen;
    int64_t n_chosen;

    gm_lap *lap;
    int32_t warm;         /* the lap has duals to start from */
    double *subtree_cost; /* per place: least cost of the subtree below this label of this node */
    int64_t *choice;      /* the best cell for a label of the parent, as ddls_row_minimum says it */
    int32_t *picked;      /* per node of the forests: its label */
    int32_t most_labels;  /* dummy included */
    int32_t *order;       /* most_labels: labels by ascending cost, as far as needed */
    int64_t *mark, stamp; /* per label: has an entry in the row if it is the stamp */
    double *scratch;      /* DDLS_SCRATCH arrays of most_labels */
    int64_t *scratch_choice;
    gm_pool pool;
} ddls_dual;

/* n_local = 3 or 4 nodes per local subproblem, fewer: none. NULL when out of memory. */
ddls_dual *ddls_new(const gm_model *model, int32_t n_local, gm_watch *watch);
void ddls_free(ddls_dual *dual);

/* Choose the forests of one side, and the local subproblems of both: triples, then the sets of four
 * that will take them over (cover.c). Both return GM_OK or GM_ENOMEM. */
int ddls_cover_forests(ddls_dual *dual, int32_t side);
int ddls_cover_locals(ddls_dual *dual, int32_t n_local);

/* Makes the local subproblems of the next size active, and retires those taken over; 0 if there are
 * none. */
int ddls_activate(ddls_dual *dual);

/* Minimises every active subproblem: value = the dual value; the minimisers go to chosen, that of
 * the assignment stays in the lap, too. GM_OK, or GM_EINFEASIBLE without a complete matching.
 */
int ddls_minimise(ddls_dual *dual, double *value);

/* Costs h of the labels of a table's second node, the dummy's last, prepared for row minima. */
typedef struct ddls_column {
    const double *h;
    int32_t n, n_ordered, cheapest; /* the first n_ordered labels by cost stand in dual->order */
    double least;
} ddls_column;

/* The label of the second node in a cell, as ddls_row_minimum gives it. */
static inline int32_t ddls_choice_label(const ddls_dual *dual, int64_t choice)
{
    return choice >= 0 ? dual->entry_label[choice - dual->first_entry] : (int32_t)~choice;
}

/* One at a time, since all use dual->order. */
ddls_column ddls_column_of(ddls_dual *dual, const double *h, int32_t n);

/* min over s of h[s] + table[row][s]. choice is the cell that attains it: the copy of an entry, or
 * ~s for a background cell. */
double ddls_row_minimum(ddls_dual *dual, ddls_column *column, int64_t row, int64_t *choice);

/* The minima of rows row .. row + n_rows - 1, and behind them that of the dummy's row, which is all
 * background. */
void ddls_message(ddls_dual *dual, int64_t row, int32_t n_rows, const double *h, int32_t n_child,
                  double *out, int64_t *choice);

/* Exact minimum of a local subproblem, starting from its last minimiser (local.c). */
double ddls_minimise_local(ddls_dual *dual, ddls_local *local);

/* Number of the pair of positions i < j in a set of n (see ddls_local). */
static inline int32_t ddls_pair_number(int32_t n, int32_t i, int32_t j)
{
    return i * (2 * n - i - 1) / 2 + j - i - 1;
}

/* The dual that a run of dd-ls works on. */
ddls_dual *ddls_dual_of(gm_run *run);

/* Makes the copies of every variable add up exactly again, so that rounding errors of many steps do
 * not add up. Returns the sum of the absolute values of all copies. */
double ddls_rebalance(ddls_dual *dual);

/* Copies of the variable that has most. */
int32_t ddls_most_copies(const ddls_dual *dual);

#endif
