/* Whether a common subgraph may use the smaller side of every class wholly.
 *
 * If it must, the rest of the search for small graphs is a search for contained subgraphs, and the
 * tests of those apply. A node of a side that must be used has, in every class whose same side must
 * be used, at most as many neighbours as its image (Zampelli, Deville and Solnon, Solving subgraph
 * isomorphism problems with constraint programming, Constraints 2010). The partners that are left
 * must allow a matching of all these nodes; then each neighbour needs a partner next to the image.
 */
#ifndef GM_SUBGRAPHS_WHOLE_H
#define GM_SUBGRAPHS_WHOLE_H

#include "subgraphs/small_search.h"

enum { WHOLE_CLASSES = 16 }; /* at most: counts of neighbours have four bits each */

/* 0 if it is certain that none does, of the n classes `of`. */
int small_may_be_whole(const small_search *s, const small_class *of, int32_t n);

#endif
