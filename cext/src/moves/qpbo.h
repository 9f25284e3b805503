/* Quadratic pseudo-boolean minimisation: min sum_i c_i z_i + sum_(i,j) q_ij z_i z_j, z binary.
 *
 * QPBO: roof duality (Hammer, Hansen and Simeone 1984; Boros and Hammer 2002) by one maximum flow
 * in a graph that holds every variable and its complement. It gives some variables the value that
 * they have in an optimum (weak persistency). QPBO-I (Rother et al. 2007) decides the others: in a
 * random order it fixes one variable after the other to its value in a given labelling and lets
 * persistency decide the rest, which never makes that labelling worse.
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
    double *saved_terminal, *saved_residual; /* the flow in which decided variables are fixed */
    int8_t *label, *trial;                   /* per variable: 0, 1, or -1 = undecided */
    int32_t *order;                          /* variables: the undecided, then the decided */
    int32_t *component, *low, *walk_arc, *stack, *path; /* per flow node: see close_components */
} gm_qpbo_problem;

/* Takes memory for problems up to the given size; look at pool->failed afterwards. */
void gm_qpbo_take(gm_qpbo_problem *qpbo, gm_pool *pool, int32_t max_variables, int32_t max_terms);

/* label = the weakly persistent values, -1 for none. */
void gm_qpbo_persist(gm_qpbo_problem *qpbo);

/* After gm_qpbo_persist: decides the undecided variables. They start with all 0 or all 1, whichever
 * is better, then rounds of QPBO-I improve them until `patience` in a row find nothing better.
 * Returns the value of label, which is never above 0, the value of z = 0. */
double gm_qpbo_improve(gm_qpbo_problem *qpbo, gm_random *random, int32_t patience);

/* The value of a labelling without undecided variables. */
double gm_qpbo_value(const gm_qpbo_problem *qpbo, const int8_t *label);

#endif
