/* The tuned numbers of dual decomposition, each with its meaning; chosen on the instances of
 * benchmarks/bench_dd_ls.py (docs/dual-decomposition.md explains the rules). */
#ifndef GM_DDLS_POLICY_H
#define GM_DDLS_POLICY_H

/* ---- direction and step of the ascent */
#define DDLS_PAIR_WEIGHT    2.0  /* W of a pair; of a candidate it is 1 */
#define DDLS_AVERAGING      6.0  /* |beta d| / |g| once rho has shrunk */
#define DDLS_SMALLEST_RISE  1e-5 /* of the gap, to count as a rise */
#define DDLS_SMALLEST_SCALE 1e-60

/* ---- rho: a large one only says that the best matching is out of reach, and is halved; where
 * steps bring something it shrinks slowly */
#define DDLS_LARGE_RHO 0.15
#define DDLS_HALVE     0.5
#define DDLS_SHRINK    0.9

/* ---- rounds */
#define DDLS_NEXT_RHO        0.1  /* begins every further round */
#define DDLS_WAITING_RHO     0.03 /* ends a round when local subproblems wait */
#define DDLS_SMALLEST_GAIN   1e-2 /* of the gap, for a round to be followed by another */
#define DDLS_PATIENCE_GROWTH 4    /* of the steps without a rise, from round to round */

/* ---- iterations */
#define DDLS_REBALANCE_EVERY 64   /* the copies of a cost are made equal again, against rounding */
#define DDLS_ROUND_EVERY     10   /* a matching is made of the votes */
#define DDLS_FORGET          0.95 /* what an iteration leaves of the votes before it */
#define DDLS_FUSION_PATIENCE 5    /* rounds of QPBO-I without a gain */

#endif
