/* Matchings as slots, labels and assignments, turned into each other. */
#include "model/slots.h"

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
    if (!(cost < run->value))
        return 0;
    gm_slots_to_labels(index, slots, run->labels);
    return gm_run_offer(run, cost, run->labels);
}

gm_lap *gm_index_lap(const gm_index *index)
{
    return gm_lap_new(index->n1, index->n2, index->lap_start, index->slot_label);
}
