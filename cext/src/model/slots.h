/* Matchings as slots: slots[i] is the slot that node i has, or -1 (n1 of them). */
#ifndef GM_MODEL_SLOTS_H
#define GM_MODEL_SLOTS_H

#include "base/run.h"
#include "model/index.h"

void gm_slots_to_labels(const gm_index *index, const int32_t *slots, int32_t *labels);
/* A pair that is no candidate becomes -1. */
void gm_labels_to_slots(const gm_index *index, const int32_t *labels, int32_t *slots);
/* The matching of a gm_lap over the slots (gm_index_lap). */
void gm_lap_to_slots(const gm_index *index, const gm_lap *lap, int32_t *slots);

/* Offers a matching of this cost to the run. Returns 1 if it is better. */
int gm_offer_slots(gm_run *run, const gm_index *index, const int32_t *slots, double cost);

/* An assignment problem between nodes and labels whose entries are the slots; NULL when out of
 * memory. It borrows from the index. */
gm_lap *gm_index_lap(const gm_index *index);

#endif
