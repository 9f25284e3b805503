#include "aj/open.h"

#include "model/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void aj_open_clear(aj_open *open)
{
    aj_leaves_clear(&open->leaves);
    free(open->node);
    free(open->label);
    free(open->labels);
    *open = (aj_open){0};
}

int aj_open_take(aj_tree *T, gm_run *run, const gm_aj_open *given)
{
    const gm_index *index = T->index;
    aj_leaves *leaves = &T->leaves;
    for (int32_t k = 0; k < given->n; k++) {
        aj_leaves_add(leaves, given->lower[k] * T->scale, given->weight[k]);
        for (int64_t x = given->start[k]; x < given->start[k + 1]; x++) {
            const int32_t node = given->node[x], label = given->label[x];
            const int32_t slot = gm_index_slot(index, node, label);
            if (slot >= 0 || label < 0) /* without a decision the leaf is larger, and as valid */
                aj_leaves_add_decision(leaves, slot >= 0 ? slot : -1 - node);
        }
    }
    gm_run_raise(run, given->bound);
    return leaves->failed ? GM_ENOMEM : GM_OK;
}

/* Memory for the decisions and the best matching. GM_OK or GM_ENOMEM. */
static int fit(aj_open *open, int32_t n1)
{
    const size_t n = (size_t)open->leaves.n_keys + 1;
    free(open->node);
    free(open->label);
    free(open->labels);
    open->node = malloc(sizeof *open->node * n);
    open->label = malloc(sizeof *open->label * n);
    open->labels = malloc(sizeof *open->labels * ((size_t)n1 + 1));
    return open->node && open->label && open->labels ? GM_OK : GM_ENOMEM;
}

/* The best matching of the run and of the present round, in open->labels. Returns its cost. */
static double find_best(aj_open *open, const aj_tree *T, const gm_run *run)
{
    const aj_rounds *R = &T->rounds;
    double value = run->value;
    memcpy(open->labels, run->labels, sizeof *run->labels * (size_t)run->n1);
    for (int32_t k = 0; k < R->n_tasks; k++)
        if (R->tasks[k]->best_cost < value) {
            value = R->tasks[k]->best_cost;
            gm_slots_to_labels(T->index, R->tasks[k]->best, open->labels);
        }
    return value;
}

int aj_open_list(aj_open *open, const aj_tree *T, const gm_run *run, double cutoff,
                 gm_aj_open *list)
{
    const gm_index *index = T->index;
    aj_leaves *leaves = &open->leaves;
    if (aj_tree_list_open(T, cutoff, leaves) != GM_OK || fit(open, run->n1) != GM_OK)
        return GM_ENOMEM;
    for (int64_t x = 0; x < leaves->n_keys; x++) {
        const int32_t key = leaves->key[x];
        open->node[x] = key < 0 ? -1 - key : index->slot_node[key];
        open->label[x] = key < 0 ? -1 : index->slot_label[key];
    }
    for (int32_t k = 0; k < leaves->n; k++)
        leaves->lower[k] /= T->scale;
    *list = (gm_aj_open){.value = find_best(open, T, run),
                         .bound = run->bound,
                         .labels = open->labels,
                         .n = leaves->n,
                         .start = leaves->start,
                         .node = open->node,
                         .label = open->label,
                         .lower = leaves->lower,
                         .weight = leaves->weight};
    return GM_OK;
}
