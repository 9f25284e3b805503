/* Symmetries: exchanges of labels among each other, or of nodes, that change no cost: automorphisms
 * of the complete graph of a side whose edges are coloured by their costs.
 *
 * Their use. Let F be the decisions that led to a subproblem, and g an exchange of
 * labels (or of nodes) that leaves those of F in place. g carries the matchings that agree
 * with F onto each other without changing their costs. So of the labels that such exchanges carry
 * onto each other (an orbit) a branching node needs to explore one, the bound of one is a bound of
 * all, and a deletion for one is a deletion for all. Deletions by bounds do no harm: they remove
 * only matchings that are no better than the best known, and the images of those are no better
 * either. Twins (twins.h) are the special case of exchanging two. */
#ifndef GM_AJ_MODEL_SYMMETRY_H
#define GM_AJ_MODEL_SYMMETRY_H

#include "model/index.h"

/* The labels or the nodes. Two pairs of members have the same colour if all their costs, with
 * everything of the other side, are the same; colour(x, x) stands for the unary costs of x. */
typedef struct aj_side {
    int32_t n;
    int32_t *colour; /* n x n */
} aj_side;

typedef struct aj_symmetry {
    aj_side nodes, labels;
    gm_pool pool;
} aj_symmetry;

/* NULL when out of memory, or of time. */
aj_symmetry *aj_symmetry_new(const gm_index *index, gm_watch *watch);
void aj_symmetry_free(aj_symmetry *symmetry);

/* orbit[x]: the first member that exchanges can carry x to which leave the fixed ones in place.
 * Found by backtracking of limited length; images that are not found in it stay apart, which is
 * valid. Returns whether some orbit has two members. */
int aj_symmetry_orbits(const aj_side *side, const uint8_t *fixed, int32_t *orbit);

#endif
