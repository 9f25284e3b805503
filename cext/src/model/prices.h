/* Prices of nodes and labels: duals of a linear assignment whose entries are the slots
 * (gm_index_lap), and the bounds on other matchings that follow. */
#ifndef GM_MODEL_PRICES_H
#define GM_MODEL_PRICES_H

#include "model/index.h"

/* Optimal prices are rarely unique. u and v get those of the last solve of the lap with these
 * costs, changed in turn: for each matched pair of node i and label l, v_l moves to the middle of
 * the interval that keeps the prices optimal. Then the least reduced costs of the other labels of i
 * and of the other nodes of l are equal. (fm-bca's centre (fm/bca.c) has the same aim but other
 * arithmetic: it moves costs that earlier pairs have changed already, and keeps both sides from
 * falling below 0.) */
void gm_centred_prices(const gm_index *index, const gm_lap *lap, const double *cost, double *u,
                       double *v);

/* By how much all matchings but the given one cost more than sum(u) + sum(v), at least: each takes
 * an entry, or leaves a node free, whose reduced cost is that much. +inf without another one. */
double gm_least_other_price(const gm_index *index, const double *cost, const double *u,
                            const double *v, const int32_t *labels);

#endif
