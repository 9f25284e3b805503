/* Sums over neighbours of the best pair of each: how well the neighbourhoods of two nodes agree,
 * given how well each pair of nodes does. */
#include "base/lanes.h"
#include "gm.h"

/* largest[s] = max over the links t of s of weight * w[t], at least 0 */
GM_WIDE static void pool_labels(const gm_weighted *B, const float *w, float *largest)
{
    for (int32_t s = 0; s < B->n; s++) {
        float most = 0.0F;
        for (int64_t e = B->start[s]; e < B->start[s + 1]; e++) {
            const float support = B->weight[e] * w[B->other[e]];
            most = support > most ? support : most;
        }
        largest[s] = most;
    }
}

GM_WIDE static void add_scaled(int32_t n, float factor, const float *x, float *sum)
{
    for (int32_t s = 0; s < n; s++)
        sum[s] += factor * x[s];
}

GM_WIDE static void raise_to(int32_t n, float factor, const float *x, float *largest)
{
    for (int32_t s = 0; s < n; s++) {
        const float support = factor * x[s];
        largest[s] = support > largest[s] ? support : largest[s];
    }
}

void gm_pool_labels(const gm_weighted *A, const gm_weighted *B, const float *W, int32_t first,
                    int32_t last, float *sum, float *scratch)
{
    const int32_t n = B->n;
    for (int32_t j = first; j < last; j++) {
        pool_labels(B, W + (int64_t)j * n, scratch);
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++)
            add_scaled(n, A->weight[e], scratch, sum + (int64_t)A->other[e] * n);
    }
}

void gm_pool_nodes(const gm_weighted *A, const gm_weighted *B, const float *W, int32_t first,
                   int32_t last, float *sum, float *scratch)
{
    const int32_t n = B->n;
    for (int32_t i = first; i < last; i++) {
        for (int32_t t = 0; t < n; t++)
            scratch[t] = 0.0F;
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
            raise_to(n, A->weight[e], W + (int64_t)A->other[e] * n, scratch);
        float *own = sum + (int64_t)i * n;
        for (int32_t s = 0; s < n; s++) {
            float total = 0.0F;
            for (int64_t e = B->start[s]; e < B->start[s + 1]; e++)
                total += B->weight[e] * scratch[B->other[e]];
            own[s] = total < own[s] ? total : own[s];
        }
    }
}
