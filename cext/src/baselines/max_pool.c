/* Max-pooling matching (Cho, Sun, Duchenne and Ponce 2014): the pooling step of the power
 * iteration. The maxima are squared, as in the original program. */
#include "gm.h"

void gm_max_pool(int32_t n, const int64_t *start, const int32_t *neighbour, const double *weight,
                 const int32_t *node, const double *s, double *q)
{
    for (int32_t p = 0; p < n; p++) {
        double sum = 0.0, largest = 0.0;
        int32_t group = -1; /* the left node whose candidates are being pooled */
        for (int64_t e = start[p]; e < start[p + 1]; e++) {
            const int32_t k = neighbour[e];
            const double support = weight[e] * s[k];
            if (node[k] != group) {
                sum += largest * largest;
                largest = 0.0;
                group = node[k];
            }
            if (support > largest)
                largest = support;
        }
        q[p] = sum + largest * largest;
    }
}
