/* Tightening: triplets of nodes as further subproblems (Sontag et al. 2008).
 *
 * A triplet uvw holds three messages, one per link: its potential is A(a,b) + B(a,c) + C(b,c),
 * taken from the tables of the links. Its minimum can exceed the sum of the three links' minima,
 * and that is what it adds to the bound.
 */
#ifndef GM_MP_TRIPLET_H
#define GM_MP_TRIPLET_H

#include "mp/dual.h"

typedef struct mp_triplet {
    int32_t link[3];    /* uv, uw, vw with u < v < w */
    double *message[3]; /* A, B, C */
} mp_triplet;

/* Three nodes of which at least two pairs are linked; a missing link (-1) is added if they are
 * taken. */
typedef struct mp_candidate {
    double gain;
    int32_t node[3], link[3];
} mp_candidate;

typedef struct mp_tightening {
    mp_dual *dual;
    mp_triplet *triplet;
    int32_t n_triplets, capacity;
    int32_t n_links;      /* for which the next three have room */
    uint8_t *has_triplet; /* per link */
    double *best_value;   /* per link: its minimum when candidates are scored */
    int32_t *best_cell;   /* per link: and where */
    mp_candidate *best;   /* a heap of the best candidates, smallest gain on top */
    int32_t n_best, quota;
    double *table[3], *product, *transposed; /* scratch: states squared */
    gm_pool pool;
} mp_tightening;

int mp_tightening_init(mp_tightening *tightening, mp_dual *dual);
void mp_tightening_clear(mp_tightening *tightening);

/* Adds up to quota triplets that promise to raise the bound by more than least, the most promising
 * first; returns how many. Allocates: memory grows with the active triplets only. */
int32_t mp_tightening_extend(mp_tightening *tightening, double least);

/* One round of updates over all triplets; min-marginals of the links they touch are fresh after. */
void mp_tightening_update(mp_tightening *tightening);

#endif
