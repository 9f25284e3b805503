/* The numbers of hbp, each with its meaning. Those of the original were its authors' choice; ours
 * only keep integers in range, and were tried on the data sets of the study. */
#ifndef GM_HBP_POLICY_H
#define GM_HBP_POLICY_H

/* ---- the original's, which suit costs around 1 */
#define HBP_EXCLUDED  -100.0 /* belief of a state that branching has excluded */
#define HBP_GRAIN     1e4    /* integers per unit of cost, for the assignment */
#define HBP_NEAR_BEST 1e-4   /* beliefs nearer to the best than this make a variable ambiguous */
#define HBP_INNER     5      /* inner iterations of a search node */

#endif
