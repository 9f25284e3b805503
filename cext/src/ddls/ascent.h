/* Supergradient ascent on the dual of ddls.h, with deflected directions and Polyak steps.
 *
 * With x_c in {0, 1} the minimiser's value of copy c, g_c = x_c - (mean of x over the copies of its
 * variable) is a supergradient that keeps the copies' costs adding up to the model's. The copies
 * move along
 *     d <- W g + beta d
 *     cost <- cost + rho (upper - value) / |d|^2 d                       (Polyak)
 * where W weighs pairs against candidates, |.| is the norm of that metric, and upper is the cost of
 * the best matching. As long as that target seems within reach (rho = 1), beta only takes the
 * zigzag out: max(0, -gamma <g, d> / |d|^2) (Camerini, Fratta and Maffioli 1975); it gives fast,
 * often linear convergence where the relaxation is tight. rho shrinks whenever the dual has not
 * risen for a while: then the target is too high, minimisers will go on disagreeing, and the
 * direction has to be an average of many: beta = 6 |g| / |d| (after Sherali and Ulular 1989).
 *
 * A round ends when rho is small. Local subproblems become active between rounds, triples before
 * the sets of four that take them over. They do so before the dual without them has converged,
 * since they raise it more than further steps would. Once all are active, rounds go on for as long
 * as they gain something.
 */
#ifndef GM_DDLS_ASCENT_H
#define GM_DDLS_ASCENT_H

#include "ddls/ddls.h"

typedef struct ddls_ascent {
    ddls_dual *dual;
    double gamma, rho, tol;
    int64_t patience;       /* iterations without a rise before rho shrinks, */
    int64_t first_patience; /* and that of the first round */
    double *direction;      /* per copy: d / scale */
    double scale, square;   /* square: |d|^2 */
    int32_t *votes;         /* per variable: copies that are 1, between count and step */
    int32_t *voted;         /* the variables that have votes */
    int64_t n_voted;
    int64_t n_vain;    /* iterations since the dual rose, or rho shrank */
    double best;       /* largest dual value, */
    double round_best; /* and the one at the end of the round before */
    int shrunk;        /* rho has */
    int converged;
} ddls_ascent;

/* Takes memory; look at pool->failed afterwards. */
void ddls_ascent_take(ddls_ascent *ascent, gm_pool *pool, ddls_dual *dual);

/* Counts the votes of the present minimisers. Returns |g|^2: 0 if all copies agree. */
double ddls_ascent_count(ddls_ascent *ascent);

/* Moves the costs and forgets the votes. value: the dual value at the present costs; upper: the
 * cost of the best matching; square: |g|^2 from ddls_ascent_count. */
void ddls_ascent_step(ddls_ascent *ascent, double value, double upper, double square);

#endif
