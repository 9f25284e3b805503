/* Sets of small numbers as bits of 64-bit words. */
#ifndef GM_SUBGRAPHS_BITS_H
#define GM_SUBGRAPHS_BITS_H

#include <stdint.h>

static inline int32_t bits_words(int32_t n)
{
    return n > 0 ? (n + 63) / 64 : 1;
}

static inline void bits_add(uint64_t *set, int32_t x)
{
    set[x >> 6] |= UINT64_C(1) << (x & 63);
}

static inline void bits_drop(uint64_t *set, int32_t x)
{
    set[x >> 6] &= ~(UINT64_C(1) << (x & 63));
}

static inline int bits_has(const uint64_t *set, int32_t x)
{
    return (int)(set[x >> 6] >> (x & 63) & 1);
}

/* How many members. */
static inline int32_t bits_count(const uint64_t *set, int32_t words)
{
    int32_t n = 0;
    for (int32_t w = 0; w < words; w++)
        n += __builtin_popcountll(set[w]);
    return n;
}

/* The smallest member that is at least x, or -1. */
static inline int32_t bits_next(const uint64_t *set, int32_t words, int32_t x)
{
    for (int32_t w = x >> 6; w < words; w++) {
        uint64_t word = set[w];
        if (w == x >> 6)
            word &= ~UINT64_C(0) << (x & 63);
        if (word)
            return w * 64 + __builtin_ctzll(word);
    }
    return -1;
}

#endif
