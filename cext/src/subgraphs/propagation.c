/* Domains, and their reduction by the values of variables. */
#include "subgraphs/propagation.h"
#include "base/lanes.h"
#include "subgraphs/bits.h"

#include <string.h>

/* ---- domains */

/* Notes that a domain has become smaller. */
static inline void note(sub_contained *search, int32_t x, int32_t before)
{
    if (search->size[x] == 1 && before > 1)
        search->queue[search->n_queue++] = x;
    if (search->vain >= SUB_VAIN && search->size[x] < before && !search->is_changed[x]) {
        search->is_changed[x] = 1;
        search->changed[search->n_changed++] = x;
    }
}

/* Keeps the members of a domain that are in a set, with flip = ~0 those that are not. 0: nothing is
 * left. */
static inline __attribute__((always_inline)) int keep(sub_contained *search, int32_t x,
                                                      const uint64_t *set, uint64_t flip)
{
    const int32_t words = search->words, before = search->size[x];
    uint64_t *domain = search->domain + (int64_t)x * words;
    int32_t size = before;
    for (int32_t w = 0; w < words; w++) {
        const uint64_t gone = domain[w] & ~(set[w] ^ flip);
        if (!gone)
            continue;
        search->trail[search->n_trail] = (int64_t)x * words + w;
        search->kept[search->n_trail++] = domain[w];
        size -= __builtin_popcountll(gone);
        domain[w] ^= gone;
    }
    search->size[x] = size;
    note(search, x, before);
    return size > 0;
}

static inline __attribute__((always_inline)) int cut(sub_contained *search, int32_t x,
                                                     const uint64_t *set)
{
    return keep(search, x, set, 0);
}

static inline __attribute__((always_inline)) int take_away(sub_contained *search, int32_t x,
                                                           const uint64_t *set)
{
    return keep(search, x, set, ~UINT64_C(0));
}

static int take_away_one(sub_contained *search, int32_t x, int32_t s)
{
    const int64_t w = (int64_t)x * search->words + (s >> 6);
    const uint64_t bit = UINT64_C(1) << (s & 63);
    if (!(search->domain[w] & bit))
        return 1;
    search->trail[search->n_trail] = w;
    search->kept[search->n_trail++] = search->domain[w];
    search->domain[w] ^= bit;
    search->size[x]--;
    note(search, x, search->size[x] + 1);
    return search->size[x] > 0;
}

GM_WIDE void sub_restore(sub_contained *search, int64_t n_trail, int32_t n_given)
{
    while (search->n_trail > n_trail) {
        const int64_t w = search->trail[--search->n_trail];
        const uint64_t before = search->kept[search->n_trail];
        search->size[w / search->words] += __builtin_popcountll(before ^ search->domain[w]);
        search->domain[w] = before;
    }
    while (search->n_given > n_given)
        search->given[search->list[--search->n_given]] = -1;
    search->n_queue = 0;
    while (search->n_changed > 0)
        search->is_changed[search->changed[--search->n_changed]] = 0;
}

/* ---- propagation */

/* The neighbours of value s that an edge of these kinds of the pattern may lead to. */
static const uint64_t *fitting_neighbours(sub_contained *search, int32_t s, int32_t there,
                                          int32_t back)
{
    const sub_candidates *c = search->candidates;
    const int32_t v = c->image[s], words = search->words;
    const int32_t *fit1 = c->kinds_fit + (int64_t)there * c->kinds2;
    const int32_t *fit2 = c->kinds_fit + (int64_t)back * c->kinds2;
    if (!search->has_parts) {
        memset(search->mask, 0, sizeof *search->mask * (size_t)words);
        for (int64_t k = c->second.start[v]; k < c->second.start[v + 1]; k++)
            if (c->value[c->second.node[k]] >= 0 && fit1[c->second.there[k]] &&
                fit2[c->second.back[k]])
                bits_add(search->mask, c->value[c->second.node[k]]);
        return search->mask;
    }
    const uint64_t *only = NULL;
    int n = 0;
    for (int64_t k = search->parts.start[v]; k < search->parts.start[v + 1]; k++) {
        if (!fit1[search->parts.there[k]] || !fit2[search->parts.back[k]])
            continue;
        const uint64_t *set = search->parts.set + k * words;
        if (n++ == 0) {
            only = set;
            continue;
        }
        for (int32_t w = 0; w < words; w++)
            search->mask[w] = (n == 2 ? only[w] : search->mask[w]) | set[w];
    }
    if (n == 0)
        memset(search->mask, 0, sizeof *search->mask * (size_t)words);
    return n == 1 ? only : search->mask;
}

/* All neighbours of value s. */
static const uint64_t *all_neighbours(sub_contained *search, int32_t s)
{
    const sub_candidates *c = search->candidates;
    const int32_t v = c->image[s];
    if (search->has_parts)
        return search->parts.touch + (int64_t)v * search->words;
    memset(search->mixed, 0, sizeof *search->mixed * (size_t)search->words);
    for (int64_t k = c->second.start[v]; k < c->second.start[v + 1]; k++)
        if (c->value[c->second.node[k]] >= 0)
            bits_add(search->mixed, c->value[c->second.node[k]]);
    return search->mixed;
}

/* Puts a variable among those with a value. */
static void give(sub_contained *search, int32_t x, int32_t s)
{
    const int32_t to = search->n_given++, from = search->place[x], other = search->list[to];
    search->list[to] = x;
    search->place[x] = to;
    search->list[from] = other;
    search->place[other] = from;
    search->given[x] = s;
}

/* Cuts the domains of variables with neighbours in common with x. 0: one is empty. */
static GM_WIDE int cut_at_distance2(sub_contained *search, int32_t x, int32_t s)
{
    const sub_distance2 *d = &search->distance2;
    if (!d->is_filled)
        return 1;
    for (int64_t k = d->start[x]; k < d->start[x + 1]; k++) {
        if (search->given[d->other[k]] >= 0)
            continue;
        search->work += search->words;
        if (!cut(search, d->other[k], sub_distance2_set(d, search->candidates, s, d->common[k])))
            return 0;
    }
    return 1;
}

/* Removes the values that nogoods forbid if x has the value s. 0: a domain is empty. */
static int apply_nogoods(sub_contained *search, int32_t x, int32_t s)
{
    sub_nogoods *g = &search->nogoods;
    int32_t at = -2, nogood;
    while (sub_nogoods_next(g, search->given, x, s, &at, &nogood)) {
        search->work += search->words;
        if (!take_away(search, g->level_variable[nogood],
                       g->refuted + (int64_t)nogood * search->words))
            return 0;
    }
    return 1;
}

/* Reduces the other domains by the value of x. 0: one is empty. */
static GM_WIDE int propagate_value(sub_contained *search, int32_t x, int32_t s)
{
    const sub_neighbours *near = &search->near;
    give(search, x, s);
    search->work += search->n - search->n_given + search->words;
    for (int32_t k = search->n_given; k < search->n; k++)
        if (!take_away_one(search, search->list[k], s))
            return 0;
    if (search->restarts && !apply_nogoods(search, x, s))
        return 0;
    const uint64_t *fitting = NULL;
    int64_t known = -1; /* entry with the kinds of `fitting` */
    for (int64_t k = near->start[x]; k < near->start[x + 1]; k++) {
        if (search->given[near->node[k]] >= 0)
            continue;
        if (!fitting || near->there[k] != near->there[known] ||
            near->back[k] != near->back[known]) {
            fitting = fitting_neighbours(search, s, near->there[k], near->back[k]);
            known = k;
        }
        search->work += search->words;
        if (!cut(search, near->node[k], fitting))
            return 0;
    }
    if (search->vain >= SUB_VAIN && !cut_at_distance2(search, x, s))
        return 0;
    if (!search->candidates->options.induced)
        return 1;
    const uint64_t *all = all_neighbours(search, s);
    int64_t next = near->start[x]; /* the other variables that are not neighbours of x */
    for (int32_t y = 0; y < search->n; y++) {
        if (next < near->start[x + 1] && near->node[next] == y) {
            next++;
            continue;
        }
        if (search->given[y] >= 0)
            continue;
        search->work += search->words;
        if (!take_away(search, y, all))
            return 0;
    }
    return 1;
}

/* Cuts the domains of the neighbours of x to the values that touch one of its values. 0: one is
 * empty. */
static GM_WIDE int cut_neighbours(sub_contained *search, int32_t x)
{
    const sub_neighbours *near = &search->near;
    const int32_t words = search->words;
    const uint64_t *domain = search->domain + (int64_t)x * words;
    for (int64_t k = near->start[x]; k < near->start[x + 1]; k++) {
        if (search->given[near->node[k]] >= 0)
            continue;
        const uint64_t *other = search->domain + (int64_t)near->node[k] * words;
        uint64_t missing = 1; /* values of the neighbour that are not touched yet */
        memset(search->mixed, 0, sizeof *search->mixed * (size_t)words);
        for (int32_t s = bits_next(domain, words, 0); s >= 0 && missing;
             s = bits_next(domain, words, s + 1)) {
            const uint64_t *one = fitting_neighbours(search, s, near->there[k], near->back[k]);
            missing = 0;
            for (int32_t w = 0; w < words; w++) {
                search->mixed[w] |= one[w];
                missing |= other[w] & ~search->mixed[w];
            }
            search->work += words;
        }
        if (missing && !cut(search, near->node[k], search->mixed))
            return 0;
    }
    return 1;
}

/* Lets the domains that have become smaller cut those of their neighbours, until there is a
 * variable with one value. 0: a domain is empty. */
static int cut_deep(sub_contained *search)
{
    while (search->n_changed > 0 && search->n_queue == 0) {
        const int32_t x = search->changed[--search->n_changed];
        search->is_changed[x] = 0;
        if (search->given[x] < 0 && search->size[x] <= search->deep && !cut_neighbours(search, x))
            return 0;
    }
    return 1;
}

/* Sorts the variables without a value by the size of their domain, without those that have more
 * values than there are such variables; returns how many. */
static int32_t sort_open(sub_contained *search)
{
    const int32_t n_open = search->n - search->n_given;
    int32_t *bucket = search->bucket;
    memset(bucket, 0, sizeof *bucket * ((size_t)n_open + 2));
    for (int32_t k = search->n_given; k < search->n; k++) {
        const int32_t size = search->size[search->list[k]];
        if (size <= n_open)
            bucket[size + 1]++;
    }
    for (int32_t size = 0; size <= n_open; size++)
        bucket[size + 1] += bucket[size];
    const int32_t n = bucket[n_open + 1];
    for (int32_t k = search->n_given; k < search->n; k++) {
        const int32_t size = search->size[search->list[k]];
        if (size <= n_open)
            search->sorted[bucket[size]++] = search->list[k];
    }
    return n;
}

/* Counts the values of the smallest domains together. Fewer than variables: 0. As many: no other
 * variable has one of them. */
static GM_WIDE int count_values(sub_contained *search)
{
    const int32_t n = sort_open(search), words = search->words;
    uint64_t *together = search->mask;
    int32_t n_together = 0;
    memset(together, 0, sizeof *together * (size_t)words);
    search->work += (int64_t)n * words;
    for (int32_t k = 0; k < n; k++) {
        const uint64_t *domain = search->domain + (int64_t)search->sorted[k] * words;
        int32_t count = 0;
        for (int32_t w = 0; w < words; w++) {
            together[w] |= domain[w];
            count += __builtin_popcountll(together[w]);
        }
        n_together++;
        if (count < n_together)
            return 0;
        if (count > n_together)
            continue;
        for (int32_t m = search->n_given; m < search->n; m++) {
            const int32_t y = search->list[m];
            int inside = 1; /* one of those that were counted */
            for (int32_t w = 0; w < words && inside; w++)
                inside = !(search->domain[(int64_t)y * words + w] & ~together[w]);
            if (!inside && !take_away(search, y, together))
                return 0;
        }
        search->work += (int64_t)(search->n - search->n_given) * words;
    }
    return 1;
}

int sub_propagate(sub_contained *search)
{
    for (;;) {
        while (search->n_queue > 0) {
            const int32_t x = search->queue[--search->n_queue];
            const uint64_t *domain = search->domain + (int64_t)x * search->words;
            const int32_t s = bits_next(domain, search->words, 0);
            if (s < 0 || !propagate_value(search, x, s))
                return 0;
        }
        if (search->n - search->n_given < 2)
            return 1;
        if (!cut_deep(search))
            return 0;
        if (search->n_queue > 0)
            continue;
        if (!count_values(search))
            return 0;
        if (search->n_queue == 0 && search->n_changed == 0)
            return 1;
    }
}

int sub_cut(sub_contained *search, int32_t x, const uint64_t *set)
{
    return cut(search, x, set);
}

int sub_take_away(sub_contained *search, int32_t x, const uint64_t *set)
{
    return take_away(search, x, set);
}
