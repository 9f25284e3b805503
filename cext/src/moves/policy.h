/* The tuned numbers of the moves, each with its meaning; the instances are those of
 * benchmarks/bench_fm.py unless others are named. Work is estimated in nanoseconds of an ordinary
 * machine, since decisions must not depend on the clock; benchmarks/bench_work.py measures the
 * estimates again. */
#ifndef GM_MOVES_POLICY_H
#define GM_MOVES_POLICY_H

#define GM_GAIN_TOLERANCE 1e-10 /* relative: prices drift, so a smaller gain may be none */

/* ---- tabu search */
#define GM_LONGEST_BAN        8.0 /* steps per node; the mean is a quarter, as in Taillard's code */
#define GM_TABU_TABLE_SLOT    1.9 /* nanoseconds of a step, per slot if costs are in a table, */
#define GM_TABU_TABLE_COUPLED 14.0 /* and per slot of the nodes and labels that change; */
#define GM_TABU_SLOT          1.5  /* per slot if they are not, */
#define GM_TABU_DEGREE        7.0  /* per adjacent slot, */
#define GM_TABU_COUPLED       35.0 /* and per slot of the nodes and labels that change */

/* ---- Frank-Wolfe */
#define GM_FW_HALF  0.5 /* weight of a random matching added to the uniform point; */
#define GM_FW_LEAST 0.2 /* added to the best matching at least this, */
#define GM_FW_RANGE 0.6 /* and at most this much more, at random; chosen by bench_mp.py */

#endif
