/* Propagation: the values of variables reduce the domains of the others; see
 * contained_search.h. */
#ifndef GM_SUBGRAPHS_PROPAGATION_H
#define GM_SUBGRAPHS_PROPAGATION_H

#include "subgraphs/contained_search.h"

enum { SUB_VAIN = 300 }; /* nodes without a leaf before propagation is deep */

/* Cuts a domain to the members of a set. 0: nothing is left. */
int sub_cut(sub_contained *search, int32_t x, const uint64_t *set);

/* Takes the members of a set from a domain. 0: nothing is left. */
int sub_take_away(sub_contained *search, int32_t x, const uint64_t *set);

/* Undoes all changes behind this length of the trail, and the values given since. */
void sub_restore(sub_contained *search, int64_t n_trail, int32_t n_given);

/* Gives their value to all variables with one, until there are no more. 0: a domain is empty. */
int sub_propagate(sub_contained *search);

#endif
