/* States of the search for small graphs that have been searched wholly.
 *
 * The rest of a search depends on its classes only. Different maps often leave the same classes,
 * for example if a ring is mapped in several ways. A table holds, for the states searched last, an
 * upper bound on the number of pairs that they add. States are compared word by word.
 */
#ifndef GM_SUBGRAPHS_KNOWN_H
#define GM_SUBGRAPHS_KNOWN_H

#include <stdint.h>

enum {
    KNOWN_CLASSES = 4,      /* of a state that is noted, at most */
    KNOWN_STATES = 1 << 14, /* places of the table */
    KNOWN_TRIALS = 4000,    /* states that are looked up in any case */
    KNOWN_SHARE = 25        /* after that, at least one of this many must be known */
};

typedef struct small_class {
    uint64_t left, right;
} small_class;

/* The classes in the order of their left sides, which are disjoint. n = 0: none. */
typedef struct known_state {
    small_class of[KNOWN_CLASSES];
    int32_t n, place;
} known_state;

typedef struct known_entry {
    small_class of[KNOWN_CLASSES];
    int32_t n, most;
} known_entry;

/* Reads a state; 0 if it has too many classes. */
int known_read(known_state *state, const small_class *of, int32_t n);

/* The most pairs that a state adds, INT32_MAX / 2 if it is not known. */
int32_t known_most(const known_entry *table, const known_state *state);

void known_keep(known_entry *table, const known_state *state, int32_t most);

#endif
