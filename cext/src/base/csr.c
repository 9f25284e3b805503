#include "base/csr.h"

#include <string.h>

void gm_csr_sum32(int32_t *start, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        start[i + 1] += start[i];
}

void gm_csr_sum64(int64_t *start, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        start[i + 1] += start[i];
}

void gm_csr_rewind32(int32_t *start, int64_t n)
{
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

void gm_csr_rewind64(int64_t *start, int64_t n)
{
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

void gm_csr_widen(int64_t n, const int32_t *start, int64_t *wide)
{
    for (int64_t i = 0; i <= n; i++)
        wide[i] = start[i];
}

void gm_csr_group(int32_t n, int32_t n_members, const int32_t *list, int32_t *start,
                  int32_t *member)
{
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int32_t k = 0; k < n_members; k++)
        start[list[k] + 1]++;
    gm_csr_sum32(start, n);
    for (int32_t k = 0; k < n_members; k++)
        member[start[list[k]]++] = k;
    gm_csr_rewind32(start, n);
}

void gm_csr_group_pairs(int32_t n, int32_t n_members, const int32_t *first, const int32_t *second,
                        int32_t *start, int32_t *member)
{
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int32_t k = 0; k < n_members; k++) {
        start[first[k] + 1]++;
        start[second[k] + 1]++;
    }
    gm_csr_sum32(start, n);
    for (int32_t k = 0; k < n_members; k++) {
        member[start[first[k]]++] = k;
        member[start[second[k]]++] = k;
    }
    gm_csr_rewind32(start, n);
}
