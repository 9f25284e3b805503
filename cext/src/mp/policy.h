/* The tuned numbers of message passing, each with its meaning.
 *
 * Chosen on the instances of benchmarks/bench_mp.py (motor1, car1, 5, 14, 19) and watched at the
 * checkpoints of benchmarks/bench_checkpoints.py (all data sets of the study). Numbers that only
 * keep rounding in bounds say so. */
#ifndef GM_MP_POLICY_H
#define GM_MP_POLICY_H

/* ---- sweeps */
#define MP_CHECK_INTERVAL    10   /* iterations between two looks at the rise of the bound */
#define MP_EVALUATE_INTERVAL 5    /* iterations between two roundings; smoothed: two bounds */
#define MP_LEAST_RISE        5e-4 /* relative, between two looks: less begins smoothing, */
#define MP_LEAST_RISE_LATER  3e-5 /* and the same once there has been smoothing */

/* ---- smoothing: temperatures are relative to the bound per node */
#define MP_HOTTEST       0.02 /* temperature at which the first round begins */
#define MP_REHEATED      0.1  /* times the hottest: start of further rounds */
#define MP_COLDEST       1e-5 /* ends a round */
#define MP_COOLED        0.5  /* times the temperature: the next one */
#define MP_FIRST_COOLING 0.5  /* gain, per node and epsilon, below which the temperature falls, */
#define MP_SLOWER        0.25 /* and times that after a round that tightened nothing */
#define MP_BELIEF_ROUNDS 4    /* of a fixed point that contracts by 1/(degree + 2) a round */

/* ---- smoothing: against cancellation. Sums over all but one term are the running total less that
 * term if enough of it remains, else they are summed again. */
#define MP_LARGEST_WEIGHT 0.5  /* of a label's total: a larger weight cannot be taken from it */
#define MP_LEAST_SEEN     0.5  /* of background terms, of which the largest is 1 */
#define MP_LEAST_DOUBT    1e-9 /* 1 - belief is at least this in logarithms */

/* ---- tightening */
#define MP_FEWEST_TRIPLETS   10 /* a round adds at most this many triplets, */
#define MP_LINKS_PER_TRIPLET 10 /* and one more for every this many links */
#define MP_SCARCE            5  /* fewer triangles than one part in this many: search odd cycles */
#define MP_CYCLES_PER_ROUND  64 /* odd cycles at most */

#endif
