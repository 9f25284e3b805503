/* Beam search for quadratic assignments with a thin matrix, one in which most entries are zero.
 *
 * Nodes are placed one by one, each next to as many placed ones as possible, so that its price is
 * known in full or nearly so. Of all placements of d nodes the `width` cheapest are kept. Flows
 * between the neighbours of a grid lead swaps into local optima from which hundreds of nodes would
 * have to move together (Drezner, Hahn and Taillard 2005); a beam grows the grid from one node.
 *
 * If B is the thin matrix, labels are placed on nodes: *item* is a node or a label, *spot* the
 * other.
 */
#ifndef GM_QAP_BEAM_H
#define GM_QAP_BEAM_H

#include "base/random.h"
#include "qap/swaps.h"

/* One more item: on this spot, after these others. */
typedef struct qap_growth {
    double cost;
    uint32_t tie; /* at random: of equal costs, any */
    int32_t from, spot;
} qap_growth;

typedef struct qap_beam {
    int32_t n, widest; /* widest = 0: both matrices are full, nothing is taken */
    int of_labels;     /* items are labels */
    const double *D;   /* the other matrix */
    const double *C;
    gm_watch *watch; /* of the run, or NULL */
    /* the thin matrix M: row v has M_vk (out) and M_kv (in) for every k with either */
    int64_t *start;
    int32_t *other;
    double *out, *in;

    int32_t width, next_width; /* of this beam, and of the next one */
    int32_t depth, n_states;
    double work;               /* of all beams, in cells of tables */
    int32_t *order, *place;    /* n: items as they are placed; the depth of an item, -1 = not yet */
    int32_t *spots, *grown;    /* widest x n: the spots of order[0], order[1], ... */
    double *cost, *grown_cost; /* widest */
    qap_growth *kept;          /* widest: a heap, the most expensive first */
    int32_t n_kept;
    double *price;  /* n: of the next item on every spot */
    uint8_t *taken; /* n: spots */
} qap_beam;

/* Takes memory, if a matrix is thin; look at pool->failed afterwards. */
void qap_beam_take(qap_beam *self, gm_pool *pool, const gm_swaps *swaps);

/* Begins with a random item, wider than the beam before. */
void qap_beam_begin(qap_beam *self, gm_random *random);

/* Places one more item in all states. Returns 1 once all items are placed. */
int qap_beam_step(qap_beam *self, gm_random *random);

/* at = the cheapest permutation of a finished beam. */
void qap_beam_best(const qap_beam *self, int32_t *at);

#endif
