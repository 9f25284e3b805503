/* The tuned numbers of fusion moves and of block-coordinate ascent, each with its meaning; chosen
 * on the instances of benchmarks/bench_fm.py. Work is estimated in nanoseconds of an ordinary
 * machine, since decisions must not depend on the clock; benchmarks/bench_work.py measures the
 * estimates again. */
#ifndef GM_FM_POLICY_H
#define GM_FM_POLICY_H

/* ---- fusion moves */
/* Vain proposals before tabu search, and then a fresh start. Few, whatever the size: independent
 * regions of a large problem get stuck independently, and fusing several starts chooses the best of
 * each. */
#define FM_FIRST_PATIENCE 200
#define FM_FIRST_TABU     0.25  /* times the patience: tabu search at first, */
#define FM_MOST_TABU      2.0   /* after a success, */
#define FM_LEAST_TABU     0.125 /* and at least; each time it was in vain it gets half */
#define FM_PROPOSAL_ENTRY 2.4   /* nanoseconds of a proposal, per entry that a matching touches, */
#define FM_PROPOSAL_SLOT  2.0   /* per slot, */
#define FM_PROPOSAL_NODE  60.0  /* per node, */
#define FM_PROPOSAL_LINK  22.0  /* and per link */

/* ---- block-coordinate ascent */
#define FM_SPARSE_FACTOR 4   /* cells per entry: a table that has more is sparse */
#define FM_N_SMALLEST    8   /* opposite messages looked at for the background of a row */
#define FM_SWEEP_CELL    1.0 /* nanoseconds of a sweep, per cell of a dense table, */
#define FM_SWEEP_ENTRY   7.0 /* per entry of a sparse one, */
#define FM_SWEEP_MESSAGE 5.0 /* and per message */

/* ---- fm-bca: how many proposals follow a sweep */
#define FM_FIRST_PROPOSALS 20   /* before the first one */
#define FM_EARLY           100  /* sweeps; then proposals do only */
#define FM_LATER_PART      0.5  /* this part of their share, */
#define FM_CLOSE_PART      0.1  /* and this part of it */
#define FM_CLOSE_GAP       1e-2 /* where the relative gap is smaller than this */
#define FM_WINDOW          50   /* sweeps in which the dual must rise, else it starts again: */
#define FM_LEAST_RISE      1e-3 /* by this part of the gap, */
#define FM_LEADING_RISE 2e-5 /* or by this where it is the best so far (caltech-small4, 11, 12) */

#endif
