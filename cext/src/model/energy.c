/* The cost of a matching, from the arrays of the model: no index is needed, and nothing is
 * allocated.
 */
#include "base/sorted.h"
#include "gm.h"

#include <math.h>

/* The cost is added up here and in kernels, which lower their bounds by as much once more. */
static const double ROUNDINGS_PER_TERM = 4.0;

/* The costs of all edges between candidate p and later candidates that are chosen, too. */
static double edges_behind(const gm_model *model, const int32_t *labels, int32_t p)
{
    double total = 0.0;
    for (int64_t e = gm_lower_bound(model->a, 0, model->n_edges, p);
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
        /* the candidates of label s, and among them that of node i */
        const int64_t first = gm_lower_bound(model->right, 0, model->n_candidates, s);
        const int64_t end = gm_lower_bound(model->right, first, model->n_candidates, s + 1);
        const int64_t p = gm_lower_bound(model->left, first, end, i);
        if (p == end || model->left[p] != i)
            return GM_EARGUMENT;
        /* one-to-one: no smaller node has this label, too */
        for (int64_t q = first; q < p; q++)
            if (labels[model->left[q]] == s)
                return GM_EARGUMENT;
        unary += model->cost[p];
        pairs += edges_behind(model, labels, (int32_t)p);
    }
    *cost = unary + pairs;
    return GM_OK;
}

double gm_matching_error(const gm_model *model, const int32_t *labels)
{
    double terms = 0.0, magnitude = 0.0;
    for (int32_t p = 0; p < model->n_candidates; p++) {
        if (labels[model->left[p]] != model->right[p])
            continue;
        terms += 1.0;
        magnitude += fabs(model->cost[p]);
        for (int64_t e = gm_lower_bound(model->a, 0, model->n_edges, p);
             e < model->n_edges && model->a[e] == p; e++) {
            const int32_t q = model->b[e];
            if (labels[model->left[q]] != model->right[q])
                continue;
            terms += 1.0;
            magnitude += fabs(model->edge_cost[e]);
        }
    }
    return gm_sum_error(ROUNDINGS_PER_TERM * terms, magnitude);
}
