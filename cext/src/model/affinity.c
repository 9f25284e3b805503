/* Products with the affinity matrix W = -K of the candidates, computed from the edges of the model
 * without writing W out. */
#include "gm.h"

#include <string.h>

void gm_edge_starts(int32_t n, int64_t n_edges, const int32_t *a, int64_t *start)
{
    int64_t e = 0;
    for (int32_t p = 0; p <= n; p++) {
        while (e < n_edges && a[e] < p)
            e++;
        start[p] = e;
    }
}

int64_t gm_count_conflicts(const gm_model *m)
{
    int64_t count = 0;
    for (int64_t e = 0; e < m->n_edges; e++) {
        const int32_t a = m->a[e], b = m->b[e];
        count += (m->left[a] == m->left[b]) | (m->right[a] == m->right[b]);
    }
    return count;
}

/* Every edge is read once and used for both its ends. Each sum adds its terms in the order of a
 * whole row of K nevertheless, so that the result is that of a product with K to the last bit: when
 * the loop reaches p, y[p] holds the terms of the candidates before p; now its own term and those
 * of the candidates behind it follow. Halving and negating the sum instead of its terms is exact.
 */
void gm_multiply(const gm_affinity *W, const double *x, double *y)
{
    memset(y, 0, sizeof *y * (size_t)W->n);
    for (int32_t p = 0; p < W->n; p++) {
        double total = y[p] + 2.0 * W->cost[p] * x[p];
        for (int64_t e = W->start[p]; e < W->start[p + 1]; e++) {
            const int32_t q = W->behind[e];
            y[q] += W->edge_cost[e] * x[p];
            total += W->edge_cost[e] * x[q];
        }
        y[p] = 0.5 * (0.0 - total); /* a plain minus would make -0 of 0 */
    }
}
