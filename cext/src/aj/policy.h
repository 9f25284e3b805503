/* The tuned numbers of the exact method: their meaning, and the instances they were chosen on:
 * unless another set is named, on the 143 instances of benchmarks/bench_aj.py, whose table is
 * docs/results/exact.md. Work is estimated in nanoseconds of an ordinary machine, since decisions
 * must not depend on the clock; benchmarks/bench_work.py measures the estimates again. */
#ifndef GM_AJ_POLICY_H
#define GM_AJ_POLICY_H

/* ---- work estimates and memory */
#define AJ_ROOT_WORK           300.0 /* ns per entry: building the root */
#define AJ_STEP_WORK           12.0  /* ns per entry: one step of the ascent */
#define AJ_EVALUATION_WORK     100.0 /* ns per entry: one evaluation of the bound */
#define AJ_SDP_STEP_WORK       0.12  /* ns per cubed variable: one step of ADMM */
#define AJ_SDP_WORK            0.4   /* the same in double precision: the unit of quotas */
#define AJ_DENSE_WORK          15.0  /* ns per pair of cells: one subproblem of a dense tree */
#define AJ_BYTES_PER_ENTRY     250.0 /* of a problem and its ascent, measured on 1000 x 1000 x 20 */
#define AJ_BYTES_PER_CANDIDATE 200.0

/* ---- matchings */
#define AJ_CUTOFF_GAP      0.5 /* the cutoff is below the value by this part of a closed gap */
#define AJ_FIRST_PROPOSALS 10  /* fusion moves before anything else */
#define AJ_FAR_OFF         2.0 /* gaps above its subproblem's bound: worse matchings are ignored */
#define AJ_RECENT          2.0 /* a success is recent until the effort grew by this factor */
#define AJ_PREFERENCE 4.0 /* work of a search without a recent success counts this many times */
#define AJ_DESCENT_PREFERENCE 0.5 /* work of Frank-Wolfe per unit of work of fusion moves, */
#define AJ_PARTIAL_PREFERENCE 2.0 /* and on partial problems of one region (caltech-small11) */

/* ---- whose turn it is: work on matchings per unit of work on the proof */
#define AJ_REGION            64   /* nodes: larger problems have regions that stall on their own */
#define AJ_RATIO             0.12 /* if no better matching was found recently */
#define AJ_ROUND_RATIO       0.04 /* the same on dense problems, which find their best early */
#define AJ_HOPEFUL_RATIO     1.2  /* if one was */
#define AJ_EARLY_TURNS       0.5  /* fusion moves per node and region that count as hopeful */
#define AJ_SWEEP_RATIO       0.3  /* during the sweeps before the root of a small problem */
#define AJ_LARGE_SWEEP_RATIO 1.0  /* and of a large one */
/* The ratio is larger if the proof had its chance and the gap is still wide. */
#define AJ_CHANCE        4.0   /* times the work of building the root: that was the chance */
#define AJ_HOPE          100.0 /* times the work of finding the best matching: then no more */
#define AJ_LARGEST_RATIO 5.0   /* the larger ratio, at most */

/* ---- iterations of mp before anything else: chosen on car, motor and house-sparse */
#define AJ_QUICK_KEPT             2.0  /* mp's option `kept` */
#define AJ_QUICK_WINDOW           8    /* iterations between two looks at the progress */
#define AJ_QUICK_PROGRESS         0.4  /* they end when a window closes less of the gap, */
#define AJ_QUICK_PATIENT_PROGRESS 0.25 /* the same on large problems, whose root takes long */

/* ---- sweeps of block-coordinate ascent before the root */
#define AJ_SWEEP_WINDOW    5    /* sweeps between two looks at the progress */
#define AJ_SWEEP_PROGRESS  0.2  /* they end when a window gains less of the gap, */
#define AJ_MOST_SWEEPS     60   /* or after this many */
#define AJ_EARLY_PROGRESS  0.02 /* the same before the root of a large problem */
#define AJ_BESIDE_PROGRESS 1e-3 /* the same while a large root waits for matchings: */
#define AJ_BESIDE_RATIO    0.5  /* then sweeps get this much work per unit on matchings */

/* ---- the ascent: the restart rules are those of Applegate et al. 2023 (PDLP), but for numbers */
#define AJ_SUFFICIENT 0.2  /* restart when the residual has fallen to this part, */
#define AJ_NECESSARY  0.8  /* or to this and it rises again, */
#define AJ_ARTIFICIAL 0.36 /* or after this part of all steps */

/* ---- evaluations */
#define AJ_CHECK_EVERY     10    /* steps between two looks at the restart rules */
#define AJ_FIRST_INTERVAL  30.0  /* steps between the first two evaluations, */
#define AJ_INTERVAL_GROWTH 1.3   /* growing by this factor, */
#define AJ_LAST_INTERVAL   400.0 /* up to this */
#define AJ_SETTLED         30    /* steps before an evaluation may count as stalled */
#define AJ_PROGRESS        0.15  /* stalled: gained less of the gap, if it can be lifted, */
#define AJ_ROOT_PROGRESS   0.03  /* at a root that cannot, */
#define AJ_CHILD_PROGRESS  0.2   /* below the root, */
#define AJ_DENSE_PROGRESS  0.1   /* at a root that the semidefinite phase follows (nug, els19) */
#define AJ_ROOT_STALLED    3     /* stalled evaluations in a row at the root: lift or branch */
#define AJ_CHILD_STALLED   2     /* the same below the root, */
#define AJ_DENSE_STALLED   2     /* and at a root that the semidefinite phase follows */
#define AJ_SHRINK          0.9   /* a problem is rebuilt when this part of it remains, */
#define AJ_CASCADE         0.7   /* and evaluated at once when only this does */
#define AJ_LIFT_AT_ONCE 20000 /* entries: up to here a stalled problem is lifted, then branched */
#define AJ_FORCE_NODES  150   /* with more nodes forcing waits until few candidates are open */

/* ---- branching */
#define AJ_BRANCH_RATE 3.0 /* a subtree is estimated at exp(-rate increase / gap) nodes */

/* ---- the semidefinite phase: chosen on nug15, nug20, rou15 and caltech-small11 */
#define AJ_THIN                 0.2   /* of all pairs: if fewer have a cost (chr15b, chr18a) */
#define AJ_SDP_PENALTY_COMPLETE 8.0   /* b of ADMM at the start, if all labels must be taken, */
#define AJ_SDP_PENALTY_PARTIAL  2.0   /* and if some may stay free */
#define AJ_SDP_RELAXATION       1.618 /* step of the multipliers: the largest that ADMM allows */
#define AJ_SDP_BALANCE_FROM     20    /* steps before b is balanced for the first time, */
#define AJ_SDP_BALANCE_EVERY    10    /* and between two times: */
#define AJ_SDP_IMBALANCE        2.0   /* if primal and dual residual differ by this factor */
#define AJ_SDP_BALANCE          1.2   /* b changes by this one */
#define AJ_SDP_SINGLE           64  /* dimension: from here on most steps are in single precision */
#define AJ_SDP_FIRST            20  /* steps before the first evaluation, */
#define AJ_SDP_EVERY            10  /* steps between two evaluations, */
#define AJ_SDP_SETTLED          60  /* and after this many steps */
#define AJ_SDP_LATER            20  /* steps between two evaluations */
#define AJ_SDP_PATIENCE         120 /* steps before the phase may end as hopeless */
#define AJ_SDP_RENEWAL          0.8 /* matrices shrunk below this part: that patience again */
#define AJ_SDP_AHEAD            60  /* steps, or as many as were done: the gain must suffice */
#define AJ_SDP_FIX_GAP          0.05 /* relative: deletions are tried below */
#define AJ_SDP_SHRINK           0.95 /* rebuild when this part remains */

/* ---- the search of dense complete problems: chosen on nug14, nug16a, rou15 */
#define AJ_DENSE_MODEL  9   /* nodes: from here on down the model's costs instead of L + Z */
#define AJ_DENSE_SWEEPS 4   /* sweeps of dual ascent at a subproblem */
#define AJ_DENSE_HOPE   6.0 /* a sweep that gains less than gap / this is the last */
#define AJ_DENSE_NODES  30  /* most: memory is n^5 / 5 doubles, twice */

/* ---- symmetries (esc16c, esc16d, nug20) */
#define AJ_SYMMETRY_SIDE 64 /* members of a side, at most: else none is looked for */

#endif
