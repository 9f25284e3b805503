/* The tuned numbers of the exact method: what each means, and the instances it was chosen on.
 *
 * Where nothing else is said they were chosen on the 143 instances of benchmarks/bench_aj.py, whose
 * table is docs/results/exact.md. Work is estimated in nanoseconds of an ordinary machine, since
 * decisions must not depend on the clock; benchmarks/bench_work.py measures the estimates again. */
#ifndef GM_AJ_POLICY_H
#define GM_AJ_POLICY_H

/* ---- work estimates and memory */
#define AJ_ROOT_WORK           300.0 /* nanoseconds per entry: building the root, */
#define AJ_STEP_WORK           12.0  /* one step of the ascent, */
#define AJ_EVALUATION_WORK     100.0 /* and one evaluation of the bound */
#define AJ_BYTES_PER_ENTRY     250.0 /* of a problem and its ascent, measured on 1000 x 1000 x 20 */
#define AJ_BYTES_PER_CANDIDATE 200.0

/* ---- grains; those that are no integers come from edit distances (benchmarks/bench_edit.py) */
#define AJ_MOST_GRAINS  0x1p40 /* in all costs together, where they are integers */
#define AJ_FINEST_GRAIN 1000.0 /* in the largest cost, where they are not */
#define AJ_GRAIN_NOISE  1e-10  /* of the largest cost: a rest below it is rounding */
#define AJ_GRAIN_ERROR  1e-13  /* of the largest cost: far below any gap that counts */
#define AJ_GRAIN_SLACK  5e-3   /* of the grain; far above the rounding of 2^40 grains */

/* ---- matchings */
#define AJ_CUTOFF_GAP         0.5  /* of the gap that counts as closed: so far below the value */
#define AJ_FIRST_PROPOSALS    10   /* fusion moves before anything else */
#define AJ_QPBO_PATIENCE      5    /* rounds of QPBO-I without a gain */
#define AJ_DESCENT_TOLERANCE  1e-8 /* of Frank-Wolfe */
#define AJ_RECENT             2.0 /* a success is recent until the effort is so many times larger */
#define AJ_PREFERENCE         4.0 /* of a search whose success is recent, before the other one */
#define AJ_DESCENT_PREFERENCE 0.5 /* of Frank-Wolfe, otherwise; */
#define AJ_PARTIAL_PREFERENCE 2.0 /* on partial problems of one region (caltech-small11) */

/* ---- whose turn it is: work on matchings per unit of work on the proof */
#define AJ_REGION        64   /* nodes: larger problems have regions that get stuck by themselves */
#define AJ_RATIO         0.12 /* where matchings have not got better lately, */
#define AJ_HOPEFUL_RATIO 1.2  /* where they have, */
#define AJ_SWEEP_RATIO   0.3  /* and during the sweeps before the root of a small problem */
#define AJ_CHANCE   4.0   /* times the work of building the root: then the proof had its chance, */
#define AJ_WIDE_GAP 1e-2  /* and where the gap is still wider than this, */
#define AJ_HOPE     100.0 /* and the work not so many times what the best matching took, */
#define AJ_RATIO_PER_GAP 50.0 /* the ratio grows with the gap, as the proof is farther, */
#define AJ_LARGEST_RATIO 5.0  /* at most to this; */
/* Part of the work before the semidefinite phase: then the ratio is as usual again. */
#define AJ_WIDE_PART 0.4

/* ---- iterations of mp before anything else: chosen on car, motor and house-sparse */
#define AJ_QUICK_WINDOW           8    /* iterations: they end when so many gain less */
#define AJ_QUICK_PROGRESS         0.4  /* than this part of the gap, */
#define AJ_MOST_QUICK             64   /* or after so many; */
#define AJ_QUICK_PATIENT_PROGRESS 0.25 /* on large problems, whose root takes long, */
#define AJ_MOST_PATIENT_QUICK     400  /* they end later */
#define AJ_QUICK_WORK             26.0 /* nanoseconds of an iteration per entry */

/* ---- sweeps before the root */
#define AJ_SWEEP_WINDOW      5    /* sweeps: they end when so many gain less */
#define AJ_SWEEP_PROGRESS    0.2  /* than this part of the gap, */
#define AJ_MOST_SWEEPS       60   /* or after so many; */
#define AJ_EARLY_PROGRESS    0.02 /* before the root of a large problem, which may take long, */
#define AJ_MOST_EARLY_SWEEPS 150  /* they end later; */
#define AJ_BESIDE_PROGRESS   1e-3 /* and while it waits for matchings they go on for less, */
#define AJ_BESIDE_RATIO      0.5  /* with so much work per unit of work on matchings */

/* ---- the ascent: the restart rules are those of Applegate et al. 2023 (PDLP), but for numbers */
#define AJ_SUFFICIENT 0.2  /* restart when the residual has fallen to this part, */
#define AJ_NECESSARY  0.8  /* or to this and it rises again, */
#define AJ_ARTIFICIAL 0.36 /* or after this part of all steps */

/* ---- evaluations */
#define AJ_CHECK_EVERY     10    /* steps between two looks at the restart rules */
#define AJ_FIRST_INTERVAL  30.0  /* steps between the first two evaluations, */
#define AJ_INTERVAL_GROWTH 1.3   /* more each time, */
#define AJ_LAST_INTERVAL   400.0 /* up to this */
#define AJ_SETTLED         30    /* steps before an evaluation may count as stalled: */
#define AJ_PROGRESS      0.15 /* it gained less than this part of the gap where it can be lifted, */
#define AJ_ROOT_PROGRESS 0.03 /* than this at a root that cannot, */
#define AJ_CHILD_PROGRESS   0.2   /* than this below */
#define AJ_ROOT_STALLED     3     /* so many in a row at the root: lift or branch, */
#define AJ_CHILD_STALLED    2     /* so many below; */
#define AJ_STALLED_FOR_GOOD 20    /* so many without branching: converged */
#define AJ_SHRINK           0.9   /* a problem is rebuilt when so much is left, */
#define AJ_CASCADE          0.7   /* and evaluated at once when only this is */
#define AJ_LIFT_AT_ONCE     20000 /* entries: a stalled problem is lifted before branching */
#define AJ_LIFT_AFTER  500000000  /* entries of all steps: branching without full tables gives up */
#define AJ_FORCE_NODES 150 /* more nodes: forcing waits until half of the candidates are gone */

/* ---- what taking a candidate costs at least: chosen on house, hotel, car, motor and caltech
 * (benchmarks/bench_confidence.py) */
#define AJ_FORCED_PROGRESS 0.02 /* an evaluation gained less than this part of all it knows */

/* ---- branching */
#define AJ_BRANCH_RATE  3.0 /* a subtree is estimated at exp(-rate increase / gap) nodes */
#define AJ_BRANCH_GUESS 0.4 /* part of a fractional node's cost that is likely to be added */

/* ---- the semidefinite phase: chosen on nug15, nug20, rou15 and caltech-small11 */
/* Steps: branching comes first for so much work, and at least for as much as the root took. Chosen
 * on esc32e and esc32g, and on caltech-small10, caltech-large6 and two edit distances. */
#define AJ_SDP_CHANCE_COMPLETE  5.0
#define AJ_SDP_CHANCE_PARTIAL   40.0
#define AJ_THIN                 0.2   /* of all pairs: fewer have a cost (chr15b, chr18a) */
#define AJ_SDP_PENALTY_COMPLETE 8.0   /* b of ADMM at the start, where all labels must be taken */
#define AJ_SDP_PENALTY_PARTIAL  2.0   /* and where some may stay free */
#define AJ_SDP_RELAXATION       1.618 /* step of the multipliers: the largest that ADMM allows */
#define AJ_SDP_FREEZE           150   /* steps; then b stays as it is on problems with slacks */
#define AJ_SDP_LARGEST_SHIFT    1e-7  /* of max|Z| or max|L|: a Z that needs more is not used */
#define AJ_SDP_VARIABLES        1200  /* at most: 12 matrices of 11 MB, a second a step */
#define AJ_SDP_FIRST            20    /* steps before the first evaluation, */
#define AJ_SDP_EVERY            10    /* steps between two evaluations, */
#define AJ_SDP_LATER            20    /* and from so many on: */
#define AJ_SDP_SETTLED          60
#define AJ_SDP_PATIENCE         120 /* steps before the phase may end as hopeless */
#define AJ_SDP_RENEWAL        0.8 /* matrices that shrank below this part get that patience again */
#define AJ_SDP_CHILD_PATIENCE 30  /* the same below the root */
#define AJ_SDP_AHEAD   60   /* steps, or as many as were done: what the gain must suffice for */
#define AJ_SDP_FIX_GAP 0.05 /* relative: fixing is tried below */
#define AJ_SDP_SHRINK  0.95 /* rebuild when so much is left */
#define AJ_SDP_WORK    0.4  /* nanoseconds per cubed variable and step */

/* ---- the search of dense complete problems: chosen on nug14, nug16a, rou15 */
#define AJ_DENSE_MODEL   9    /* nodes: from here on down the model's costs instead of L + Z */
#define AJ_DENSE_SWEEPS  4    /* sweeps of dual ascent at a subproblem */
#define AJ_DENSE_HOPE    6.0  /* a sweep that gains less than the gap divided by this is the last */
#define AJ_DENSE_NODES   30   /* most: memory is n^5 / 5 doubles, twice */
#define AJ_DENSE_QUOTA   150  /* steps of ADMM: as much work may a node's tree take, */
#define AJ_DENSE_SMALL   0.3  /* and this part of it before the node's own steps */
#define AJ_SDP_TOLERATED 0.25 /* from cutoff to value: costs with more error are not kept */
#define AJ_DENSE_WORK    15.0 /* nanoseconds per pair of cells and subproblem */
#define AJ_DENSE_TRIAL   0.125     /* of the quota: then a tree is given up */
#define AJ_DENSE_EXCESS  4.0       /* if it is expected to take so many times its quota; */
#define AJ_DENSE_FIRST_TRIAL 0.016 /* or sooner, from here on, if it is as many times more */

/* ---- rounds of its subproblems */
#define AJ_ROUND_WORK  5e7  /* estimated nanoseconds of each task in a round */
#define AJ_ROUND_RATIO 0.04 /* of matchings to proof: what a dense problem has is found by then */

/* ---- symmetries (esc16c, esc16d, nug20) */
#define AJ_MOST_IMAGES 4000 /* tried for one exchange; what is not found is searched twice */

#endif
