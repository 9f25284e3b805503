/* When a sparse table of costs is stored densely: the break-even points. */
#ifndef GM_MODEL_POLICY_H
#define GM_MODEL_POLICY_H

/* Share of cells with an entry from which on a dense table is faster to read row by row (measured
 * on mp's and hbp's tables). */
#define GM_DENSE_ENOUGH 0.3

#endif
