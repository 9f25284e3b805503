/* A small deterministic generator: one 64-bit state, the same numbers on every machine. */
#ifndef GM_BASE_RANDOM_H
#define GM_BASE_RANDOM_H

#include <stdint.h>

typedef struct gm_random {
    uint64_t state;
} gm_random;

/* splitmix64 (Steele, Lea and Flood 2014): full period, passes BigCrush, any seed is good. */
static inline uint64_t gm_random_bits(gm_random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in 0 .. n-1 for n >= 1; the bias of at most n / 2^32 is irrelevant here. */
static inline int32_t gm_random_below(gm_random *random, int32_t n)
{
    return (int32_t)(((gm_random_bits(random) >> 32) * (uint64_t)n) >> 32);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double gm_random_unit(gm_random *random)
{
    return (double)(gm_random_bits(random) >> 11) * 0x1p-53;
}

/* Shuffles n items; all orders are equally likely (Fisher and Yates; Knuth's Algorithm P). */
static inline void gm_random_shuffle(gm_random *random, int32_t n, int32_t *items)
{
    for (int32_t k = n - 1; k > 0; k--) {
        const int32_t other = gm_random_below(random, k + 1);
        const int32_t kept = items[k];
        items[k] = items[other];
        items[other] = kept;
    }
}

#endif
