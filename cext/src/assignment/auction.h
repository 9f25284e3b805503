/* Prices for a sparse assignment by auction (Bertsekas 1979, 1991), from which shortest paths have
 * little left to do. */
#ifndef GM_ASSIGNMENT_AUCTION_H
#define GM_ASSIGNMENT_AUCTION_H

#include "gm.h"

/* Rows, columns and entries as of gm_lap_new; cost: of each entry. */
typedef struct gm_auction {
    int32_t n_rows, n_cols;
    const int64_t *start;
    const int32_t *col;
    const double *cost;
    int complete;   /* 0: a row may stay free at cost 0 */
    double *v;      /* n_cols: column duals, at most 0; the answer */
    int32_t *owner; /* n_cols: scratch */
} gm_auction;

/* GM_OK, or GM_ECUT if the run is over. Any duals are a valid start; an auction that takes too
 * long is left early. */
int gm_auction_solve(const gm_auction *auction, gm_watch *watch);

#endif
