/* Dense linear assignment with integer costs (Jonker and Volgenant, Computing 38, 1987), in the
 * paper's order of scanning: which of several optimal duals comes out decides how hbp goes on. */
#ifndef GM_ASSIGNMENT_JV_H
#define GM_ASSIGNMENT_JV_H

#include "gm.h"

/* The cheapest permutation for an n x n cost matrix, row by row. col_of and row_of get it, u and v
 * the duals of rows and columns; scratch has room for 5 n + 5 numbers. GM_OK, or GM_ECUT if the run
 * of this watch (or NULL) is over. */
int gm_jv(int32_t n, const int64_t *cost, int32_t *col_of, int32_t *row_of, int64_t *u, int64_t *v,
          int64_t *scratch, gm_watch *watch);

#endif
