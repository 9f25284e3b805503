/* The tuned numbers of many graphs at once, each with its meaning; chosen on the instances of
 * benchmarks/bench_multi.py. */
#ifndef GM_MULTI_POLICY_H
#define GM_MULTI_POLICY_H

/* ---- the search */
/* Proposals in vain that end a rematch. With 12 the house sets, where only many matches together
 * pay, often end 1 % above the best known values. */
#define MULTI_VAIN           60
#define MULTI_FRESH          0.15 /* of the kicks take all graphs out, */
#define MULTI_DISSOLVE       0.5  /* of the others dissolve some tracks, */
#define MULTI_MOST_DISSOLVED 4    /* at most so many */
#define MULTI_NEAR           0.01 /* relative: kicks may begin so far above the best tracks, */
#define MULTI_RETURN         0.3  /* but so many of them begin at the best all the same */
#define MULTI_WALK           8    /* flips per graph of the tabu search for an exchange, */
#define MULTI_TENURE         3 /* which a flipped graph waits for, and for a fifth of the graphs */
/* Proposals that match all nodes anew: where single matches cost something and only many together
 * pay, regions find nothing. */
#define MULTI_WHOLE      6
#define MULTI_IMPROVE    2    /* rounds of QPBO-I without a gain */
#define MULTI_LEAST_ROOM 1024 /* entries that a response has room for */

/* ---- whose turn it is: rounds of the cycle bound between two kicks, */
#define MULTI_SOME_ROUNDS 1    /* while the kicks are in vain, */
#define MULTI_MOST_ROUNDS 20   /* and where the bound is what is asked for */
#define MULTI_CLOSE       0.02 /* relative gap after two descents that a round often closes */

/* ---- the cycle bound */
#define MULTI_ITERATIONS 1000   /* of the exact method on a pair in a round */
#define MULTI_LIFT_LIMIT 200000 /* see gm_aj_options */
#define MULTI_FIRST_STEP 1.0    /* times Polyak's length, */
#define MULTI_SHORTER    0.7    /* times this */
#define MULTI_WINDOW     10     /* after so many rounds without progress, */
#define MULTI_LEAST_STEP 0.02   /* at least */
#define MULTI_PROGRESS   1e-3   /* of the gap, to count as such */
#define MULTI_STALLED    60     /* rounds without progress: hopeless */
#define MULTI_NEWEST     0.25 /* weight of the present violation in the average: single ones jump */
#define MULTI_IDLE       40   /* rounds that an unused inequality stays */
#define MULTI_MOST_CUTS  4000000 /* 64 bytes each */

#endif
