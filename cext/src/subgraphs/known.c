/* The table of known states; see known.h. */
#include "subgraphs/known.h"

#include <string.h>

/* A place of the table that depends on all words of a state. */
static int32_t place_of(const known_state *state)
{
    uint64_t mixed = 0;
    for (int32_t k = 0; k < state->n; k++) {
        mixed = (mixed ^ state->of[k].left) * UINT64_C(0x9e3779b97f4a7c15);
        mixed = ((mixed >> 29) ^ mixed ^ state->of[k].right) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return (int32_t)((mixed ^ mixed >> 32) >> 16 & (KNOWN_STATES - 1));
}

int known_read(known_state *state, const small_class *of, int32_t n)
{
    if (n > KNOWN_CLASSES)
        return 0;
    for (int32_t k = 0; k < n; k++) {
        int32_t m = k;
        for (; m > 0 && state->of[m - 1].left > of[k].left; m--)
            state->of[m] = state->of[m - 1];
        state->of[m] = of[k];
    }
    state->n = n;
    state->place = place_of(state);
    return 1;
}

static int is_entry(const known_entry *entry, const known_state *state)
{
    return entry->n == state->n &&
           memcmp(entry->of, state->of, sizeof *state->of * (size_t)state->n) == 0;
}

int32_t known_most(const known_entry *table, const known_state *state)
{
    const known_entry *entry = table + state->place;
    return is_entry(entry, state) ? entry->most : INT32_MAX / 2;
}

void known_keep(known_entry *table, const known_state *state, int32_t most)
{
    known_entry *entry = table + state->place;
    memcpy(entry->of, state->of, sizeof *state->of * (size_t)state->n);
    entry->n = state->n;
    entry->most = most;
}
