/* What a matching costs, from the arrays of the model. */
#include "gm.h"

/* First of the sorted numbers x[from .. to - 1] that is not below `wanted`, or `to`. */
static int64_t lower_bound(const int32_t *x, int64_t from, int64_t to, int32_t wanted)
{
    while (from < to) {
        const int64_t middle = from + (to - from) / 2;
        if (x[middle] < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* What candidate p costs together with those chosen behind it. */
static double behind(const gm_model *model, const int32_t *labels, int32_t p)
{
    double total = 0.0;
    for (int64_t e = lower_bound(model->a, 0, model->n_edges, p);
         e < model->n_edges && model->a[e] == p; e++) {
        const int32_t q = model->b[e];
        if (labels[model->left[q]] == model->right[q])
            total += model->edge_cost[e];
    }
    return total;
}

int gm_matching_cost(const gm_model *model, const int32_t *labels, double *cost)
{
    double unary = 0.0, pairs = 0.0;
    for (int32_t i = 0; i < model->n1; i++) {
        const int32_t s = labels[i];
        if (s == -1)
            continue;
        if (s < 0 || s >= model->n2)
            return GM_EARGUMENT;
        const int64_t first = lower_bound(model->right, 0, model->n_candidates, s),
                      end = lower_bound(model->right, first, model->n_candidates, s + 1),
                      p = lower_bound(model->left, first, end, i);
        if (p == end || model->left[p] != i)
            return GM_EARGUMENT;
        /* one-to-one: no other candidate of this label is chosen */
        for (int64_t q = first; q < p; q++)
            if (labels[model->left[q]] == s)
                return GM_EARGUMENT;
        unary += model->cost[p];
        pairs += behind(model, labels, (int32_t)p);
    }
    *cost = unary + pairs;
    return GM_OK;
}
