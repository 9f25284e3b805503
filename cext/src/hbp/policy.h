/* The numbers of hbp, each with its meaning. Those of the original were its authors' choice; ours
 * only keep integers in range, and were tried on the data sets of the study. */
#ifndef GM_HBP_POLICY_H
#define GM_HBP_POLICY_H

/* ---- the original's, which suit costs around 1 */
#define HBP_EQUAL_STATES -200.0 /* theta(i, i): two variables in the same state */
#define HBP_EXCLUDED     -100.0 /* belief of a state that branching has excluded */
#define HBP_GRAIN        1e4    /* integers per unit of cost, for the assignment */
#define HBP_NEAR_BEST    1e-4   /* beliefs nearer to the best than this make a variable ambiguous */
#define HBP_GAP_PERCENT  0.5    /* ends the search */
#define HBP_INNER        5      /* inner iterations of a search node */

/* ---- ours: if costs are far from 1 the grain changes, so that their sum in integers */
#define HBP_MOST_INTEGER   1e15 /* is at most this, */
#define HBP_LEAST_INTEGER  1e3  /* and if it would be less than this */
#define HBP_RAISED_INTEGER 1e9  /* becomes this */

/* ---- time */
#define HBP_PAIRS_PER_LOOK 16 /* pairs between two looks at the clock */

#endif
