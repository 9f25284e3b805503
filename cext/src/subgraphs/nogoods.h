/* Values that a search has refuted before it was restarted.
 *
 * A nogood says: once all variables of its prefix have the values that they had on the way to a
 * level, the variable of that level has none of the values that were tried there and refuted. (The
 * nogoods of Lecoutre, Sais, Tabary and Vidal 2007, the negative decisions of a level in one set.)
 * Each watches one pair of its prefix that is not true; when that becomes true, it looks for
 * another one, and if there is none the values go.
 */
#ifndef GM_SUBGRAPHS_NOGOODS_H
#define GM_SUBGRAPHS_NOGOODS_H

#include "base/pool.h"
#include "gm.h"

typedef struct sub_nogoods {
    int is_there; /* there is memory for them */
    int32_t n_values, words;
    int32_t n, most;           /* nogoods */
    int64_t n_pairs, room;     /* of all prefixes together */
    int64_t *start;            /* [most + 1] prefix of each nogood */
    int32_t *variable, *value; /* pairs of the prefixes */
    int32_t *level_variable;   /* [most] the variable that loses values */
    uint64_t *refuted;         /* [most * words] the values */
    int32_t *first;            /* [variables * values] the first nogood that watches the pair, -1 */
    int32_t *next;             /* [most] the next one */
} sub_nogoods;

/* Takes memory unless it would be too much. */
void sub_nogoods_take(sub_nogoods *g, gm_pool *pool, int32_t n_variables, int32_t n_values,
                      int32_t words);

/* Adds a nogood; 0: no room. The last pair of the prefix is watched. */
int sub_nogoods_add(sub_nogoods *g, int32_t length, const int32_t *variable, const int32_t *value,
                    int32_t level_variable, const uint64_t *refuted);

/* The pair (x, s) has become true, given[] holds all values. Calls for each nogood whose prefix is
 * true now: *nogood is set to it, and *at to where to go on. Returns 0 when there are no more; *at
 * is -2 at first. */
int sub_nogoods_next(sub_nogoods *g, const int32_t *given, int32_t x, int32_t s, int32_t *at,
                     int32_t *nogood);

#endif
