/* Matchings as slots (model/index.h): slots[i] is the slot that node i has, or -1; n1 of them. */
#ifndef GM_MODEL_SLOTS_H
#define GM_MODEL_SLOTS_H

#include "base/run.h"
#include "model/index.h"

/* labels[i] = the label of slot slots[i], or -1. */
void gm_slots_to_labels(const gm_index *index, const int32_t *slots, int32_t *labels);
/* slots[i] = the slot of node i with label labels[i], or -1 if that pair is not a candidate. */
void gm_labels_to_slots(const gm_index *index, const int32_t *labels, int32_t *slots);
/* The matching of the last solve of a gm_lap whose entries are the slots (gm_index_lap). */
void gm_lap_to_slots(const gm_index *index, const gm_lap *lap, int32_t *slots);

/* Offers a matching and its cost to the run (gm_run_offer). Returns 1 if it is better. */
int gm_offer_slots(gm_run *run, const gm_index *index, const int32_t *slots, double cost);

/* By how much the cost of a matching may be off, which one sum of its terms has rounded: half of
 * gm_matching_error. */
double gm_index_cost_error(const gm_index *index, const int32_t *labels);

/* All matchings but the best one of the run cost at least `others`: raises the bound to that, or to
 * the value less its rounding, which proves the best one. */
void gm_take_others(gm_run *run, const gm_index *index, double others);

/* A linear assignment problem of nodes to labels whose entries are the slots. It borrows arrays of
 * the index. NULL when out of memory. */
gm_lap *gm_index_lap(const gm_index *index);

#endif
