/* Search for isomorphisms by individualisation and refinement.
 *
 * The cells of two graphs are refined (refine.h). If one has several nodes of each, a node of the
 * first graph is paired with each of the second in turn, and the cells are refined again. When all
 * cells have one node of each graph they are an isomorphism. Labels must fit one to one.
 */
#ifndef GM_SUBGRAPHS_ISOMORPHIC_H
#define GM_SUBGRAPHS_ISOMORPHIC_H

#include "subgraphs/refine.h"

typedef struct sub_pairing {
    int32_t node, partner; /* of the first graph; of the second: tried last, -1: none */
    int32_t n_splits;      /* before it was tried */
} sub_pairing;

typedef struct sub_isomorphic {
    const gm_graph_pair *pair;
    sub_neighbours first, second, renumbered; /* the second with the first's numbers of kinds */
    sub_cells cells;
    sub_pairing *level;
    int32_t depth; /* levels in use; -1: not begun */
    int over;
    int32_t *number1, *number2; /* of the cells at the start */
    int64_t n_nodes;
} sub_isomorphic;

/* Whether each type and kind of one graph fits at most one of the other. */
int sub_labels_are_equal(const gm_graph_pair *pair);

/* Takes memory. fixed: the image of each node, -1: any; or NULL. GM_OK or GM_ENOMEM. */
int sub_isomorphic_take(sub_isomorphic *search, gm_pool *pool, const gm_graph_pair *pair,
                        const int32_t *fixed);

/* Continues until the next isomorphism, at most this many nodes, or until gm_clock() is `deadline`.
 * Returns 1 if there is one, 0 if the search is over or has to be called again. */
int sub_isomorphic_next(sub_isomorphic *search, int64_t max_nodes, double deadline);

/* The image of every node. */
void sub_isomorphic_map(const sub_isomorphic *search, int32_t *map);

#endif
