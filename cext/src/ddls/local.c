/* Exact minimum of a local subproblem: 2 to 4 nodes, every label used at most once.
 *
 * Eliminate the nodes from the last to the second: node j divides its cost into equal shares, one
 * for each node before it, and sends the minimum of share and table to each. This rewrites the cost
 * of labels s_0 .. s_{n-1} as
 *
 *     A(s_0) + sum over i < j of P'_ij(s_i, s_j)
 *     P'_ij(t, s) = P_ij(t, s) + share_j(s) - message_ji(t) >= 0
 *
 * Depth-first search fixes s_0, s_1, ... and adds up Q_j(s), the cost that label s of a later node
 * j has with the fixed ones; the cost of the fixed ones, plus the least Q_j of every later node, is
 * a bound. For the last node a row minimum suffices. The first upper bound is the value of the last
 * minimiser under the new costs, which is close to the minimum: few branches survive.
 */
#include "base/watch.h"
#include "ddls/ddls.h"
#include "model/background.h"

#include <math.h>
#include <string.h>

typedef struct search {
    ddls_dual *dual;
    ddls_local *local;
    double best;
    int32_t label[DDLS_MOST_NODES]; /* the path to the current depth */
} search;

/* ---- scratch arrays over the labels of a node, dummy last: DDLS_SCRATCH of them */

static double *scratch(const search *self, int32_t k)
{
    return self->dual->scratch + (int64_t)k * self->dual->most_labels;
}

static double *column(const search *self)
{
    return scratch(self, 0);
}

/* share_j; of node 0: A. */
static double *own_costs(const search *self, int32_t j)
{
    return scratch(self, 1 + j);
}

/* message_ji */
static double *message(const search *self, int32_t i, int32_t j)
{
    return scratch(self, 1 + DDLS_MOST_NODES + ddls_pair_number(self->local->n, i, j));
}

/* Q_j when `depth` nodes are fixed. */
static double *costs_with_fixed(const search *self, int32_t depth, int32_t j)
{
    return scratch(self, 1 + DDLS_MOST_NODES + DDLS_MOST_PAIRS + depth * DDLS_MOST_NODES + j);
}

static int64_t row_of(const ddls_local *local, int32_t i, int32_t j)
{
    return local->row[ddls_pair_number(local->n, i, j)];
}

/* The smallest of n > 0 numbers. Four minima side by side: each comparison of a single one would
 * wait for the one before. */
static double least_of(const double *h, int32_t n)
{
    double a = h[0], b = a, c = a, d = a;
    int32_t s = 0;
    for (; s + 4 <= n; s += 4) {
        a = gm_smaller(h[s], a);
        b = gm_smaller(h[s + 1], b);
        c = gm_smaller(h[s + 2], c);
        d = gm_smaller(h[s + 3], d);
    }
    for (; s < n; s++)
        a = gm_smaller(h[s], a);
    return gm_smaller(gm_smaller(a, b), gm_smaller(c, d));
}

/* ---- the last minimiser */

/* The table entry of the minimiser's labels of nodes i < j, or -1 for background. */
static int64_t entry_at(const search *self, int32_t i, int32_t j)
{
    const ddls_dual *dual = self->dual;
    const ddls_local *local = self->local;
    if (local->label[i] == local->n_labels[i])
        return -1;
    const int64_t *start = dual->row_start + row_of(local, i, j) + local->label[i];
    for (int64_t k = start[0]; k < start[1]; k++)
        if (dual->entry_label[k - dual->first_entry] == local->label[j])
            return k;
    return -1;
}

/* The value of the last minimiser at the present costs; infinite for none. */
static double last_value(const search *self)
{
    const ddls_local *local = self->local;
    const double dummy = self->dual->side[local->side].dummy ? 0.0 : INFINITY;
    double value = 0.0;
    if (local->label[0] < 0)
        return INFINITY;
    for (int32_t i = 0; i < local->n; i++)
        value += local->label[i] < local->n_labels[i]
                     ? self->dual->cost[local->copy[i] + local->label[i]]
                     : dummy;
    for (int32_t pair = 0; pair < local->n * (local->n - 1) / 2; pair++)
        if (local->entry[pair] >= 0)
            value += self->dual->cost[local->entry[pair]];
    return value;
}

/* ---- the search */

/* Fills own_costs and messages. */
static void eliminate(search *self)
{
    const ddls_dual *dual = self->dual;
    const ddls_local *local = self->local;
    for (int32_t i = 0; i < local->n; i++) {
        double *h = own_costs(self, i);
        memcpy(h, dual->cost + local->copy[i], (size_t)local->n_labels[i] * sizeof *h);
        h[local->n_labels[i]] = dual->side[local->side].dummy ? 0.0 : INFINITY;
    }
    for (int32_t j = local->n - 1; j > 0; j--) {
        double *h = own_costs(self, j);
        for (int32_t s = 0; s <= local->n_labels[j]; s++)
            h[s] /= j;
        for (int32_t i = 0; i < j; i++) {
            double *out = message(self, i, j), *to = own_costs(self, i);
            ddls_message(self->dual, row_of(local, i, j), local->n_labels[i], h,
                         local->n_labels[j] + 1, out, dual->scratch_choice);
            for (int32_t t = 0; t <= local->n_labels[i]; t++)
                to[t] += out[t];
        }
    }
}

/* Q of the later nodes when the node at `depth` takes its label of the path. */
static void fix(search *self, int32_t depth)
{
    const ddls_dual *dual = self->dual;
    const ddls_local *local = self->local;
    const int32_t label = self->label[depth];
    for (int32_t j = depth + 1; j < local->n; j++) {
        const double *h = own_costs(self, j);
        const double *before = costs_with_fixed(self, depth, j);
        const double sent = message(self, depth, j)[label];
        double *to = costs_with_fixed(self, depth + 1, j);
        if (depth == 0)
            for (int32_t s = 0; s <= local->n_labels[j]; s++)
                to[s] = h[s] - sent;
        else
            for (int32_t s = 0; s <= local->n_labels[j]; s++)
                to[s] = before[s] + h[s] - sent;
        if (label == local->n_labels[depth])
            continue;
        const int64_t *start = dual->row_start + row_of(local, depth, j) + label;
        for (int64_t k = start[0]; k < start[1]; k++)
            to[dual->entry_label[k - dual->first_entry]] += dual->cost[k];
    }
}

/* The last node's labels for row minima with the last but one: Q_j (nothing at depth 0) and share.
 */
static ddls_column last_column(const search *self, int32_t depth)
{
    const int32_t last = depth + 1, n = self->local->n_labels[last] + 1;
    const double *h = own_costs(self, last), *before = costs_with_fixed(self, depth, last);
    double *sum = column(self);
    if (depth == 0)
        return ddls_column_of(self->dual, h, n);
    for (int32_t s = 0; s < n; s++)
        sum[s] = before[s] + h[s];
    return ddls_column_of(self->dual, sum, n);
}

/* The end of a branch: all labels of the last node but one, with a row minimum over the last node.
 * Most calls find no row that is worth it, so the column is prepared only when one is. */
static void minimise_last_two(search *self, int32_t depth, double fixed)
{
    ddls_local *local = self->local;
    ddls_dual *dual = self->dual;
    const int32_t last = depth + 1, n = local->n_labels[last] + 1;
    const double *own = depth == 0 ? own_costs(self, 0) : costs_with_fixed(self, depth, depth);
    const double *sent = message(self, depth, last), *before = costs_with_fixed(self, depth, last);
    const double rest = depth == 0 ? 0.0 : least_of(before, n);
    ddls_column cells = {0};
    for (int32_t t = 0; t <= local->n_labels[depth]; t++) {
        if (!(fixed + own[t] + rest < self->best))
            continue;
        if (cells.n == 0)
            cells = last_column(self, depth);
        int64_t choice = ~(int64_t)cells.cheapest;
        double least = cells.least; /* of the dummy's row, which is all background */
        if (t < local->n_labels[depth])
            least = ddls_row_minimum(dual, &cells, row_of(local, depth, last) + t, &choice);
        if (fixed + own[t] + (least - sent[t]) < self->best) {
            self->best = fixed + own[t] + (least - sent[t]);
            self->label[depth] = t;
            self->label[last] = ddls_choice_label(dual, choice);
            memcpy(local->label, self->label, sizeof local->label);
        }
    }
}

/* Branches over the labels of the node at `depth`. The cheapest one comes first, for a good value
 * early if no last minimiser is known. */
static void descend(search *self, int32_t depth, double fixed)
{
    const ddls_local *local = self->local;
    if (gm_watch_spend(self->dual->watch, (int64_t)local->n * local->n_labels[depth]))
        return;
    if (depth == local->n - 2 || depth == DDLS_MOST_NODES - 2) {
        minimise_last_two(self, depth, fixed);
        return;
    }
    const double *own = depth == 0 ? own_costs(self, 0) : costs_with_fixed(self, depth, depth);
    double rest = 0.0;
    for (int32_t j = depth + 1; depth > 0 && j < local->n; j++)
        rest += least_of(costs_with_fixed(self, depth, j), local->n_labels[j] + 1);
    int32_t cheapest = 0;
    for (int32_t s = 1; s <= local->n_labels[depth]; s++)
        cheapest = own[s] < own[cheapest] ? s : cheapest;
    for (int32_t k = -1; k <= local->n_labels[depth]; k++) {
        const int32_t s = k < 0 ? cheapest : k;
        if (k == cheapest || !(fixed + own[s] + rest < self->best))
            continue;
        self->label[depth] = s;
        fix(self, depth);
        descend(self, depth + 1, fixed + own[s]);
    }
}

double ddls_minimise_local(ddls_dual *dual, ddls_local *local)
{
    search self = {.dual = dual, .local = local};
    const double before = last_value(&self);
    self.best = before;
    eliminate(&self);
    descend(&self, 0, 0.0);
    if (!(self.best < before))
        return before;
    for (int32_t i = 0; i < local->n; i++)
        for (int32_t j = i + 1; j < local->n; j++)
            local->entry[ddls_pair_number(local->n, i, j)] = entry_at(&self, i, j);
    return last_value(&self); /* the same but for rounding */
}
