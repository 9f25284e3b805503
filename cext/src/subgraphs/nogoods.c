/* Nogoods with one watched pair each. */
#include "subgraphs/nogoods.h"

#include <string.h>

enum { MOST_NOGOODS = 1 << 15, MOST_PAIRS = 1 << 20 };

static const double MOST_BYTES = 64e6;

void sub_nogoods_take(sub_nogoods *g, gm_pool *pool, int32_t n_variables, int32_t n_values,
                      int32_t words)
{
    const int64_t pairs = (int64_t)n_variables * n_values;
    g->n_values = n_values;
    g->words = words;
    g->is_there = 4.0 * (double)pairs <= MOST_BYTES;
    if (!g->is_there)
        return;
    const double fit = MOST_BYTES / (8.0 * words);
    g->most = fit < MOST_NOGOODS ? (int32_t)fit : MOST_NOGOODS;
    g->room = MOST_PAIRS;
    GM_TAKE(pool, g->most + 1, g->start);
    GM_TAKE(pool, g->room, g->variable);
    GM_TAKE(pool, g->room, g->value);
    GM_TAKE(pool, g->most, g->level_variable);
    GM_TAKE(pool, (int64_t)g->most * words, g->refuted);
    GM_TAKE(pool, pairs, g->first);
    GM_TAKE(pool, g->most, g->next);
    for (int64_t k = 0; !pool->failed && k < pairs; k++)
        g->first[k] = -1;
}

static void watch(sub_nogoods *g, int32_t nogood, int64_t pair)
{
    int32_t *first = g->first + (int64_t)g->variable[pair] * g->n_values + g->value[pair];
    g->next[nogood] = *first;
    *first = nogood;
}

int sub_nogoods_add(sub_nogoods *g, int32_t length, const int32_t *variable, const int32_t *value,
                    int32_t level_variable, const uint64_t *refuted)
{
    if (g->n == g->most || g->n_pairs + length > g->room)
        return 0;
    const int32_t nogood = g->n++;
    memcpy(g->variable + g->n_pairs, variable, sizeof *variable * (size_t)length);
    memcpy(g->value + g->n_pairs, value, sizeof *value * (size_t)length);
    memcpy(g->refuted + (int64_t)nogood * g->words, refuted, sizeof *refuted * (size_t)g->words);
    g->level_variable[nogood] = level_variable;
    g->n_pairs += length;
    g->start[nogood + 1] = g->n_pairs;
    watch(g, nogood, g->n_pairs - 1);
    return 1;
}

/* A pair of the nogood's prefix that is not true, or -1. */
static int64_t find_open(const sub_nogoods *g, const int32_t *given, int32_t nogood)
{
    for (int64_t k = g->start[nogood + 1] - 1; k >= g->start[nogood]; k--)
        if (given[g->variable[k]] != g->value[k])
            return k;
    return -1;
}

int sub_nogoods_next(sub_nogoods *g, const int32_t *given, int32_t x, int32_t s, int32_t *at,
                     int32_t *nogood)
{
    int32_t *first = g->first + (int64_t)x * g->n_values + s;
    /* *at: the nogood behind which to go on, -2: at the beginning */
    for (;;) {
        int32_t *link = *at == -2 ? first : g->next + *at;
        const int32_t here = *link;
        if (here < 0)
            return 0;
        const int64_t open = find_open(g, given, here);
        if (open < 0) {
            *at = here;
            *nogood = here;
            return 1;
        }
        *link = g->next[here]; /* it watches another pair from now on */
        watch(g, here, open);
    }
}
