/* Tightening: triplets of nodes as further subproblems (Sontag et al. 2008).
 *
 * A triplet uvw holds three messages, one per link: its potential is A(a,b) + B(a,c) + C(b,c),
 * taken from the tables of the links. Its minimum can exceed the sum of the three links' minima,
 * and the difference is added to the bound.
 */
#ifndef GM_MP_TRIPLET_H
#define GM_MP_TRIPLET_H

#include "mp/dual.h"

typedef struct mp_triplet {
    int32_t link[3];    /* uv, uw, vw with u < v < w */
    double *message[3]; /* A, B, C */
} mp_triplet;

/* A triplet that may be added. A link that is missing (-1) will be added with it. */
typedef struct mp_candidate {
    double gain;              /* of the bound, at least */
    int32_t node[3], link[3]; /* u < v < w; uv, uw, vw */
} mp_candidate;

typedef struct mp_tightening {
    mp_dual *dual;
    mp_triplet *triplet;
    int32_t n_triplets, capacity;
    int32_t n_links;      /* for which the next three have room */
    uint8_t *has_triplet; /* per link */
    double *best_value;   /* per link: its minimum when candidates are scored, */
    int32_t *best_cell;   /* and its place */
    mp_candidate *best;   /* a heap of the best candidates, smallest gain on top */
    int32_t n_best, quota;
    double *table[3], *product, *transposed; /* scratch: most_states squared */
    gm_pool pool;
} mp_tightening;

/* GM_OK or GM_ENOMEM; mp_tightening_clear follows in either case. */
int mp_tightening_init(mp_tightening *tightening, mp_dual *dual);
void mp_tightening_clear(mp_tightening *tightening);

/* Adds up to `quota` triplets that can raise the bound by more than `least`, by descending gain;
 * returns how many. Takes memory for those only. */
int32_t mp_tightening_extend(mp_tightening *tightening, double least);

/* Updates every triplet once; afterwards the min-marginals of their links are up to date. */
void mp_tightening_update(mp_tightening *tightening);

#endif
