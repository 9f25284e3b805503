/* Fusion of two matchings, the incumbent and a proposal (Lempitsky et al. 2010; for graph matching
 * Hutschenreiter et al. 2021): the best matching that takes every node's label from one of the two,
 * as a binary quadratic problem over the nodes in which they differ.
 *
 * z_u = 1 means that node u takes its label from the proposal. If node w has that label in the
 * incumbent, u displaces w, so z_u = 1 implies z_w = 1: no label is used twice. The implications
 * form the paths and cycles of the symmetric difference of the two matchings. On a cycle all
 * variables are equal, so a cycle is *one* variable; on a path, an implication z_u <= z_w is the
 * submodular term M z_u (1 - z_w) with a weight M above all other costs together.
 */
#ifndef GM_MOVES_FUSION_H
#define GM_MOVES_FUSION_H

#include "model/index.h"
#include "moves/qpbo.h"

typedef struct gm_fusion {
    const gm_index *index;
    gm_qpbo_problem qpbo;
    uint8_t *state;        /* per slot: KEPT and PROPOSED, or 0; 0 between uses */
    int32_t *holder;       /* per label: the node that holds it in the incumbent, -1 = none */
    int32_t *displaces;    /* per node: the node whose label it would take, -1 = none */
    uint8_t *displaced;    /* per node: some node would take its label */
    int32_t *variable;     /* per node: its z, -1 if the matchings agree */
    int32_t *member;       /* nodes that differ, variable by variable */
    int32_t *member_start; /* per variable + 1 */
    double *weight;        /* per variable j: coefficient of z_i z_j for one i; 0 between uses */
    int32_t *touched;      /* the j that have one, */
    uint8_t *seen;         /* and a mark on each; 0 between uses */
    int32_t *implication;  /* per variable: the term that carries its implication, -1 = none */
} gm_fusion;

/* Takes memory; look at pool->failed afterwards. The index is borrowed. */
void gm_fusion_take(gm_fusion *fusion, gm_pool *pool, const gm_index *index);

/* Rounds of QPBO-I without a gain, unless the caller has reasons for another number. */
enum { GM_QPBO_PATIENCE = 5 };

/* Replaces the incumbent by the fusion of both matchings (slots of each node, -1 = unmatched).
 * Returns the change of cost, at most 0: the incumbent never gets worse. QPBO-I gives up after
 * `patience` rounds in a row without a gain. Two complete matchings fuse into a complete one. */
double gm_fusion_fuse(gm_fusion *fusion, int32_t *incumbent, const int32_t *proposal,
                      gm_random *random, int32_t patience);

#endif
