/* Exact minimum over 2 to 4 nodes, every label used once.
 *
 * Depth-first: fix the label of the first node, add what it costs to the other nodes' unaries, go on
 * with the rest; the last two nodes are one message. What a label of the first node costs at least
 * comes from eliminating the other nodes one by one: each hands its unary in equal shares through
 * its tables to the nodes before it. Labels are tried in the order of that bound until it reaches
 * the best value known, and the first such value is that of the last minimiser under the new costs.
 */
#include "ddls.h"

#include <math.h>
#include <string.h>

typedef struct search {
    ddls_dual *dual;
    ddls_local *local;
    double best;
    int32_t label[DDLS_MOST_NODES]; /* the path to the current depth */
} search;

/* n arrays of most_labels for each depth: unaries of the nodes, the same eliminated, two messages */
static double *scratch(const search *run, int32_t depth, int32_t k)
{
    return run->dual->scratch + ((int64_t)depth * (2 * DDLS_MOST_NODES + 2) + k) * run->dual->most_labels;
}

static int64_t row_of(const ddls_local *local, int32_t i, int32_t j)
{
    return local->row[ddls_pair_number(local->n, i, j)];
}

/* The entry of a cell, or -1 for background. */
static int64_t entry_at(const search *run, int32_t i, int32_t j, int32_t label_i, int32_t label_j)
{
    const ddls_dual *dual = run->dual;
    if (label_i == run->local->n_labels[i])
        return -1;
    const int64_t *start = dual->row_start + row_of(run->local, i, j) + label_i;
    for (int64_t k = start[0]; k < start[1]; k++)
        if (dual->entry_label[k - dual->first_entry] == label_j)
            return k;
    return -1;
}

/* Cost of the last minimiser under the present costs. */
static double last_value(const search *run)
{
    const ddls_local *local = run->local;
    const double dummy = run->dual->side[local->side].dummy ? 0.0 : INFINITY;
    double value = 0.0;
    if (local->label[0] < 0)
        return INFINITY;
    for (int32_t i = 0; i < local->n; i++)
        value += local->label[i] < local->n_labels[i] ? run->dual->cost[local->copy[i] + local->label[i]] : dummy;
    for (int32_t pair = 0; pair < local->n * (local->n - 1) / 2; pair++)
        if (local->entry[pair] >= 0)
            value += run->dual->cost[local->entry[pair]];
    return value;
}

/* Least cost of everything from `depth` on, for each label of that node: a bound, in scratch. */
static const double *eliminate(search *run, int32_t depth)
{
    const ddls_local *local = run->local;
    double *out = scratch(run, depth, 2 * DDLS_MOST_NODES), *share = scratch(run, depth, 2 * DDLS_MOST_NODES + 1);
    for (int32_t i = depth; i < local->n; i++)
        memcpy(scratch(run, depth, DDLS_MOST_NODES + i), scratch(run, depth, i), (size_t)(local->n_labels[i] + 1) * sizeof(double));
    for (int32_t j = local->n - 1; j > depth; j--) {
        const double *h = scratch(run, depth, DDLS_MOST_NODES + j);
        const double part = 1.0 / (j - depth);
        for (int32_t s = 0; s <= local->n_labels[j]; s++)
            share[s] = part * h[s];
        for (int32_t i = depth; i < j; i++) {
            ddls_message(run->dual, row_of(local, i, j), local->n_labels[i], share, local->n_labels[j] + 1, out, run->dual->scratch_choice);
            double *to = scratch(run, depth, DDLS_MOST_NODES + i);
            for (int32_t t = 0; t <= local->n_labels[i]; t++)
                to[t] += out[t];
        }
    }
    return scratch(run, depth, DDLS_MOST_NODES + depth);
}

/* Unaries of the nodes behind `depth` when that node takes a label. */
static void condition(search *run, int32_t depth, int32_t label)
{
    const ddls_dual *dual = run->dual;
    const ddls_local *local = run->local;
    for (int32_t j = depth + 1; j < local->n; j++) {
        double *to = scratch(run, depth + 1, j);
        memcpy(to, scratch(run, depth, j), (size_t)(local->n_labels[j] + 1) * sizeof(double));
        if (label == local->n_labels[depth])
            continue;
        const int64_t *start = dual->row_start + row_of(local, depth, j) + label;
        for (int64_t k = start[0]; k < start[1]; k++)
            to[dual->entry_label[k - dual->first_entry]] += dual->cost[k];
    }
}

/* The last two nodes, on top of what the others cost. */
static void close_pair(search *run, int32_t depth, double base)
{
    ddls_local *local = run->local;
    const double *h = scratch(run, depth, depth);
    double *out = scratch(run, depth, 2 * DDLS_MOST_NODES);
    int64_t *choice = run->dual->scratch_choice;
    ddls_message(run->dual, row_of(local, depth, depth + 1), local->n_labels[depth], scratch(run, depth, depth + 1),
                 local->n_labels[depth + 1] + 1, out, choice);
    int32_t best = -1;
    for (int32_t t = 0; t <= local->n_labels[depth]; t++)
        if (base + h[t] + out[t] < run->best) {
            run->best = base + h[t] + out[t];
            best = t;
        }
    if (best < 0)
        return;
    run->label[depth] = best;
    run->label[depth + 1] = choice[best] >= 0 ? run->dual->entry_label[choice[best] - run->dual->first_entry] : (int32_t)~choice[best];
    memcpy(local->label, run->label, sizeof local->label);
}

static void descend(search *run, int32_t depth, double base)
{
    const ddls_local *local = run->local;
    if (depth >= DDLS_MOST_NODES - 2 || depth == local->n - 2) {
        close_pair(run, depth, base);
        return;
    }
    const double *least = eliminate(run, depth), *h = scratch(run, depth, depth);
    double last = -INFINITY;
    int32_t label = -1;
    for (;;) { /* labels by ascending bound, ties by index */
        int32_t next = -1;
        for (int32_t s = 0; s <= local->n_labels[depth]; s++)
            if ((least[s] > last || (least[s] == last && s > label)) && (next < 0 || least[s] < least[next]))
                next = s;
        if (next < 0 || !(base + least[next] < run->best))
            return;
        last = least[next];
        label = next;
        run->label[depth] = label;
        condition(run, depth, label);
        descend(run, depth + 1, base + h[label]);
    }
}

double ddls_minimise_local(ddls_dual *dual, ddls_local *local)
{
    search run = {.dual = dual, .local = local};
    const double dummy = dual->side[local->side].dummy ? 0.0 : INFINITY;
    run.best = last_value(&run);
    const double before = run.best;
    for (int32_t i = 0; i < local->n; i++) {
        double *h = scratch(&run, 0, i);
        memcpy(h, dual->cost + local->copy[i], (size_t)local->n_labels[i] * sizeof(double));
        h[local->n_labels[i]] = dummy;
    }
    descend(&run, 0, 0.0);
    if (run.best < before)
        for (int32_t i = 0; i < local->n; i++)
            for (int32_t j = i + 1; j < local->n; j++)
                local->entry[ddls_pair_number(local->n, i, j)] = entry_at(&run, i, j, local->label[i], local->label[j]);
    return run.best;
}
