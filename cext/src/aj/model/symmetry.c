#include "aj/model/symmetry.h"

#include "aj/policy.h"
#include "base/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- colours */

/* A side of the model as its colours see it: members x, y have costs with u, v of the other side.
 */
typedef struct view {
    const gm_index *index;
    const int32_t *slot; /* n1 x n2, or -1 */
    int32_t n, n_other;
    int by_label;
    gm_watch *watch;
} view;

/* The cost of the pair (x, u), (y, v), or of the candidate (x, u) itself. */
static double cost_of(const view *V, int32_t x, int32_t y, int32_t u, int32_t v)
{
    const int32_t n2 = V->index->n2;
    const int32_t p = V->by_label ? V->slot[u * n2 + x] : V->slot[x * n2 + u];
    const int32_t q = V->by_label ? V->slot[v * n2 + y] : V->slot[y * n2 + v];
    if (x == y && u == v)
        return p < 0 ? INFINITY : V->index->slot_cost[p];
    return x == y || u == v || p < 0 || q < 0 ? 0.0 : gm_index_pair(V->index, p, q);
}

/* Equal for pairs of equal colour. */
static uint64_t hash_of(const view *V, int32_t x, int32_t y)
{
    uint64_t hash = x == y;
    for (int32_t u = 0; u < V->n_other; u++)
        for (int32_t v = 0; v < V->n_other; v++) {
            const double cost = cost_of(V, x, y, u, v) + 0.0; /* -0 and 0 are the same */
            uint64_t bits;
            memcpy(&bits, &cost, sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 29;
        }
    return hash;
}

/* Whether two pairs of members have the same colour. */
static int same_costs(const view *V, int32_t x, int32_t y, int32_t other_x, int32_t other_y)
{
    if ((x == y) != (other_x == other_y))
        return 0;
    for (int32_t u = 0; u < V->n_other; u++)
        for (int32_t v = 0; v < V->n_other; v++)
            if (cost_of(V, x, y, u, v) != cost_of(V, other_x, other_y, u, v))
                return 0;
    return 1;
}

/* A colour is the number of the first pair that has it. */
static void find_colours(const view *V, uint64_t *hash, int32_t *colour)
{
    const int32_t n = V->n;
    for (int32_t k = 0; k < n * n; k++) {
        if (gm_watch_spend(V->watch, (int64_t)V->n_other * V->n_other))
            return;
        hash[k] = hash_of(V, k / n, k % n);
        colour[k] = k;
        for (int32_t j = 0; j < k; j++)
            if (colour[j] == j && hash[j] == hash[k] && same_costs(V, k / n, k % n, j / n, j % n)) {
                colour[k] = j;
                break;
            }
    }
}

enum { MOST_SLOTS = 1024 }; /* pairs (node, label): with more no symmetry is looked for */

aj_symmetry *aj_symmetry_new(const gm_index *index, gm_watch *watch)
{
    aj_symmetry *S = calloc(1, sizeof *S);
    gm_pool scratch = {0};
    int32_t *slot;
    uint64_t *hash;
    if (!S)
        return NULL;
    const int32_t n1 = index->n1, n2 = index->n2, n = n1 > n2 ? n1 : n2;
    if (n > AJ_SYMMETRY_SIDE || n1 * n2 > MOST_SLOTS)
        return S;
    GM_TAKE(&S->pool, n1 * n1, S->nodes.colour);
    GM_TAKE(&S->pool, n2 * n2, S->labels.colour);
    GM_TAKE(&scratch, n1 * n2, slot);
    GM_TAKE(&scratch, n * n, hash);
    int failed = S->pool.failed || scratch.failed;
    if (!failed) {
        for (int32_t k = 0; k < n1 * n2; k++)
            slot[k] = gm_index_slot(index, k / n2, k % n2);
        const view nodes = {index, slot, n1, n2, 0, watch},
                   labels = {index, slot, n2, n1, 1, watch};
        find_colours(&nodes, hash, S->nodes.colour);
        find_colours(&labels, hash, S->labels.colour);
        S->nodes.n = n1;
        S->labels.n = n2;
        failed = gm_watch_is_over(watch);
    }
    gm_pool_free(&scratch);
    if (failed) {
        aj_symmetry_free(S);
        return NULL;
    }
    return S;
}

void aj_symmetry_free(aj_symmetry *symmetry)
{
    if (symmetry)
        gm_pool_free(&symmetry->pool);
    free(symmetry);
}

/* ---- orbits */

/* An exchange that is being looked for: images are given one by one. */
typedef struct exchange {
    const aj_side *side;
    int32_t n_mapped;
    int32_t trials;                  /* images that may still be tried */
    int32_t order[AJ_SYMMETRY_SIDE]; /* members, those with an image first: n_mapped of them */
    int32_t image[AJ_SYMMETRY_SIDE];
    uint8_t taken[AJ_SYMMETRY_SIDE];
} exchange;

/* Whether x may go to y: its colours with all that has an image stay the same. */
static int agrees(const exchange *E, int32_t x, int32_t y)
{
    const int32_t *colour = E->side->colour, n = E->side->n;
    if (colour[x * n + x] != colour[y * n + y])
        return 0;
    for (int32_t k = 0; k < E->n_mapped; k++) {
        const int32_t z = E->order[k], w = E->image[z];
        if (colour[x * n + z] != colour[y * n + w] || colour[z * n + x] != colour[w * n + y])
            return 0;
    }
    return 1;
}

static int extend(exchange *E);

/* Gives the next member the image y, and all others images, if that is possible. */
static int try_image(exchange *E, int32_t y)
{
    const int32_t x = E->order[E->n_mapped];
    if (E->taken[y] || --E->trials < 0 || !agrees(E, x, y))
        return 0;
    E->image[x] = y;
    E->taken[y] = 1;
    E->n_mapped++;
    if (extend(E))
        return 1;
    E->n_mapped--;
    E->taken[y] = 0;
    return 0;
}

/* Gives all members without an image one; a member keeps its own place if it can. */
static int extend(exchange *E)
{
    if (E->n_mapped == E->side->n)
        return 1;
    const int32_t x = E->order[E->n_mapped];
    if (try_image(E, x))
        return 1;
    for (int32_t y = 0; y < E->side->n && E->trials > 0; y++)
        if (y != x && try_image(E, y))
            return 1;
    return 0;
}

enum { MOST_IMAGES = 4000 }; /* tried for one exchange; a missed orbit is searched twice */

/* Looks for an exchange that carries x to y and keeps the fixed ones in place. */
static int carries(exchange *E, const uint8_t *fixed, int32_t x, int32_t y)
{
    const int32_t n = E->side->n;
    int32_t n_fixed = 0, last = n;
    for (int32_t z = n - 1; z >= 0; z--) {
        E->taken[z] = fixed[z];
        E->image[z] = z;
        if (!fixed[z] && z != x)
            E->order[--last] = z;
    }
    for (int32_t z = 0; z < n; z++)
        if (fixed[z])
            E->order[n_fixed++] = z;
    E->order[n_fixed] = x;
    E->n_mapped = n_fixed;
    E->trials = MOST_IMAGES;
    return try_image(E, y);
}

int aj_symmetry_orbits(const aj_side *side, const uint8_t *fixed, int32_t *orbit)
{
    exchange E = {.side = side};
    int found = 0;
    for (int32_t x = 0; x < side->n; x++)
        orbit[x] = x;
    for (int32_t y = 0; y < side->n; y++)
        for (int32_t x = 0; x < y && orbit[y] == y && !fixed[y]; x++) {
            if (orbit[x] != x || fixed[x] || !carries(&E, fixed, x, y))
                continue;
            found = 1;
            for (int32_t z = 0; z < side->n; z++) { /* joins every member with its image */
                const int32_t one = orbit[z], other = orbit[E.image[z]];
                const int32_t first = one < other ? one : other;
                for (int32_t w = 0; w < side->n && one != other; w++)
                    if (orbit[w] == one || orbit[w] == other)
                        orbit[w] = first;
            }
        }
    return found;
}
