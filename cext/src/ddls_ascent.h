/* Supergradient ascent on the dual of ddls.h, with deflected directions and Polyak steps.
 *
 * With x_c in {0, 1} the minimiser's value of copy c, g_c = x_c - (mean of x over the copies of its
 * variable) is a supergradient that keeps the copies' costs adding up to the model's. The copies
 * move along
 *     d <- W g + beta d,     beta = max(0, -gamma <g, d> / |d|^2)       (Camerini, Fratta, Maffioli 1975)
 *     cost <- cost + rho (upper - value) / |d|^2 d                       (Polyak)
 * where W weighs pairs against candidates, |.| is the norm of that metric, and upper is the cost of
 * the best matching. rho shrinks whenever the dual has not risen for a while; when it is small,
 * the next local subproblems come in and a new round begins with a larger rho; when all are in, with
 * twice the patience, until a round brings next to nothing.
 */
#ifndef GM_DDLS_ASCENT_H
#define GM_DDLS_ASCENT_H

#include "ddls.h"

typedef struct ddls_ascent {
    ddls_dual *dual;
    double gamma, rho, tol;
    int64_t patience;
    double *direction;          /* per copy: d / scale */
    double scale, square;       /* |d|^2 */
    int32_t *votes;             /* per variable: copies that are 1, between count and step */
    int32_t *voted;             /* the variables that have votes */
    int64_t n_voted, n_stalled; /* iterations since the dual rose */
    double best, round_best;    /* largest dual value, and that at the end of the round before */
    int converged;
} ddls_ascent;

/* Takes memory; look at pool->failed afterwards. */
void ddls_ascent_take(ddls_ascent *ascent, gm_pool *pool, ddls_dual *dual);

/* Counts the votes of the present minimisers. Returns |g|^2: 0 if all copies agree. */
double ddls_ascent_count(ddls_ascent *ascent);

/* Moves the costs and forgets the votes; value is the dual value at the present costs. */
void ddls_ascent_step(ddls_ascent *ascent, double value, double upper, double square);

#endif
