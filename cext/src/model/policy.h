/* When a table of costs is worth its dense form: the measured break-even points. */
#ifndef GM_MODEL_POLICY_H
#define GM_MODEL_POLICY_H

/* Part of given cells from which a dense table is faster where rows are read in order (mp, hbp). */
#define GM_DENSE_ENOUGH 0.3
/* Cells per entry that a table of all pairs of slots may have: memory, not time, is what counts. */
#define GM_CELLS_PER_ENTRY 4

#endif
