/* Products with the K of factored problems, which is never written out. In the notation of
 * factorized graph matching (Zhou and De la Torre 2012): K holds KQ(e, f) for every pair of an edge
 * e of the first and an edge f of the second graph; G and H mark the starts and ends of edges. */
#include "gm.h"

void gm_factored_product(int32_t m1, const int64_t *row_start, const int32_t *column,
                         const double *KQ, const int32_t *start1, const int32_t *end1,
                         const int32_t *start2, const int32_t *end2, int32_t n2, const double *X,
                         double *Y)
{
    for (int32_t e = 0; e < m1; e++) { /* four rows at a time stay in the cache */
        const int64_t i = (int64_t)start1[e] * n2, j = (int64_t)end1[e] * n2;
        for (int64_t k = row_start[e]; k < row_start[e + 1]; k++) {
            const int32_t s = start2[column[k]], t = end2[column[k]];
            const double half = 0.5 * KQ[k];
            Y[i + s] += half * X[j + t];
            Y[j + t] += half * X[i + s];
        }
    }
}
