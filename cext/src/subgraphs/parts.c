/* Sets of neighbours. */
#include "subgraphs/parts.h"
#include "subgraphs/bits.h"

void sub_parts_take(sub_parts *parts, gm_pool *pool, int32_t n_nodes, int64_t most, int32_t words)
{
    parts->words = words;
    GM_TAKE(pool, n_nodes + 1, parts->start);
    GM_TAKE(pool, most, parts->there);
    GM_TAKE(pool, most, parts->back);
    GM_TAKE(pool, (int64_t)n_nodes * words, parts->touch);
}

int64_t sub_part_of(sub_parts *parts, int32_t u, int32_t there, int32_t back)
{
    int32_t k = parts->start[u];
    while (k < parts->start[u + 1] && (parts->there[k] != there || parts->back[k] != back))
        k++;
    if (k == parts->start[u + 1]) {
        parts->start[u + 1]++;
        parts->there[k] = there;
        parts->back[k] = back;
    }
    return k;
}

void sub_parts_unite(sub_parts *parts, int32_t n_nodes)
{
    const int32_t words = parts->words;
    for (int32_t u = 0; u < n_nodes; u++)
        for (int64_t k = parts->start[u]; k < parts->start[u + 1]; k++)
            for (int32_t w = 0; w < words; w++)
                parts->touch[(int64_t)u * words + w] |= parts->set[k * words + w];
}

int sub_parts_of_neighbours(sub_parts *parts, gm_pool *pool, const sub_neighbours *near,
                            const int32_t *place, int32_t words)
{
    const int32_t n = near->n_nodes;
    sub_parts_take(parts, pool, n, near->start[n], words);
    if (pool->failed)
        return GM_ENOMEM;
    for (int32_t u = 0; u < n; u++) {
        parts->start[u + 1] = parts->start[u];
        for (int64_t k = near->start[u]; place[u] >= 0 && k < near->start[u + 1]; k++)
            if (place[near->node[k]] >= 0)
                sub_part_of(parts, u, near->there[k], near->back[k]);
    }
    GM_TAKE(pool, (int64_t)parts->start[n] * words, parts->set);
    if (pool->failed)
        return GM_ENOMEM;
    for (int32_t u = 0; u < n; u++)
        for (int64_t k = near->start[u]; place[u] >= 0 && k < near->start[u + 1]; k++) {
            const int32_t member = place[near->node[k]];
            if (member >= 0)
                bits_add(parts->set + sub_part_of(parts, u, near->there[k], near->back[k]) * words,
                         member);
        }
    sub_parts_unite(parts, n);
    return GM_OK;
}
