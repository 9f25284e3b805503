/* Memory of one kernel: taken piece by piece in its `new`, given back all together in its `free`.
 *
 * A failed take is remembered, so `new` takes all that it needs and looks at `failed` once. A pool
 * of zeros is empty.
 */
#ifndef GM_BASE_POOL_H
#define GM_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct gm_pool {
    struct gm_pool_piece *last;
    int failed;
} gm_pool;

/* n zeroed items of the given size, aligned for any vector type; n = 0 takes one. NULL, and failed
 * is set, if memory is exhausted. */
void *gm_pool_take(gm_pool *pool, int64_t n, size_t size);
void gm_pool_free(gm_pool *pool);

/* GM_TAKE(pool, n, array): array = n zeroed items of its own type. */
#define GM_TAKE(pool, n, array) ((array) = gm_pool_take((pool), (n), sizeof *(array)))

#endif
