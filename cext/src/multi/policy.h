/* The tuned numbers of many graphs at once, each with its meaning; chosen on the sets of
 * benchmarks/bench_multi.py (house, hotel and worms, 5 to 29 graphs each) unless others are named.
 */
#ifndef GM_MULTI_POLICY_H
#define GM_MULTI_POLICY_H

/* ---- pairs by themselves: fm-bca */
#define MULTI_PAIR_PRIMAL_SHARE 1.8 /* work of proposals per work of sweeps */

/* ---- rematching a graph: fusion moves */
/* Proposals without gain that end a rematch. With 12 the house sets, in which only many matches
 * together pay, often end 1 % above the best known values. */
#define MULTI_VAIN 60
/* Proposals that match all nodes again: if single matches cost something and only many together
 * pay, regions find nothing. */
#define MULTI_WHOLE            6
#define MULTI_QPBO_PATIENCE    2    /* rounds of QPBO-I without a gain */
#define MULTI_EDGES_OF_A_MATCH 16   /* about: work between two looks at the clock is counted so */
#define MULTI_LEAST_ROOM       1024 /* items that growing arrays have room for at first */

/* ---- exchanges between two tracks: tabu search */
#define MULTI_TENURE      3 /* flips that a flipped graph waits for, */
#define MULTI_TENURE_PART 5 /* and the number of graphs over this */

/* ---- kicks */
#define MULTI_FRESH          0.15 /* of the kicks take all graphs out, */
#define MULTI_DISSOLVE       0.5  /* of the others dissolve some tracks, */
#define MULTI_MOST_DISSOLVED 4    /* at most this many; the rest take out two to d / 2 graphs */
#define MULTI_NEAR           0.01 /* relative: kicks may begin so far above the best tracks, */
#define MULTI_RETURN         0.3  /* but this many of them begin at the best all the same */

/* ---- rounds of the cycle bound between two kicks */
#define MULTI_SOME_ROUNDS 1  /* if kicks have gained nothing, or the bound is asked for, */
#define MULTI_MOST_ROUNDS 20 /* and if both hold */

/* ---- the cycle bound */
#define MULTI_ITERATIONS 1000 /* of the exact method on a pair in a round */
#define MULTI_FIRST_STEP 1.0  /* times Polyak's length */
#define MULTI_WINDOW     10   /* after every this many rounds without gain the step is shorter */
#define MULTI_NEWEST     0.25 /* weight of the present violation in its average over rounds */

#endif
