/* One Frank-Wolfe descent (Frank and Wolfe 1956; for graph matching Vogelstein et al. 2015) on
 *
 *     f(x) = c'x + x'Qx   over the convex hull of all matchings,
 *
 * x indexed by slots, Q_pq half the cost of the pair p, q. A step minimises the gradient c + 2Qx
 * over the matchings, which is a linear assignment problem, and moves x towards that matching (a
 * vertex) by an exact line search. The vertices and the rounded x are matchings that the run is
 * offered.
 */
#ifndef GM_MOVES_FRANK_WOLFE_H
#define GM_MOVES_FRANK_WOLFE_H

#include "base/random.h"
#include "model/slots.h"

typedef struct gm_descent {
    const gm_index *index;
    double *x;                         /* the iterate */
    double *gradient;                  /* c + 2Qx */
    double *vertex_gradient;           /* c + 2Qs at the vertex s */
    double *rounding_cost;             /* costs of the rounding assignment */
    int32_t *vertex;                   /* slot of each node, -1 = none */
    uint8_t *mark;                     /* per slot: 0 between uses, scratch of gm_index_cost */
    gm_lap *vertex_lap, *rounding_lap; /* two, since each starts from the duals of its last solve */
    gm_pool pool;
} gm_descent;

/* Takes memory; the index is borrowed. GM_OK or GM_ENOMEM; clear it either way. */
int gm_descent_init(gm_descent *descent, const gm_index *index);
void gm_descent_clear(gm_descent *descent);

/* Computes the gradient at x; call it after x was written. */
void gm_descent_start(gm_descent *descent);

/* x = the matching given by labels (-1 = unmatched); gm_descent_start must follow. */
void gm_descent_place(gm_descent *descent, const int32_t *labels);

/* Starts descent number k of a series: k = 0 at the present x (0, or the given start), k = 1 at the
 * uniform point, then alternately at that point and at the best matching so far (labels), each
 * blended with a random matching. GM_OK or an error. */
int gm_descent_begin(gm_descent *descent, gm_random *random, int64_t k, const int32_t *best);

/* The work of one step, in nanoseconds of an ordinary machine (moves/policy.h). */
double gm_descent_work(const gm_index *index);

/* The duality gap at which a descent of another method ends, relative. */
static const double GM_DESCENT_TOLERANCE = 1e-8;

/* One step: assignment, exact line search, rounding. Matchings found are offered to the run.
 * Sets *converged to 1 when the duality gap is at most tol * |f| or the step is tiny, else to 0.
 * GM_OK or an error. */
int gm_descent_step(gm_descent *descent, gm_run *run, double tol, int *converged);

#endif
