/* Stars: nodes that a common subgraph must lose.
 *
 * Let every class have one side that must be mapped wholly, the smaller one, but for `slack` nodes
 * of all classes together. A node that must be mapped, none of whose partners has enough neighbours
 * in every class for all of its neighbours that must be mapped, or too many that must be mapped
 * themselves, loses itself or one of these neighbours. Losses that share no node are counted.
 */
#ifndef GM_SUBGRAPHS_STARS_H
#define GM_SUBGRAPHS_STARS_H

#include "subgraphs/small_search.h"

enum { STAR_CLASSES = 16 }; /* at most: counts of neighbours have four bits each */

/* Whether more than `slack` nodes of the n classes are lost. */
int small_loses_more(const small_search *s, const small_class *of, int32_t n, int32_t slack);

#endif
