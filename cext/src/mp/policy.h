/* The tuned numbers of message passing, each with its meaning; chosen on the instances of
 * benchmarks/bench_mp.py. */
#ifndef GM_MP_POLICY_H
#define GM_MP_POLICY_H

/* ---- sweeps */
#define MP_CHECK_INTERVAL    10   /* sweeps between two looks at the gain */
#define MP_EVALUATE_INTERVAL 5    /* sweeps between two roundings, or two bounds of smoothed ones */
#define MP_LITTLE            5e-4 /* relative gain between two looks that ends sweeping at first, */
#define MP_LITTLE_LATER      3e-5 /* and after smoothing */

/* ---- smoothing: temperatures are relative to the bound per node */
#define MP_HOTTEST          0.02
#define MP_REHEATED         0.1 /* of the hottest: where further rounds begin */
#define MP_COLDEST          1e-5
#define MP_SLOWER           0.25 /* times the cooling, after a round that tightened nothing */
#define MP_GAINED           1e-5 /* relative gain of a round that counts as such */
#define MP_FRUITLESS_ROUNDS 3    /* rounds without triplet or gain that end the run */
#define MP_BELIEF_ROUNDS    4    /* of a fixed point that contracts by 1/(degree + 2) a round */

/* ---- tightening */
#define MP_CYCLES_PER_ROUND 64
#define MP_LEAST_INCREASE   1e-6 /* of the bound per node, for a cycle to be worth its triplets */

/* ---- matchings */
#define MP_DESCENT_LIMIT 400 /* Frank-Wolfe steps from one matching, where they are asked for */
#define MP_QPBO_PATIENCE 5   /* rounds of QPBO-I without a gain */

#endif
