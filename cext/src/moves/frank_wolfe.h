/* One Frank-Wolfe descent in Lawler form (Frank and Wolfe 1956; Vogelstein et al. 2015).
 *
 * f(x) = c'x + x'Qx over the (partial) matching polytope, x indexed by slots; the vertex of every
 * step is a linear assignment, so every step also yields a matching for free.
 */
#ifndef GM_MOVES_FRANK_WOLFE_H
#define GM_MOVES_FRANK_WOLFE_H

#include "base/random.h"
#include "model/slots.h"

typedef struct gm_descent {
    const gm_index *index;
    double *x;               /* the iterate */
    double *gradient;        /* c + 2Qx */
    double *vertex_gradient; /* at the vertex */
    double *rounding_cost;   /* costs of the rounding assignment */
    int32_t *vertex;         /* slot of each node, -1 = none */
    uint8_t *mark;
    gm_lap *vertex_lap, *rounding_lap;
    gm_pool pool;
} gm_descent;

int gm_descent_init(gm_descent *descent, const gm_index *index);
void gm_descent_clear(gm_descent *descent);

/* The gradient of whatever is in x now; call after writing x. */
void gm_descent_start(gm_descent *descent);

/* x = the matching given by labels (-1 = unmatched); gradient not yet computed. */
void gm_descent_place(gm_descent *descent, const int32_t *labels);

/* Where descent number k of a series begins: the first at the x that is there (0, or what was
 * placed), the second at the uniform point, then by turns that point and the best matching so far,
 * each blended with a random matching. GM_OK or an error. */
int gm_descent_begin(gm_descent *descent, gm_random *random, int64_t k, const int32_t *best);

/* Estimated cost of one step, in nanoseconds of an ordinary machine. */
double gm_descent_work(const gm_index *index);

/* One step: assignment, exact line search, rounding. Matchings found are offered to the run.
 * Sets *converged when the duality gap is below tol * |f| or the step is tiny. GM_OK or an error.
 */
int gm_descent_step(gm_descent *descent, gm_run *run, double tol, int *converged);

#endif
