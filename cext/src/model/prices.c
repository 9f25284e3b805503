#include "model/prices.h"

#include "gm.h"

#include <math.h>
#include <string.h>

void gm_centred_prices(const gm_index *index, const gm_lap *lap, const double *cost, double *u,
                       double *v)
{
    const int64_t *matched = gm_lap_entry(lap);
    const int all_labels = index->complete && index->n1 == index->n2;
    memcpy(u, gm_lap_u(lap), sizeof *u * (size_t)index->n1);
    memcpy(v, gm_lap_v(lap), sizeof *v * (size_t)index->n2);
    for (int32_t i = 0; i < index->n1; i++) {
        if (matched[i] < 0)
            continue;
        const int32_t chosen = (int32_t)matched[i], l = index->slot_label[chosen];
        double row = index->complete ? INFINITY : -u[i], col = all_labels ? INFINITY : -v[l];
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
            const double reduced = cost[p] - u[i] - v[index->slot_label[p]];
            row = p != chosen && reduced < row ? reduced : row;
        }
        for (int32_t k = index->label_start[l]; k < index->label_start[l + 1]; k++) {
            const int32_t p = index->label_slot[k];
            const double reduced = cost[p] - u[index->slot_node[p]] - v[l];
            col = p != chosen && reduced < col ? reduced : col;
        }
        if (!isfinite(row) || !isfinite(col))
            continue;
        const double shift = 0.5 * (col - row);
        v[l] += shift;
        u[i] -= shift;
    }
}

double gm_least_other_price(const gm_index *index, const double *cost, const double *u,
                            const double *v, const int32_t *labels)
{
    double least = INFINITY;
    for (int32_t i = 0; i < index->n1; i++) {
        if (labels[i] >= 0 && !index->complete && -u[i] < least)
            least = -u[i];
        for (int32_t p = index->node_start[i]; p < index->node_start[i + 1]; p++) {
            const double reduced = cost[p] - u[i] - v[index->slot_label[p]];
            if (index->slot_label[p] != labels[i] && reduced < least)
                least = reduced;
        }
    }
    return least;
}
