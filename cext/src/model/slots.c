/* Matchings as slots, labels and assignments, turned into each other. */
#include "model/slots.h"

#include "base/watch.h"

#include <math.h>

void gm_slots_to_labels(const gm_index *index, const int32_t *slots, int32_t *labels)
{
    for (int32_t i = 0; i < index->n1; i++)
        labels[i] = slots[i] >= 0 ? index->slot_label[slots[i]] : -1;
}

void gm_labels_to_slots(const gm_index *index, const int32_t *labels, int32_t *slots)
{
    for (int32_t i = 0; i < index->n1; i++)
        slots[i] = gm_index_slot(index, i, labels[i]);
}

void gm_lap_to_slots(const gm_index *index, const gm_lap *lap, int32_t *slots)
{
    const int64_t *entry = gm_lap_entry(lap);
    for (int32_t i = 0; i < index->n1; i++)
        slots[i] = (int32_t)entry[i];
}

int gm_offer_slots(gm_run *run, const gm_index *index, const int32_t *slots, double cost)
{
    if (gm_watch_is_over(run->watch) || !(cost < run->value))
        return 0;
    gm_slots_to_labels(index, slots, run->labels);
    return gm_run_offer(run, cost, run->labels);
}

double gm_index_cost_error(const gm_index *index, const int32_t *labels)
{
    double magnitude = 0.0, terms = 0.0;
    for (int32_t i = 0; i < index->n1; i++) {
        const int32_t p = gm_index_slot(index, i, labels[i]);
        if (p < 0)
            continue;
        magnitude += fabs(index->slot_cost[p]);
        terms += 1.0;
        for (int64_t k = index->adjacent_start[p]; k < index->adjacent_start[p + 1]; k++) {
            const int32_t q = index->adjacent_slot[k];
            if (q > p && labels[index->slot_node[q]] == index->slot_label[q]) { /* each pair once */
                magnitude += fabs(index->adjacent_cost[k]);
                terms += 1.0;
            }
        }
    }
    return gm_sum_error(2.0 * terms, magnitude); /* twice: others add it up again */
}

void gm_take_others(gm_run *run, const gm_index *index, double others)
{
    if (!(others > run->bound) || !isfinite(run->value))
        return;
    const double known = run->value - gm_index_cost_error(index, run->labels);
    gm_run_raise(run, others < known ? others : known);
    if (others >= known)
        run->proven = 1;
}

gm_lap *gm_index_lap(const gm_index *index)
{
    gm_lap *lap = gm_lap_new(index->n1, index->n2, index->lap_start, index->slot_label);
    if (lap)
        gm_lap_heed(lap, index->watch);
    return lap;
}
