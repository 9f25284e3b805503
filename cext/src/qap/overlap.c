/* The gradient of the overlap sum min(A_ij, B_p(i)p(j)) at a matching p, row by row. */
#include "gm.h"

void gm_add_overlaps(const gm_weighted *A, const gm_weighted *B, const int32_t *labels, float share,
                     int32_t first, int32_t last, float *sum)
{
    for (int32_t j = first; j < last; j++) {
        float *row = sum + (int64_t)j * B->n;
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const int32_t s = labels[A->other[e]];
            if (s < 0)
                continue;
            const float a = share * A->weight[e];
            for (int64_t f = B->start[s]; f < B->start[s + 1]; f++) {
                const float b = share * B->weight[f];
                row[B->other[f]] += a < b ? a : b;
            }
        }
    }
}
