/* Sets of at most 64 items as one word, and counts of four bits in a word. */
#ifndef GM_SUBGRAPHS_WORD_H
#define GM_SUBGRAPHS_WORD_H

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

INLINE int32_t count(uint64_t set)
{
    return __builtin_popcountll(set);
}

INLINE int32_t first_of(uint64_t set)
{
    return __builtin_ctzll(set);
}

INLINE uint64_t only(int32_t item)
{
    return UINT64_C(1) << item;
}

#define COUNT_TOPS UINT64_C(0x8888888888888888) /* the highest bit of each count, always 0 */

INLINE int all_at_most(uint64_t counts, uint64_t others)
{
    return (((others | COUNT_TOPS) - counts) & COUNT_TOPS) == COUNT_TOPS;
}

#endif
