/* Minima over cost tables whose cells are mostly 0. */
#include "model/background.h"

void gm_fill_table(const gm_index *index, int32_t u, int32_t v, int32_t link, double equal,
                   int64_t width, double *table)
{
    const int32_t first_u = index->node_start[u], first_v = index->node_start[v];
    for (int32_t p = first_u, q = first_v; gm_next_equal(index, u, v, &p, &q); p++, q++)
        table[(p - first_u) * width + (q - first_v)] = equal;
    if (link < 0)
        return;
    for (int64_t e = index->link_start[link]; e < index->link_start[link + 1]; e++)
        table[(index->first[e] - first_u) * width + (index->second[e] - first_v)] =
            index->entry_cost[e];
}

int32_t gm_background_minima(gm_hidden hidden, const double *give, int32_t n_rows, double *out,
                             int32_t n_columns, int32_t *pending, uint8_t *mark)
{
    int32_t n_pending = 0;
    int32_t row = gm_smallest(give, n_rows);
    for (int32_t t = 0; t < n_columns; t++)
        out[t] = give[row];
    for (int64_t k = hidden.start[row]; k < hidden.end[row]; k++)
        pending[n_pending++] = hidden.column[k];
    while (n_pending > 0) {
        row = gm_next_smallest(give, n_rows, row);
        if (row < 0)
            break;
        int32_t still = 0; /* columns that this row hides, too */
        for (int64_t k = hidden.start[row]; k < hidden.end[row]; k++)
            mark[hidden.column[k]] = 1;
        for (int32_t k = 0; k < n_pending; k++) {
            const int32_t t = pending[k];
            if (mark[t])
                pending[still++] = t;
            else
                out[t] = give[row];
        }
        for (int64_t k = hidden.start[row]; k < hidden.end[row]; k++)
            mark[hidden.column[k]] = 0;
        n_pending = still;
    }
    return n_pending;
}
