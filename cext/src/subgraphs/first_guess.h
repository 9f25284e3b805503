/* A place of a pattern by plain backtracking, for questions that are easy.
 *
 * Nodes of the pattern are mapped one by one, each after one of its neighbours if it has any, and
 * to a neighbour of that one's image. Nothing is looked ahead but degrees: a few microseconds if
 * there are places everywhere, and no answer within the limit of steps if there are not.
 */
#ifndef GM_SUBGRAPHS_FIRST_GUESS_H
#define GM_SUBGRAPHS_FIRST_GUESS_H

#include "subgraphs/candidates.h"

/* Fills map: [nodes of the pattern] and returns 1; 0: none was found within the steps; or
 * GM_ENOMEM. The neighbours, labels and options of the candidates are read. */
int sub_first_guess(const sub_candidates *c, int64_t max_steps, int32_t *map);

#endif
