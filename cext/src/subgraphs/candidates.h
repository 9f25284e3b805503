/* The candidates of every node of a pattern, filtered before the search begins.
 *
 * A node x may become v if the types fit, v has as many neighbours, these have as many neighbours
 * in turn (sorted degrees), and every neighbour of x has a candidate among the neighbours of v. The
 * candidates are numbered afresh, as values, the ones with most neighbours first.
 */
#ifndef GM_SUBGRAPHS_CANDIDATES_H
#define GM_SUBGRAPHS_CANDIDATES_H

#include "subgraphs/neighbours.h"

typedef struct sub_candidates {
    const gm_graph_pair *pair;
    gm_contained_options options;
    sub_neighbours first, second;
    int32_t *kinds_fit, kinds2; /* [(n_kinds1 + 1) * kinds2] of 1 + kind; 0: no edge in that
                                   direction */
    int32_t n_values, words;
    int32_t *image, *value; /* of each value its node, of each node its value or -1 */
    uint64_t *domain;       /* [nodes of the pattern * words] */
    int32_t *size;          /* of each domain */
    int infeasible;
} sub_candidates;

/* Lists neighbours and the kinds that fit. GM_OK or GM_ENOMEM. */
int sub_candidates_take(sub_candidates *c, gm_pool *pool, const gm_graph_pair *pair,
                        const gm_contained_options *options);

/* Fills the domains by all filters. GM_OK or GM_ENOMEM. */
int sub_candidates_filter(sub_candidates *c, gm_pool *pool);

/* Bytes of the domains, at most. */
double sub_candidates_memory(const gm_graph_pair *pair);

/* Whether node p of the pattern may become v as far as their types decide. */
static inline int sub_types_fit(const sub_candidates *c, int32_t p, int32_t v)
{
    const gm_graph_pair *pair = c->pair;
    return pair->types_fit[(int64_t)pair->first.type[p] * pair->n_types2 + pair->second.type[v]];
}

/* Whether the edges between p and q in the pattern (an entry of first) may become those between v
 * and w (an entry of second). */
static inline int sub_edges_fit(const sub_candidates *c, int64_t in_first, int64_t in_second)
{
    return c->kinds_fit[c->first.there[in_first] * c->kinds2 + c->second.there[in_second]] &&
           c->kinds_fit[c->first.back[in_first] * c->kinds2 + c->second.back[in_second]];
}

#endif
