/* The tuned numbers of dual decomposition, each with its meaning.
 *
 * Chosen on the instances of benchmarks/bench_dd_ls.py and bench_checkpoints.py (all data sets of
 * the study); docs/dual-decomposition.md explains the rules. */
#ifndef GM_DDLS_POLICY_H
#define GM_DDLS_POLICY_H

/* ---- subproblems */
#define DDLS_UNCOVERED_WEIGHT 4 /* of a link without local subproblem; others have 1 */

/* ---- direction and step of the ascent */
#define DDLS_PAIR_WEIGHT    2.0   /* W of a pair; of a candidate it is 1 */
#define DDLS_AVERAGING      6.0   /* |beta d| / |g| once rho has shrunk */
#define DDLS_LEAST_RISE     1e-5  /* of the gap, to count as a rise */
#define DDLS_SMALLEST_SCALE 1e-60 /* of d, before it is multiplied out: far from underflow */

/* ---- rho: a large one is halved, since the best matching is out of reach; a small one, at which
 * steps still raise the dual, shrinks slowly */
#define DDLS_LARGE_RHO 0.15
#define DDLS_HALVE     0.5
#define DDLS_SHRINK    0.9

/* ---- rounds */
#define DDLS_NEXT_RHO        0.1  /* begins every further round */
#define DDLS_WAITING_RHO     0.03 /* ends a round when local subproblems wait */
#define DDLS_PATIENCE_GROWTH 4    /* of the steps without a rise, from round to round */

/* ---- iterations */
#define DDLS_REBALANCE_INTERVAL 64   /* after this many, copies are made to add up exactly again */
#define DDLS_ROUNDING_INTERVAL  10   /* after this many, a matching is made of the votes */
#define DDLS_MEMORY             0.95 /* weight of a vote, one iteration later */

#endif
