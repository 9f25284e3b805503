/* The tree of the search for contained subgraphs, and its restarts. */
#include "subgraphs/contained_search.h"
#include "subgraphs/bits.h"
#include "subgraphs/propagation.h"

#include <string.h>

static const int64_t LOOK = 1 << 16;    /* words of work between two looks at the clock */
static const double MOST_PARTS = 256e6; /* bytes of sets of neighbours */
static const int64_t RESTART = 500;     /* nodes before the first restart */

/* ---- memory */

int sub_contained_take(sub_contained *search, gm_pool *pool, const sub_candidates *c, int restarts)
{
    const int32_t n = c->first.n_nodes, words = c->words;
    int64_t n_bits = 0;
    for (int32_t x = 0; x < n; x++)
        n_bits += c->size[x];
    double n_touched = 0.0;
    for (int32_t s = 0; s < c->n_values; s++)
        n_touched += (double)sub_degree(&c->second, c->image[s]);
    search->candidates = c;
    search->n = n;
    search->words = words;
    search->near = c->first;
    GM_TAKE(pool, (int64_t)n * words, search->domain);
    GM_TAKE(pool, n, search->size);
    GM_TAKE(pool, n, search->given);
    GM_TAKE(pool, n, search->list);
    GM_TAKE(pool, n, search->place);
    GM_TAKE(pool, n_bits, search->trail); /* each change takes a value from a domain */
    GM_TAKE(pool, n_bits, search->kept);
    GM_TAKE(pool, n, search->queue);
    GM_TAKE(pool, n, search->level);
    GM_TAKE(pool, (int64_t)n * words, search->untried);
    GM_TAKE(pool, words, search->mask);
    GM_TAKE(pool, words, search->mixed);
    GM_TAKE(pool, n, search->sorted);
    GM_TAKE(pool, n + 2, search->bucket);
    GM_TAKE(pool, n, search->changed);
    GM_TAKE(pool, n, search->is_changed);
    GM_TAKE(pool, n, search->path_variable);
    GM_TAKE(pool, n, search->path_value);
    sub_distance2_take(&search->distance2, pool, c);
    if (restarts)
        sub_nogoods_take(&search->nogoods, pool, n, c->n_values, words);
    search->restarts = search->nogoods.is_there;
    search->restart_at = search->restarts ? RESTART : INT64_MAX;
    search->has_parts =
        (double)c->second.n_nodes * words * 8.0 * (c->pair->n_kinds2 + 1) <= MOST_PARTS;
    if (search->has_parts)
        sub_parts_of_neighbours(&search->parts, pool, &c->second, c->value, words);
    if (pool->failed)
        return GM_ENOMEM;
    memcpy(search->domain, c->domain, sizeof *c->domain * (size_t)n * (size_t)words);
    memcpy(search->size, c->size, sizeof *c->size * (size_t)n);
    for (int32_t x = 0; x < n; x++) {
        search->given[x] = -1;
        search->list[x] = search->place[x] = x;
        if (search->size[x] == 1)
            search->queue[search->n_queue++] = x;
    }
    /* more values than these touch most values together */
    search->deep = (int32_t)((double)c->n_values * (double)c->n_values / (n_touched + 1.0));
    search->depth = -1; /* the root has not been propagated */
    return GM_OK;
}

/* ---- tree */

/* The variable with the smallest domain, of several the one with most neighbours. */
static int32_t choose(const sub_contained *search)
{
    int32_t best = -1;
    for (int32_t k = search->n_given; k < search->n; k++) {
        const int32_t x = search->list[k];
        if (best < 0 || search->size[x] < search->size[best] ||
            (search->size[x] == search->size[best] &&
             (sub_degree(&search->near, x) > sub_degree(&search->near, best) ||
              (sub_degree(&search->near, x) == sub_degree(&search->near, best) && x < best))))
            best = x;
    }
    return best;
}

static void open_level(sub_contained *search)
{
    sub_level *level = search->level + search->depth;
    const int32_t x = choose(search);
    *level = (sub_level){x, -1, search->n_trail, search->n_given};
    memcpy(search->untried + (int64_t)search->depth * search->words,
           search->domain + (int64_t)x * search->words,
           sizeof *search->untried * (size_t)search->words);
    search->depth++;
}

/* The next value of the last level: the first one, in a search that has been restarted a random one
 * with a preference for the first. -1: there is none. */
static int32_t next_value(sub_contained *search, uint64_t *untried)
{
    int32_t value = bits_next(untried, search->words, 0);
    if (value >= 0 && search->n_restarts > 0) {
        const double u = gm_random_unit(&search->random);
        int32_t skip = (int32_t)(u * u * (double)bits_count(untried, search->words));
        while (skip-- > 0)
            value = bits_next(untried, search->words, value + 1);
    }
    if (value >= 0)
        bits_drop(untried, value);
    return value;
}

/* Gives the last level's variable its next value. 1: no domain is empty; 0: one is; -1: no other
 * value is left. */
static int try_value(sub_contained *search)
{
    sub_level *level = search->level + search->depth - 1;
    sub_restore(search, level->n_trail, level->n_given);
    uint64_t *untried = search->untried + (int64_t)(search->depth - 1) * search->words;
    level->value = next_value(search, untried);
    if (level->value < 0)
        return -1;
    search->n_nodes++;
    if (++search->vain == SUB_VAIN)
        sub_distance2_fill(&search->distance2, search->candidates);
    memset(search->mixed, 0, sizeof *search->mixed * (size_t)search->words);
    bits_add(search->mixed, level->value);
    const int several = search->size[level->variable] > 1;
    sub_cut(search, level->variable, search->mixed);
    if (!several)
        search->queue[search->n_queue++] = level->variable;
    return sub_propagate(search);
}

int32_t sub_contained_open(const sub_contained *search)
{
    return search->n_given < search->n ? search->list[search->n_given] : -1;
}

/* ---- restarts */

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair and Zuckerman 1993) */
static int64_t luby(int64_t k)
{
    for (;;) {
        int64_t length = 1;
        while (2 * length + 1 <= k)
            length = 2 * length + 1; /* 2^i - 1, at most k */
        if (length == k)
            return (k + 1) / 2;
        k -= length;
    }
}

/* Keeps the values that the level has refuted: all tried ones but the last. The domains are those
 * of the level. 0: no room. */
static int keep_refuted(sub_contained *search, int32_t depth)
{
    const sub_level *level = search->level + depth;
    const uint64_t *untried = search->untried + (int64_t)depth * search->words;
    const uint64_t *domain = search->domain + (int64_t)level->variable * search->words;
    uint64_t any = 0;
    for (int32_t w = 0; w < search->words; w++)
        search->mixed[w] = domain[w] & ~untried[w];
    if (level->value >= 0)
        bits_drop(search->mixed, level->value);
    for (int32_t w = 0; w < search->words; w++)
        any |= search->mixed[w];
    if (!any)
        return 1;
    if (depth == 0)
        return sub_take_away(search, level->variable, search->mixed) || 1;
    return sub_nogoods_add(&search->nogoods, depth, search->path_variable, search->path_value,
                           level->variable, search->mixed);
}

/* Goes back to the root and keeps the refuted values. */
static void restart(sub_contained *search)
{
    int has_room = 1;
    for (int32_t k = 0; k < search->depth; k++) {
        search->path_variable[k] = search->level[k].variable;
        search->path_value[k] = search->level[k].value;
    }
    for (int32_t k = search->depth - 1; k >= 0; k--) {
        sub_restore(search, search->level[k].n_trail, search->level[k].n_given);
        has_room &= keep_refuted(search, k);
    }
    search->n_restarts++;
    search->restart_at =
        has_room ? search->n_nodes + RESTART * luby(search->n_restarts + 1) : INT64_MAX;
    search->depth = -1;
}

/* Propagates the domains of the root and opens the first level, unless the root is a leaf. 0: no
 * map exists. */
static int begin(sub_contained *search, int leave_one)
{
    search->depth = 0;
    if (!sub_propagate(search))
        return 0;
    if (search->n - search->n_given > leave_one)
        open_level(search);
    return 1;
}

int sub_contained_next(sub_contained *search, int64_t max_nodes, double deadline, int leave_one)
{
    const int64_t last =
        search->n_nodes <= INT64_MAX - max_nodes ? search->n_nodes + max_nodes : INT64_MAX;
    while (search->depth != 0 && search->n_nodes < last) {
        if (search->depth < 0) {
            if (!begin(search, leave_one))
                break;
            if (search->depth == 0)
                return 1;
        }
        const int fits = try_value(search);
        if (fits < 0) {
            search->depth--;
        } else if (fits && search->n - search->n_given <= leave_one) {
            search->vain = 0;
            return 1;
        } else if (fits) {
            open_level(search);
        }
        if (search->n_nodes >= search->restart_at && search->depth > 0)
            restart(search);
        if (search->work >= LOOK) {
            search->work = 0;
            if (gm_clock() >= deadline)
                return 0;
        }
    }
    search->over = search->depth == 0;
    return 0;
}
