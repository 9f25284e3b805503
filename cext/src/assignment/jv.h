/* Dense integer assignment by Jonker and Volgenant (1987), with that paper's order of scanning:
 * which of several optimal duals comes out decides how hbp goes on. */
#ifndef GM_ASSIGNMENT_JV_H
#define GM_ASSIGNMENT_JV_H

#include <stdint.h>

/* Minimises over permutations of an n x n cost matrix (rows by columns). col_of and row_of get the
 * solution, u and v the duals; scratch has room for 5 n + 5 int64. */
void gm_jv(int32_t n, const int64_t *cost, int32_t *col_of, int32_t *row_of, int64_t *u, int64_t *v,
           int64_t *scratch);

#endif
