/* Ascent on the smoothed dual: every minimum of the dual becomes -epsilon log sum exp(-./epsilon).
 *
 * Block-coordinate ascent on the dual itself stops at points that are not optimal; on the smoothed
 * dual, which is differentiable and strictly concave up to constants, it does not. A sweep visits
 * the nodes. At each node it makes the beliefs equal that the node, its links and its labels have
 * about the node's state (belief: the softmin probabilities of a factor). The assignment is
 * smoothed as node and label factors (a label is taken at most once, or exactly once if every node
 * must be matched and there are as many labels), coupled by one message y per candidate.
 */
#ifndef GM_MP_SMOOTH_H
#define GM_MP_SMOOTH_H

#include "mp/dual.h"

typedef struct mp_smooth {
    mp_dual *dual;
    double epsilon;
    int is_stale;              /* all min-marginals of links are of another temperature */
    int must_take;             /* every label is taken exactly once */
    double *y;                 /* per slot: message from the node to the label */
    double *weight;            /* per slot: exp(-(y - reference of its label) / epsilon) */
    double *reference, *total; /* per label: smallest y (or 0), sum of the weights */
    double *sum;               /* scratch, states of a node: of exponentials at a link, */
    double *belief;            /* probabilities of its states, */
    double *others;            /* smoothed cost of its labels without this node */
    double *term;              /* scratch, entries of a link */
    gm_pool pool;
} mp_smooth;

int mp_smooth_init(mp_smooth *smooth, mp_dual *dual);
void mp_smooth_clear(mp_smooth *smooth);

/* Takes over the prices of the last assignment; then sweeps may follow. */
void mp_smooth_begin(mp_smooth *smooth, double epsilon);
/* Another temperature, same messages. */
void mp_smooth_cool(mp_smooth *smooth, double epsilon);
void mp_smooth_sweep(mp_smooth *smooth, int forward);

#endif
