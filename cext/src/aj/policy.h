/* The tuned numbers of the exact method, each with its meaning and the instances it was chosen on.
 */
#ifndef GM_AJ_POLICY_H
#define GM_AJ_POLICY_H

/* ---- the proof by linear programming */
#define AJ_BYTES_PER_ENTRY     250.0 /* of a problem and its ascent, measured on 1000 x 1000 x 20 */
#define AJ_BYTES_PER_CANDIDATE 200.0
#define AJ_FIRST_INTERVAL      30.0 /* steps between the first two evaluations */

/* ---- the semidefinite phase: chosen on nug15, nug20, rou15 and caltech-small11 */
#define AJ_SDP_PENALTY_COMPLETE 8.0   /* b of ADMM at the start, where all labels must be taken */
#define AJ_SDP_PENALTY_PARTIAL  2.0   /* and where some may stay free */
#define AJ_SDP_RELAXATION       1.618 /* step of the multipliers: the largest that ADMM allows */
#define AJ_SDP_FREEZE           150   /* steps; then b stays as it is on problems with slacks */
#define AJ_SDP_LARGEST_SHIFT                                                                       \
    1e-7 /* of max|Z| or max|L|: a Z that needs more to be proven is not used */
#define AJ_SDP_VARIABLES      1200 /* at most: 12 matrices of 11 MB, a second a step */
#define AJ_SDP_FIRST          20   /* steps before the first evaluation, */
#define AJ_SDP_EVERY          10   /* steps between two evaluations, */
#define AJ_SDP_LATER          20   /* and from 60 on */
#define AJ_SDP_PATIENCE       120  /* steps before the phase may end as hopeless */
#define AJ_SDP_RENEWAL        0.8 /* matrices that shrank below this part get that patience again */
#define AJ_SDP_CHILD_PATIENCE 30  /* the same below the root */
#define AJ_SDP_AHEAD   60   /* steps, or as many as were done: what the gain must suffice for */
#define AJ_SDP_FIX_GAP 0.05 /* relative: fixing is tried below */
#define AJ_SDP_SHRINK  0.95 /* rebuild when so much is left */
#define AJ_SDP_WORK    0.4  /* nanoseconds per cubed variable and step */

/* ---- the search of dense complete problems: chosen on nug14, nug16a, rou15 */
#define AJ_DENSE_MODEL  9     /* nodes: from here on down the model's costs instead of L + Z */
#define AJ_DENSE_SWEEPS 4     /* sweeps of dual ascent at a subproblem */
#define AJ_DENSE_HOPE   6.0   /* a sweep that gains less than the gap divided by this is the last */
#define AJ_DENSE_NODES  30    /* most: memory is n^5 / 5 doubles, twice */
#define AJ_DENSE_QUOTA  60    /* steps of ADMM: as much work may a node's tree take, */
#define AJ_DENSE_SMALL  0.3   /* and this part of it before the node's own steps */
#define AJ_DENSE_WORK   6.0   /* nanoseconds per pair of cells and subproblem */
#define AJ_DENSE_TRIAL  0.125 /* of the quota: then a tree is given up */
#define AJ_DENSE_EXCESS 4.0   /* if it is expected to take so many times its quota */

#endif
