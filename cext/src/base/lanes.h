/* Vector code. GM_WIDE in front of a function compiles it twice, with AVX2 and without; the
 * loader chooses by the processor. Both versions compute the same numbers, as products
 * and sums are never contracted (-ffp-contract=off). */
#ifndef GM_BASE_LANES_H
#define GM_BASE_LANES_H

#include <stdint.h>

/* Needs gcc, and a C library whose loader can choose: glibc, not musl. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&       \
    !defined(__SANITIZE_ADDRESS__)
#define GM_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GM_WIDE
#endif

/* In front of a function that is compiled for the wide vectors of each GM_WIDE function that calls
 * it: as part of its code. */
#define GM_INLINE static inline __attribute__((always_inline))

/* Four numbers at a time, for minima and maxima: a compiler may not make vector code of a plain
 * loop of comparisons, since with NaN or -0 another order gives another result. These are macros,
 * as a function would not be compiled for the wide vectors of the GM_WIDE function that calls it.
 */
enum { GM_LANES = 4 };
typedef double gm_lanes
    __attribute__((vector_size(GM_LANES * sizeof(double)), aligned(sizeof(double))));
typedef int64_t gm_masks __attribute__((vector_size(GM_LANES * sizeof(int64_t))));

#define GM_LANES_AT(x)         (*(const gm_lanes *)(x))
#define GM_LANES_PUT(x, lanes) (*(gm_lanes *)(x) = (lanes))
#define GM_LANES_ALL(x)        ((gm_lanes){(x), (x), (x), (x)})
#define GM_LANES_CHOOSE(mask, x, y)                                                                \
    ((gm_lanes)(((gm_masks)(x) & (mask)) | ((gm_masks)(y) & ~(mask))))

/* Four bytes as masks' numbers. */
typedef uint8_t gm_bytes __attribute__((vector_size(GM_LANES), aligned(1)));
#define GM_LANES_OF_BYTES(x) __builtin_convertvector(*(const gm_bytes *)(x), gm_masks)

#endif
