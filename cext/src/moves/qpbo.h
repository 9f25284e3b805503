/* Quadratic pseudo-boolean minimisation: min sum_i c_i z_i + sum_(i,j) q_ij z_i z_j, z binary.
 *
 * Roof duality (Hammer, Hansen and Simeone 1984; Boros and Hammer 2002) by one maximum flow in the
 * graph that holds every variable and its complement. It fixes some variables to values they have
 * in an optimum (weak persistency); for the rest, QPBO-I (Rother et al. 2007) fixes one variable
 * after the other at a given labelling and lets persistency decide what follows, which never
 * makes that labelling worse.
 */
#ifndef GM_MOVES_QPBO_H
#define GM_MOVES_QPBO_H

#include "base/random.h"
#include "moves/maxflow.h"

typedef struct gm_qpbo_problem {
    /* the problem, filled by the caller: every pair at most once, u < v */
    int32_t n, n_terms;
    double *linear; /* c */
    int32_t *u, *v;
    double *quadratic; /* q */

    gm_maxflow flow;
    double *saved_terminal, *saved_residual; /* of the first maximum flow */
    int8_t *label, *trial;                   /* per variable: 0, 1, or -1 = undecided */
    int32_t *order;
    int32_t *component, *low, *walk_arc, *stack, *path; /* per flow node: strong components */
} gm_qpbo_problem;

/* Takes memory for problems up to the given size; look at pool->failed afterwards. */
void gm_qpbo_take(gm_qpbo_problem *qpbo, gm_pool *pool, int32_t max_variables, int32_t max_terms);

/* Weakly persistent labels into qpbo->label. */
void gm_qpbo_persist(gm_qpbo_problem *qpbo);

/* After gm_qpbo_persist: decides the undecided variables, starting from all 0 or all 1, with
 * QPBO-I until `patience` runs in a row bring nothing. Returns the value of qpbo->label, which is
 * never above 0 = the value of z = 0. */
double gm_qpbo_improve(gm_qpbo_problem *qpbo, gm_random *random, int32_t patience);

double gm_qpbo_value(const gm_qpbo_problem *qpbo, const int8_t *label);

#endif
