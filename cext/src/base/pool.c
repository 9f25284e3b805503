/* Pieces of memory in a list, newest first, each with its items behind the link. */
#include "base/pool.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 }; /* a cache line, and any vector register */

struct gm_pool_piece {
    struct gm_pool_piece *before;
};

void *gm_pool_take(gm_pool *pool, int64_t n, size_t size)
{
    const size_t count = n > 0 ? (size_t)n : 1;
    if (count > (SIZE_MAX - 2 * ALIGNMENT) / size) {
        pool->failed = 1;
        return NULL;
    }
    struct gm_pool_piece *piece = calloc(1, sizeof *piece + ALIGNMENT + count * size);
    if (!piece) {
        pool->failed = 1;
        return NULL;
    }
    piece->before = pool->last;
    pool->last = piece;
    const uintptr_t behind = (uintptr_t)(piece + 1); /* the items begin at the next multiple */
    return (void *)((behind + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void gm_pool_free(gm_pool *pool)
{
    while (pool->last) {
        struct gm_pool_piece *before = pool->last->before;
        free(pool->last);
        pool->last = before;
    }
}
